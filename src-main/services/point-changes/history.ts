import type { PointHistory, PointStep } from '#shared/contract/points-edit.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { StoredStep } from '../../persistence/repositories.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import type { Handlers } from '../handlers.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import type { ChannelChange, TableChanges } from '../table-changes.ts';
import { requireOwnStep } from './step-check.ts';
import { changeOfStep, type StepWay } from './step-turn.ts';

interface StepRequest {
  readonly channel_id: number;
  readonly step_id?: number | undefined;
}

/** The journal of the point tables: looked at, undone, done again. */
export function historyHandlers(deps: ServiceDeps, tables: TableChanges): Pick<Handlers, 'pointHistory' | 'undoPoints' | 'redoPoints'> {
  const session = () => deps.projects.current();

  /** Takes the next step of a channel; null where another one came before it while its channels were waited for. */
  async function take(way: StepWay, { channel_id, step_id }: StepRequest): Promise<PointStep | null> {
    const { step, channels } = requireStep(session(), findChannel(session(), channel_id), way, step_id);
    return tables.run(channels, async (turns) => {
      const now = requireStep(session(), findChannel(session(), channel_id), way, step_id);
      if (now.step.id !== step.id) return null;
      const { steps } = session().store;
      const changes: ChannelChange[] = [];
      const sides = await steps.sides(step.id, turns.breathe);
      await requireOwnStep(session(), { step, way }, sides, turns);
      for (const side of sides) {
        const channel = findChannel(session(), side.channelId);
        changes.push({ channel, change: await changeOfStep(channel, side, { way, step }, turns) });
      }
      await tables.make(changes, { step: step.id, isUndone: way === 'undo' }, turns);
      return stepOf({ ...step, isUndone: way === 'undo' });
    });
  }

  async function takeNext(way: StepWay, request: StepRequest): Promise<PointStep> {
    for (;;) {
      const taken = await take(way, request);
      if (taken) return taken;
    }
  }

  return {
    pointHistory({ channel_id }): PointHistory {
      const { store } = session();
      const { id } = findChannel(session(), channel_id);
      const all = store.steps.all();
      const [undo, redo] = [nextStep(all, id, 'undo'), nextStep(all, id, 'redo')];
      const items = all.filter(({ channels }) => channels.includes(id)).toReversed();
      return { items: items.map(stepOf), undo: undo ? stepOf(undo) : null, redo: redo ? stepOf(redo) : null, limits: store.steps.limits };
    },
    undoPoints: (request) => takeNext('undo', request),
    redoPoints: (request) => takeNext('redo', request),
  };
}

/** The step of a channel that is taken next; `all` begins with the oldest. */
function nextStep(all: readonly StoredStep[], channelId: number, way: StepWay): StoredStep | undefined {
  const own = all.filter(({ channels }) => channels.includes(channelId));
  return way === 'undo' ? own.findLast((step) => !step.isUndone) : own.find((step) => step.isUndone);
}

/** The next step with the channels it changes. Throws `STATE_CONFLICT` with what stands against it. */
function requireStep(session: ProjectSession, channel: ChannelRuntime, way: StepWay, asked: number | undefined) {
  const all = session.store.steps.all();
  const own = channel.settings.name;
  const step = nextStep(all, channel.id, way);
  if (!step) throw refusal(say(way === 'undo' ? 'edit.nothing_to_undo' : 'edit.nothing_to_redo', { channel: own }));
  const { id, name } = step;
  if (asked !== undefined && asked !== id) {
    throw refusal(say(way === 'undo' ? 'edit.other_undo' : 'edit.other_redo', { channel: own, name, step: id, asked }));
  }
  if (!step.isKept) throw refusal(say('edit.too_large', { name }));
  const channels = step.channels.flatMap((each) => session.channels.get(each) ?? []);
  if (channels.length < step.channels.length) throw refusal(say('edit.moved_gone', { name }));
  for (const each of channels) {
    const other = nextStep(all, each.id, way);
    if (other && other.id !== id) throw refusal(say('edit.moved_first', { name, channel: each.settings.name, other: other.name }));
  }
  return { step, channels };
}

function refusal(said: ReturnType<typeof say>): AppError {
  return new AppError('STATE_CONFLICT', said);
}

function stepOf({ id, channels, name, at, source, added, changed, removed, isUndone, isKept }: StoredStep): PointStep {
  return {
    id,
    channel_ids: [...channels],
    name: english(name),
    name_message: name,
    at,
    source,
    added,
    changed,
    removed,
    undone: isUndone,
    kept: isKept,
  };
}
