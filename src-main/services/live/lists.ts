import type { ListedWrite } from '#shared/contract/lists.ts';
import type { WriteExpectation } from '#shared/contract/points.ts';
import { ReadTaskConfig, type TaskSnapshot } from '#shared/contract/tasks.ts';
import { AppError, fieldIssue, invalidField, toAppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { delay } from '../../platform/clock.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { requireExpected } from '../expectation.ts';
import type { CallContext, Handlers } from '../handlers.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { rowOf } from '../rows.ts';
import { summaryOf } from '../tasks.ts';
import { checkWrite, readBack, sendOnce, told, type WriteRequest } from '../writes.ts';
import { findNamed } from './named-points.ts';
import { pointWaits } from './waits.ts';

/** How often the end of a task is looked for, in milliseconds. */
const LOOK_MS = 20;

/** Points by their codes: read, written one by one, waited for. */
export function listHandlers(deps: ServiceDeps): Pick<Handlers, 'readPoints' | 'writePoints' | 'waitForPoint'> {
  return {
    async readPoints({ points, device_name, channel_id, fresh, timeout_ms }) {
      const found = findNamed(deps.projects.current(), points, { device_name, channel_id });
      const task = fresh ? await readNow(deps, found, timeout_ms) : null;
      return {
        items: found.map(({ channel, point }) => rowOf(channel, channel.points.config(point.id) ?? point)),
        task: task && summaryOf(task),
      };
    },
    async writePoints({ points, device_name, channel_id }, context) {
      const session = deps.projects.current();
      const found = findNamed(session, points, { device_name, channel_id });
      const writes = found.map((one, index) => ({ found: one, value: points[index]?.value ?? 0, agreed: agreedOf(one, session.id) }));
      for (const [index, { found: one, value }] of writes.entries()) checkAt(index, () => checkWrite(deps, one, writeOf(value), context));
      const items: ListedWrite[] = [];
      let isOpen = true;
      for (const write of writes) {
        const item: ListedWrite = isOpen ? await writeOne(deps, write, context) : notSent(write);
        items.push(item);
        isOpen &&= item.outcome === 'accepted';
      }
      return { items, complete: isOpen };
    },
    waitForPoint: pointWaits(deps),
  };
}

/** One round of a manual task over these points; answers how it stands when it has ended, or the time is over. */
async function readNow({ clock }: ServiceDeps, found: readonly FoundPoint[], timeoutMs: number): Promise<TaskSnapshot> {
  const channel = (found[0] as FoundPoint).channel;
  if (found.some((one) => one.channel !== channel)) throw invalidField('fresh', say('live.fresh_one_device'));
  const points = [...new Map(found.map(({ point }) => [point.id, { frame_type: point.frame_type, id: point.id }])).values()];
  let task = channel.startTask('manual', ReadTaskConfig.parse({ points }));
  const id = task.task_id;
  const deadline = clock.monotonicMs() + timeoutMs;
  while (isUnderWay(task) && clock.monotonicMs() < deadline) {
    await delay(clock, LOOK_MS);
    const now = channel.taskSnapshot('manual');
    if (now.task_id !== id) break;
    task = now;
  }
  return task;
}

function isUnderWay({ state }: TaskSnapshot): boolean {
  return state === 'running' || state === 'stopping';
}

interface WriteOfList {
  readonly found: FoundPoint;
  readonly value: number;
  /** What the point was when all of them were checked. */
  readonly agreed: WriteExpectation;
}

function writeOf(value: number): WriteRequest {
  return { step: 'operate', value, options: {} };
}

function agreedOf({ point: { code, address, reference, slave_id, bit } }: FoundPoint, project_session: string): WriteExpectation {
  return { code, address, reference, slave_id, bit: bit ?? undefined, project_session };
}

/** Names the entry of the list where a check refuses one. */
function checkAt(index: number, check: () => void): void {
  try {
    check();
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.status !== 422) throw error;
    throw new AppError(error.code, error.said, { data: [fieldIssue(`points.${index}.value`, error.said)], cause: error });
  }
}

/** Sends one of them. What keeps it from being sent is its outcome: those before it have been sent. */
async function writeOne(deps: ServiceDeps, write: WriteOfList, context: CallContext<'command'>): Promise<ListedWrite> {
  try {
    const found = asAgreed(deps, write);
    const request = writeOf(write.value);
    checkWrite(deps, found, { ...request, expect: write.agreed }, context);
    const { done, auditId } = await sendOnce(deps, found, request, context);
    const read = done.outcome === 'accepted' ? await readBack(deps, found, write.value, context) : null;
    return itemOf(write, done.outcome, told(done), auditId, read?.equal ?? null);
  } catch (thrown) {
    const error = toAppError(thrown);
    return itemOf(write, error.code === 'INTERNAL' ? 'unknown' : 'failed', error.said);
  }
}

/** The point as it is now; somebody may have edited or deleted it, or opened another project, since the first one was sent. */
function asAgreed(deps: ServiceDeps, { found, agreed }: WriteOfList): FoundPoint {
  const session = deps.projects.current();
  if (session.id !== agreed.project_session) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
  const channel: ChannelRuntime | undefined = session.channels.get(found.channel.id);
  const point = channel?.points.config(found.point.id);
  if (!channel || !point) throw new AppError('CONFIG_NOT_FOUND', say('service.no_point', { point: found.point.id }));
  requireExpected({ channel, point }, agreed);
  return { channel, point };
}

function notSent(write: WriteOfList): ListedWrite {
  return itemOf(write, 'not_sent', say('live.not_sent'));
}

function itemOf(
  { found, value }: WriteOfList,
  outcome: ListedWrite['outcome'],
  said: Message,
  auditId: number | null = null,
  isEqual: boolean | null = null,
): ListedWrite {
  const { channel, point } = found;
  return {
    channel_id: channel.id,
    point_id: point.id,
    frame_type: point.frame_type,
    code: point.code,
    value,
    outcome,
    detail: english(said),
    detail_message: said,
    audit_id: auditId,
    is_equal: isEqual,
  };
}
