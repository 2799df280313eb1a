import type { CheckFinding, CheckReference, CheckSeen, Expectation } from '#shared/contract/check.ts';
import { AppError, invalidField, toAppError } from '#shared/domain/errors.ts';
import { numberText } from '#shared/domain/number-text.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { isWritten } from '../command-stages.ts';
import type { CallContext } from '../handlers.ts';
import type { FoundPoint } from '../lookup.ts';
import type { ServiceDeps } from '../ports.ts';
import { relatedPoint } from '../reaction.ts';
import { checkWrite, confirmationTime, sendOnce, settleSetpoint, told, type WriteRequest } from '../writes.ts';
import type { DeviceTimes } from './device-times.ts';
import { seenNow } from './evidence.ts';
import { Feedback } from './feedback.ts';
import { finding } from './findings.ts';
import type { Place } from './place.ts';
import { toleranceOf } from './sight.ts';

/** How a command or a setpoint ended, and what was seen of it. */
export interface Judged {
  readonly verdict: 'passed' | 'failed';
  readonly findings: readonly CheckFinding[];
  readonly seen: readonly CheckSeen[];
  readonly auditIds: readonly number[];
}

/** What a check needs to send something. */
export interface Sender {
  readonly deps: ServiceDeps;
  readonly found: FoundPoint;
  /** Where the point leads as it was asked. */
  readonly place: Place;
  /** Throws `STATE_CONFLICT` where it is not to be sent any more: the check was stopped, or the point edited. */
  requireGoing(): void;
  readonly context: CallContext<'command'>;
  /** Session that the audit names. */
  readonly session: string;
  /** How long a feedback has to stay where it went. */
  readonly settleMs: number;
  readonly times: DeviceTimes;
  /** Aborted when the project is left: nothing is waited for any more. */
  readonly ending: AbortSignal;
}

type CommandExpectation = Extract<Expectation, { kind: 'command' }>;
type SetpointExpectation = Extract<Expectation, { kind: 'setpoint' }>;

function operate({ session }: Sender, value: number): WriteRequest {
  return { step: 'operate', value, options: {}, checkSession: session };
}

/** Sends a command once and waits for its feedback. Throws only when nothing was sent. */
export async function checkCommand(sender: Sender, { value, feedback, within_ms }: CommandExpectation): Promise<Judged> {
  const { deps, found, context, settleMs, times } = sender;
  const write = operate(sender, value);
  checkWrite(deps, found, write, context);
  const related = relatedPoint(found.channel, found.point);
  const wanted = { state: feedback ?? 0, withinMs: within_ms, settleMs };
  const follower =
    related && feedback !== null ? await Feedback.before(deps, { channel: found.channel, point: related }, wanted, times) : null;
  // what stood there before is what a change is told by
  if (related && feedback !== null && !follower) {
    throw new AppError('STATE_CONFLICT', say('check.feedback_unknown', { code: related.code }));
  }
  sender.requireGoing();
  const sentAt = deps.clock.monotonicMs();
  const { done, auditId } = await sendOnce(deps, found, write, context);
  const auditIds = [auditId];
  const failed = (findings: readonly CheckFinding[], seen: readonly CheckSeen[]): Judged => ({
    verdict: 'failed',
    findings,
    seen,
    auditIds,
  });
  const refusal = refusalOf(done.outcome, told(done));
  if (refusal) return failed([refusal], [seenNow(found)]);
  if (feedback === null) return { verdict: 'passed', findings: [], seen: [seenNow(found)], auditIds };
  if (!follower) return failed([finding('dead', say('check.found_no_related'))], [seenNow(found)]);
  const { findings, seen } = await follower.after(sentAt, confirmationTime(deps, done), sender.ending);
  return findings.length > 0 ? failed(findings, seen) : { verdict: 'passed', findings, seen, auditIds };
}

function refusalOf(outcome: 'accepted' | 'rejected' | 'unknown', detail: Message): CheckFinding | null {
  if (outcome === 'accepted') return null;
  return outcome === 'rejected'
    ? finding('refused', say('check.found_refused', { detail }))
    : finding('not_known', say('check.found_not_known', { detail }));
}

