import { StoredPoint } from '#shared/contract/points.ts';
import { AppError, type FieldIssue, issueMessage } from '#shared/domain/errors.ts';
import { FieldWords } from '#shared/messages/field-words.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../../drivers/spi/index.ts';
import type { StepSide, StoredStep } from '../../persistence/repositories.ts';
import type { Turns } from '../../platform/turns.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { checkProtocolSettings } from '../channel-settings.ts';
import { normalPoint } from '../normal-point.ts';
import type { ProjectSession } from '../ports.ts';
import { POINTS_A_LOOK } from './code-rules.ts';
import type { StepWay } from './step-turn.ts';

/**
 * Refuses a step that the program did not write: a project may come from a colleague, and its journal may say anything. It must be of the channels that the step names, say of
 * as many points as it tells, and no point in it may be one that its channel could not have got by any other way, or has the id of another point. Throws `STATE_CONFLICT`.
 */
export async function requireOwnStep(
  session: Pick<ProjectSession, 'channels' | 'store'>,
  { step, way }: { readonly step: StoredStep; readonly way: StepWay },
  sides: readonly StepSide[],
  turns: Turns,
): Promise<void> {
  const refuse = (what: Message) => new AppError('STATE_CONFLICT', say('edit.not_ours', { name: step.name, what }));
  const lastId = session.store.points.lastId();
  const all = session.channels.list();
  let looks = 0;
  for (const key of ['added', 'changed', 'removed'] as const) {
    const found = sides.reduce((sum, side) => sum + side[key].length, 0);
    if (found !== step[key]) throw refuse(say('edit.other_count', { key, told: step[key], found }));
  }
  for (const side of sides) {
    const channel = step.channels.includes(side.channelId) ? session.channels.get(side.channelId) : undefined;
    if (!channel) throw refuse(say('edit.other_channel', { channel: side.channelId }));
    const others = all.filter((each) => each !== channel);
    const seen = new Set<number>();
    const faultOf = pointCheck(channel);
    for (const { point, comes, isSecond } of pointsOf(side, way)) {
      const { id } = point;
      const named = { point: typeof id === 'number' ? id : 0, channel: channel.settings.name };
      const fault = comes ? faultOf(point) : null;
      if (fault) throw refuse(say('edit.no_point', { ...named, what: fault }));
      if (isSecond) continue;
      if (id > lastId || seen.has(id) || others.some(({ points }) => points.config(id))) throw refuse(say('edit.other_point', named));
      seen.add(id);
      looks += 1;
      if (looks % POINTS_A_LOOK === 0) await turns.breathe();
    }
    const pair = side.changed.find(({ before, after }) => before.id !== after.id);
    if (pair) {
      const what = say('edit.two_ids', { before: pair.before.id, after: pair.after.id });
      throw refuse(say('edit.no_point', { point: pair.after.id, channel: channel.settings.name, what }));
    }
  }
}

interface PointOfStep {
  readonly point: PointConfig;
  /** It comes into the table; one that leaves it is compared with what is there. */
  readonly comes: boolean;
  /** The same point on the other side of the step. */
  readonly isSecond: boolean;
}

function* pointsOf({ removed, changed, added }: StepSide, way: StepWay): Generator<PointOfStep> {
  const isUndo = way === 'undo';
  for (const point of removed) yield { point, comes: isUndo, isSecond: false };
  for (const { before, after } of changed) {
    yield { point: before, comes: isUndo, isSecond: false };
    yield { point: after, comes: !isUndo, isSecond: true };
  }
  for (const point of added) yield { point, comes: !isUndo, isSecond: false };
}

/** What is wrong with a point of a channel; null: nothing. */
function pointCheck({ driver, settings }: ChannelRuntime): (point: PointConfig) => Message | null {
  const driverSettings = toDriverSettings(settings, driver);
  return (point) => {
    const words = new FieldWords();
    const parsed = StoredPoint.safeParse(point, words.options);
    const [wrong] = parsed.error?.issues ?? [];
    if (wrong) return issueOf(words.issue(wrong.path.map(String).join('.'), wrong));
    const issues: FieldIssue[] = [];
    const unknown: Message[] = [];
    checkProtocolSettings(driver.descriptor.pointSettings, point.protocol, 'protocol', issues, {
      warn: (path, message) => void unknown.push(say('edit.field', { path, message })),
    });
    if (issues.length === 0) issues.push(...normalPoint(driver, point, driverSettings).issues);
    const [issue] = issues;
    return issue ? issueOf(issue) : (unknown[0] ?? null);
  };
}

function issueOf(issue: FieldIssue): Message {
  return say('edit.field', { path: issue.path, message: issueMessage(issue) });
}
