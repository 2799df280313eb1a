import type { DataOf } from '#shared/contract/index.ts';
import type { ListedWrite } from '#shared/contract/lists.ts';
import type { Point } from '#shared/contract/points.ts';
import { AppError } from '#shared/domain/errors.ts';
import { BrokenOff, type CliService } from './client.ts';
import { type CliContext, writeJson, writeTable } from './context.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';
import { CliFault, misuse, nextStep } from './fault.ts';
import { type ChosenPoints, choosePoints, requireFew, startOwnChannels, valueText } from './points.ts';
import { tableOf } from './table.ts';

export const writeOptions = { device: { type: 'string' }, yes: { type: 'boolean' } } as const;

const MOST_WRITES = 1000;

/** `write`: each value once, one after the other, confirmed by a person or by `--yes`. Exit code 3 where one was not accepted, or its outcome is not known. */
export async function writeCommand(context: CliContext): Promise<ExitCode> {
  const { words, options, speech, isJson } = context;
  if (words.length === 0) throw misuse(speech.own.needsValues);
  const wanted = words.map((word) => codeAndValue(word, context));
  requireFew(context, wanted.length, MOST_WRITES);
  const service = await context.service();
  const chosen = await choosePoints(
    context,
    service,
    wanted.map(({ code }) => code),
  );
  const values = wanted.map(({ value }) => value);
  if (!options.has('yes')) await confirm(context, service, chosen, values);
  await startOwnChannels(service, chosen, context.io.signal);
  const { items, complete } = await send(context, service, chosen, values);
  if (isJson) await writeJson(context, { items: items.map((item) => ({ device_name: chosen.deviceOf(item), ...item })), complete });
  else await tell(context, chosen, items);
  return complete ? EXIT.ok : EXIT.notGood;
}

/** `CODE=VALUE`; a code may have an equals sign itself. */
function codeAndValue(word: string, { speech: { own, fill } }: CliContext): { readonly code: string; readonly value: number } {
  const at = word.lastIndexOf('=');
  const text = word.slice(at + 1).trim();
  const isNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
  if (at < 1 || !isNumber) throw misuse(fill(own.badValue, { text: word }), own.needsValues);
  return { code: word.slice(0, at), value: Number(text) };
}

/** Shows what will be written, and asks. Throws a `CliFault` where the answer is no, or nobody can answer. */
async function confirm(context: CliContext, service: CliService, chosen: ChosenPoints, values: readonly number[]): Promise<void> {
  const { io, speech } = context;
  const { own } = speech;
  const project = (await service.api.call('projectInfo', {}, io.signal)).data.name;
  const rows = chosen.points.map((point, at) => ({ point, value: String(values[at]) }));
  const shown = tableOf<{ readonly point: Point; readonly value: string }>(
    [
      { head: own.columns.device, cell: ({ point }) => chosen.deviceOf(point) },
      { head: own.columns.code, cell: ({ point }) => point.code },
      { head: own.columns.name, cell: ({ point }) => point.name },
      { head: own.columns.before, side: 'right', cell: ({ point }) => valueText(point) },
      { head: own.columns.after, side: 'right', cell: ({ value }) => value },
      { head: own.columns.unit, cell: ({ point }) => point.unit },
    ],
    rows,
  );
  const answer = await io.ask(`${speech.fill(own.project, { name: project, url: service.url })}\n${shown}${own.confirm}`);
  io.signal.throwIfAborted();
  if (answer === null) throw misuse(own.needsYes);
  if (!['yes', own.yes].includes(answer.trim().toLowerCase())) throw new CliFault(EXIT.notGood, own.notConfirmed);
}

/** Sends the request once. What was sent is not taken back by Ctrl+C, so its answer is waited for. */
async function send(
  { speech }: CliContext,
  { api }: CliService,
  { points }: ChosenPoints,
  values: readonly number[],
): Promise<DataOf<'writePoints'>> {
  const { own } = speech;
  try {
    const named = points.map(({ channel_id, code }, at) => ({ channel_id, code, value: values[at] ?? Number.NaN }));
    return (await api.call('writePoints', { points: named })).data;
  } catch (thrown) {
    if (thrown instanceof BrokenOff) throw new CliFault(EXIT.notGood, own.writeNotKnown, own.writeNotKnownNext);
    if (thrown instanceof AppError && thrown.code === 'STATE_READ_ONLY')
      throw new CliFault(EXIT.notGood, speech.error(thrown), nextStep(thrown, speech));
    if (!(thrown instanceof AppError)) throw thrown;
    const names = points.map(({ code }) => code);
    throw new CliFault(exitCodeOf(thrown), speech.error(thrown, names), nextStep(thrown, speech));
  }
}

async function tell(context: CliContext, { deviceOf, points }: ChosenPoints, items: readonly ListedWrite[]): Promise<void> {
  const { speech } = context;
  const { own } = speech;
  const units = new Map(points.map(({ id, unit }) => [id, unit]));
  const back = ({ is_equal }: ListedWrite) => (is_equal === null ? own.notRead : is_equal ? own.equal : own.different);
  await writeTable<ListedWrite>(
    context,
    [
      { head: own.columns.device, cell: deviceOf },
      { head: own.columns.code, cell: ({ code }) => code },
      { head: own.columns.value, side: 'right', cell: ({ value }) => String(value) },
      { head: own.columns.unit, cell: ({ point_id }) => units.get(point_id) ?? '' },
      { head: own.columns.outcome, cell: ({ outcome }) => own.outcome[outcome] },
      { head: own.columns.readBack, cell: (item) => (item.outcome === 'accepted' ? back(item) : '') },
      { head: own.columns.audit, side: 'right', cell: ({ audit_id }) => (audit_id === null ? '' : String(audit_id)) },
      { head: own.columns.about, cell: ({ detail, detail_message }) => speech.message(detail_message, detail) },
    ],
    items,
    own.empty.points,
  );
}