/** Writes a setpoint, reads it back, and brings the value from before back where that is asked for. Throws only when nothing was sent. */
export async function checkSetpoint(sender: Sender, expectation: SetpointExpectation, given: number | undefined): Promise<Judged> {
  const { deps, found, context } = sender;
  const value = expectation.value ?? given;
  if (value === undefined) throw invalidField('value', say('check.value_needed'));
  checkWrite(deps, found, operate(sender, value), context);
  const before = expectation.restore ? await valueNow(found) : null;
  if (expectation.restore && before === null) throw new AppError('STATE_CONFLICT', say('check.before_unknown', { code: found.point.code }));
  sender.requireGoing();
  const { done, auditId } = await sendOnce(deps, found, operate(sender, value), context);
  const refusal = refusalOf(done.outcome, told(done));
  // what may have been carried out is brought back as well
  const findings: CheckFinding[] = refusal ? [refusal] : [];
  const seen: CheckSeen[] = [];
  if (!refusal) findings.push(...(await readBackFindings(sender, { ...expectation, value }, seen)));
  if (refusal) seen.push(seenNow(found));
  const auditIds = [auditId];
  if (before !== null && done.outcome !== 'rejected') findings.push(...(await restore(sender, before, auditIds, seen)));
  return { verdict: findings.length === 0 ? 'passed' : 'failed', findings, seen, auditIds };
}

async function readBackFindings({ found, place }: Sender, reference: CheckReference, seen: CheckSeen[]): Promise<CheckFinding[]> {
  const reason = await readOnce(found);
  if (reason) return [finding('not_known', say('check.found_not_read', { reason }))];
  if (isEdited(place)) return [finding('not_known', say('check.found_not_read', { reason: editedOf(found) }))];
  const now = seenNow(found);
  seen.push(now);
  if (now.quality !== 'good') return [finding('bad_quality', say('check.found_bad_quality', { quality: now.quality }))];
  if (now.value !== null && isThere(found, reference, now.value)) return [];
  return [
    finding(
      'wrong_value',
      say('check.found_wrong_value', {
        value: now.value === null ? now.value_text : numberText(now.value),
        wanted: numberText(reference.value),
      }),
    ),
  ];
}

/** Within the tolerance, or as near as the type on the wire allows. */
function isThere({ channel, point }: FoundPoint, reference: CheckReference, value: number): boolean {
  const { exponent } = channel.points.state(point.id) ?? {};
  return Math.abs(value - reference.value) <= toleranceOf(reference) || isWritten(point, reference.value, value, exponent);
}

/** The value that the device has now; null where that cannot be known. */
async function valueNow(found: FoundPoint): Promise<number | null> {
  if ((await readOnce(found)) !== null) return null;
  const { quality, value } = seenNow(found);
  return quality === 'good' ? value : null;
}

/** Reads a point, asked for by whoever sends; why it could not be read, null: it was. */
async function readOnce({ channel, point }: FoundPoint): Promise<Message | null> {
  if (channel.driver.descriptor.echoesCommands || !channel.driver.isReadable(point)) return say('check.quality_never');
  try {
    await channel.readSingle(point.id);
    return null;
  } catch (thrown) {
    return toAppError(thrown).said;
  }
}

/** Writes the value from before, a command of its own, and looks whether it is there. */
async function restore(sender: Sender, before: number, auditIds: number[], seen: CheckSeen[]): Promise<CheckFinding[]> {
  const { deps, found, place, context } = sender;
  const notRestored = (reason: Message) => [finding('not_restored', say('check.found_not_restored', { before, reason }))];
  // the value belongs to the device that was asked, and to no other one
  if (place.isOtherDevice) return notRestored(editedOf(found));
  try {
    const { done, auditId } = await sendOnce(deps, found, operate(sender, before), context);
    auditIds.push(auditId);
    if (done.outcome !== 'accepted') return notRestored(told(done));
  } catch (thrown) {
    return notRestored(toAppError(thrown).said);
  }
  const reason = await readOnce(found);
  if (reason) return notRestored(reason);
  if (isEdited(place)) return notRestored(editedOf(found));
  const now = seenNow(found);
  seen.push(now);
  if (now.quality !== 'good') return notRestored(say('check.found_bad_quality', { quality: now.quality }));
  if (now.value !== null && isThere(found, { value: before, tolerance: 0, percent: 0 }, now.value)) {
    settleSetpoint(deps, found, before);
    return [];
  }
  return notRestored(say('check.restored_other', { value: now.value ?? now.value_text }));
}

/** True where what is read of the point now is of another place than the one that was asked. */
function isEdited(place: Place): boolean {
  return place.find() === undefined || place.isElsewhere;
}

function editedOf({ point }: FoundPoint): Message {
  return say('check.point_edited', { code: point.code });
}
