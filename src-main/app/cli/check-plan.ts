import type { CheckSession } from '#shared/contract/check.ts';
import type { CliService } from './client.ts';
import { type CliContext, channelsOf, deviceNamed, listed } from './context.ts';
import { misuse } from './fault.ts';
import { readGiven, requireFree } from './files.ts';

export const checkOptions = {
  add: { type: 'string', multiple: true },
  reference: { type: 'string' },
  file: { type: 'string' },
  percent: { type: 'string' },
  tolerance: { type: 'string' },
  timeout: { type: 'string' },
  operator: { type: 'string' },
  record: { type: 'string' },
  yes: { type: 'boolean' },
} as const;

/** How a session is checked unattended. */
export interface CheckPlan {
  /** Devices whose measurements and signals are taken in. */
  readonly add: readonly string[];
  /** Device that the references come from; null: the file, or the references of the items. */
  readonly reference: string | null;
  readonly file: File | null;
  readonly tolerance: { readonly tolerance?: number; readonly percent?: number };
  readonly timeoutMs: number;
  readonly record: { readonly path: string; readonly format: 'html' | 'json' | 'xlsx' } | null;
}

/** Reads the options of `check` before a service is asked. Throws a `CliFault` for what is wrong. */
export async function planOf({ options, speech }: CliContext): Promise<CheckPlan> {
  options.excluding('reference', 'file');
  const tolerance = options.decimal('tolerance');
  const percent = options.decimal('percent');
  const seconds = options.whole('timeout', 1, 3600) ?? 60;
  const record = recordOf(options.text('record'), speech.own.recordEnding, speech.fill);
  if (record) requireFree(record.path, options.has('yes'), speech);
  const file = options.text('file');
  return {
    add: options.texts('add'),
    reference: options.text('reference') ?? null,
    file: file === undefined ? null : await readGiven(file, speech),
    tolerance: { ...(tolerance === undefined ? {} : { tolerance }), ...(percent === undefined ? {} : { percent }) },
    timeoutMs: seconds * 1000,
    record,
  };
}

function recordOf(path: string | undefined, wrong: string, fill: CliContext['speech']['fill']): CheckPlan['record'] {
  if (path === undefined) return null;
  const ending = /\.(html|json|xlsx)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'html' || ending === 'json' || ending === 'xlsx') return { path, format: ending };
  throw misuse(fill(wrong, { text: path }));
}

/** What is checked, in the project that is open. */
export interface FoundSession {
  readonly session: CheckSession;
  readonly referenceId: number | null;
}

/** The session by name or number, made by `--add` where it is missing, with the items that were asked for. Resolves the reference, too. Throws a `CliFault` for a name that means none or several. */
export async function findSession(context: CliContext, service: CliService, plan: CheckPlan, name: string): Promise<FoundSession> {
  const { io, speech } = context;
  const { own, fill } = speech;
  const { api } = service;
  const channels = await channelsOf(service, io.signal);
  const added = plan.add.map((device) => deviceNamed(channels, device, speech));
  const referenceId = plan.reference === null ? null : deviceNamed(channels, plan.reference, speech).id;
  const sessions = (await api.call('listChecks', {}, io.signal)).data.items;
  const named = sessions.filter((session) => session.name === name);
  const [second] = named.slice(1);
  if (second) throw misuse(fill(own.sessionTwice, { name, ids: named.map(({ id }) => id).join(', ') }));
  const found = named[0] ?? sessions.find(({ id }) => String(id) === name);
  if (!found && added.length === 0) {
    const names = listed(sessions.map((session) => session.name));
    throw misuse(fill(sessions.length === 0 ? own.noSessions : own.noSession, { name, names }));
  }
  const session = found ?? (await api.call('addCheck', { name }, io.signal)).data;
  for (const { id } of added) {
    await api.call('addCheckItems', { session_id: session.id, channel_id: id, frame_types: [0, 1] }, io.signal);
  }
  return { session, referenceId };
}
