import { userInfo } from 'node:os';
import type { CheckItem, CheckRun, CheckSession } from '#shared/contract/check.ts';
import { delay } from '../../platform/clock.ts';
import { type CheckPlan, type FoundSession, findSession, planOf } from './check-plan.ts';
import type { CliService } from './client.ts';
import { type CliContext, channelsOf, note, writeJson, writeTable } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { CliFault } from './fault.ts';
import { writeGiven } from './files.ts';

const LOOK_MS = 200;
const PAGE = 1000;

/** `check`: runs a session unattended and tells what did not pass; without a name it lists the sessions. Exit code 3 where an item is open. */
export async function checkCommand(context: CliContext): Promise<ExitCode> {
  const { words, options, io, speech } = context;
  options.most(1);
  const plan = await planOf(context);
  const service = await context.service();
  const [name] = words;
  if (name === undefined) return listSessions(context, service);
  const found = await findSession(context, service, plan, name);
  const { session } = found;
  await startOwn(service, context, found);
  const begun = await begin(service, found, plan, operatorOf(context));
  const { run, isStopped } = await runEnd(context, service, begun);
  const open = await openItems(service, session.id);
  const now = (await service.api.call('listChecks', {})).data.items.find(({ id }) => id === session.id) ?? session;
  if (plan.record !== null) {
    const { path, format } = plan.record;
    const file = (await service.api.call('checkRecord', { session_id: session.id, format, lang: speech.language })).data;
    await writeGiven(path, (file as { readonly bytes: Uint8Array }).bytes, options.has('yes'), speech);
  }
  await tell(context, { session: now, run, open }, plan);
  if (isStopped) {
    note(context, speech.own.checkStopped);
    return io.signal.reason === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
  }
  if (run.error) throw new CliFault(EXIT.fault, speech.message(run.error.said, run.error.text));
  return open.length === 0 ? EXIT.ok : EXIT.notGood;
}

function operatorOf({ options, io }: CliContext): string {
  const { USER, USERNAME } = io.env;
  return options.text('operator') ?? (USER || USERNAME || userInfo().username);
}

async function listSessions(context: CliContext, { api }: CliService): Promise<ExitCode> {
  const { items } = (await api.call('listChecks', {}, context.io.signal)).data;
  const { own, page } = context.speech;
  if (context.isJson) await writeJson(context, { items });
  else {
    const states = Object.entries(page.checkState);
    await writeTable<CheckSession>(
      context,
      [
        { head: own.columns.number, side: 'right', cell: ({ id }) => String(id) },
        { head: own.columns.session, cell: (each) => each.name },
        { head: own.columns.items, side: 'right', cell: (each) => String(each.items) },
        ...states.map(([state, head]) => ({
          head,
          side: 'right' as const,
          cell: ({ counts }: CheckSession) => String(counts[state as keyof typeof counts] || ''),
        })),
      ],
      items,
      own.empty.sessions,
    );
  }
  return EXIT.ok;
}

/** In a service of our own nobody has started the channels: those of the items and the reference. */
async function startOwn(service: CliService, { io }: CliContext, { session, referenceId }: FoundSession): Promise<void> {
  if (!service.isOwn) return;
  const { channels } = (await service.api.call('checkSummary', { session_id: session.id }, io.signal)).data;
  const used = new Set([...channels.map(({ channel_id }) => channel_id), referenceId]);
  for (const channel of await channelsOf(service, io.signal)) {
    if (used.has(channel.id) && channel.status !== 'running') await service.api.call('startDevice', { channel_id: channel.id }, io.signal);
  }
}

async function begin({ api }: CliService, { session, referenceId }: FoundSession, plan: CheckPlan, operator: string): Promise<CheckRun> {
  const common = { session_id: session.id, operator, ...plan.tolerance, timeout_ms: plan.timeoutMs };
  if (plan.file) return (await api.call('compareCheckFile', { ...common, file: plan.file })).data;
  const reference = referenceId === null ? {} : { reference_channel_id: referenceId };
  return (await api.call('compareCheck', { ...common, ...reference })).data;
}

/** Waits for the end; Ctrl+C ends the check in the service too. */
async function runEnd(
  { io, clock }: CliContext,
  { api }: CliService,
  begun: CheckRun,
): Promise<{ readonly run: CheckRun; readonly isStopped: boolean }> {
  let run = begun;
  let isStopped = false;
  while (run.state === 'running') {
    await delay(clock, LOOK_MS, isStopped ? undefined : io.signal).catch(() => {});
    if (io.signal.aborted && !isStopped) {
      isStopped = true;
      run = (await api.call('stopCheck', {})).data.run ?? run;
    } else run = (await api.call('checkRun', {})).data.run ?? { ...run, state: 'ended' };
  }
  return { run, isStopped };
}

async function openItems({ api }: CliService, sessionId: number): Promise<CheckItem[]> {
  const items: CheckItem[] = [];
  for (let page = 1; ; page += 1) {
    const answer = (await api.call('checkItems', { session_id: sessionId, state: 'open', page, page_size: PAGE })).data;
    items.push(...answer.items);
    if (answer.items.length === 0 || items.length >= answer.total) return items;
  }
}

interface Outcome {
  readonly session: CheckSession;
  readonly run: CheckRun;
  readonly open: readonly CheckItem[];
}

async function tell(context: CliContext, { session, run, open }: Outcome, { record }: CheckPlan): Promise<void> {
  const { speech, io, isJson } = context;
  const { own, page, fill } = speech;
  if (isJson) {
    await writeJson(context, { session, run, open, record: record?.path ?? null });
    return;
  }
  const findings = ({ last }: CheckItem) => (last?.findings ?? []).map(({ said, text }) => speech.message(said, text)).join(' ');
  if (open.length > 0) {
    await writeTable<CheckItem>(
      context,
      [
        { head: own.columns.device, cell: ({ channel }) => channel },
        { head: own.columns.code, cell: ({ code }) => code },
        { head: own.columns.name, cell: ({ name }) => name },
        { head: own.columns.state, cell: ({ state }) => page.checkState[state] ?? state },
        { head: own.columns.finding, cell: (item) => [findings(item), item.last?.remark ?? ''].filter(Boolean).join(' ') },
      ],
      open,
      '',
    );
  }
  const passed = session.counts.passed + session.counts.accepted;
  await io.out(`${fill(own.checkDone, { session: session.name, passed, total: session.items })}\n`);
  if (record) await io.out(`${fill(own.checkRecord, { file: record.path })}\n`);
}
