import type { Effect } from '#shared/contract/effect.ts';
import type { CommandResult, CommandState, WriteExpectation } from '#shared/contract/points.ts';
import { type CommandStep, isCommandType, isServing } from '#shared/domain/enums.ts';
import { AppError, fieldIssue, invalidField, toAppError } from '#shared/domain/errors.ts';
import { asMessage, either, english, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { DriverCommandResult, PointConfig } from '../drivers/spi/index.ts';
import { askedBy } from './audit-trail.ts';
import { ownOptions, protocolOptions } from './command-options.ts';
import { readBackStage, stagesOf, stagesTold } from './command-stages.ts';
import { stateItemRow, stateRow } from './command-state.ts';
import { requireExpected, requireProject } from './expectation.ts';
import type { CallContext, Handlers } from './handlers.ts';
import { type FoundPoint, findChannel, findPoint, findPointOf, typeName } from './lookup.ts';
import { admit, perform } from './perform.ts';
import type { ServiceDeps } from './ports.ts';
import { watchReaction } from './reaction.ts';
import { rowOf } from './rows.ts';
import { noteWrite, touchOf } from './setpoint-before.ts';

/** What a write asks for, after validation. */
export interface WriteRequest {
  readonly step: CommandStep;
  readonly value: number | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** What the point has to be; undefined: nothing was said. */
  readonly expect?: WriteExpectation | undefined;
  /** Check session that it belongs to; undefined: none. */
  readonly checkSession?: string;
}

/** Writes: a value that we serve or that the device takes, single command steps, and what stands before them. */
export function writeHandlers(deps: ServiceDeps): Pick<Handlers, 'updatePoint' | 'command' | 'commandState'> {
  return {
    async updatePoint({ point_id, frame_type, value, expect }, context) {
      requireProject(deps.projects.current(), expect);
      const found = findPoint(deps.projects.current(), point_id, frame_type);
      const write: WriteRequest = { step: 'operate', value, options: {}, expect };
      checkWrite(deps, found, write, context);
      const { done: result } = await sendOnce(deps, found, write, context);
      requireAccepted(result);
      await readBack(deps, found, value, context);
      return rowOf(found.channel, found.channel.points.config(point_id) ?? found.point);
    },
    async command({ channel_id, point_id, frame_type, step, value, options, expect }, context): Promise<CommandResult> {
      requireProject(deps.projects.current(), expect);
      if (value === undefined && step !== 'cancel') {
        throw invalidField('value', say('service.value_missing', { step }));
      }
      const own = ownOptions(options);
      const found = findPointOf(findChannel(deps.projects.current(), channel_id), point_id, frame_type);
      requireStep(found, step);
      const write: WriteRequest = { step, value, options: protocolOptions(options, found.channel.driver, context), expect };
      checkWrite(deps, found, write, context);
      const acts = changesValue(step);
      const reaction = await watchReaction(deps, found, acts ? own.reactionTimeoutMs : 0);
      const { done: result, auditId } = await sendOnce(deps, found, write, context);
      const confirmedAt = confirmationTime(deps, result);
      const stages = stagesOf(result, deps.clock.wallMs());
      const hasEffect = acts && result.outcome === 'accepted';
      const read = hasEffect && own.readBack ? await readBack(deps, found, value, context) : null;
      if (read) stages.push(read);
      const seen = hasEffect ? await reaction.wait(confirmedAt) : reaction.unchanged();
      return { outcome: result.outcome, stages, reaction: seen, ...factsOf(result), audit_id: auditId };
    },
    async commandState({ channel_id, point_id, frame_type, options }, context): Promise<CommandState> {
      const found = findPointOf(findChannel(deps.projects.current(), channel_id), point_id, frame_type);
      const { channel, point } = found;
      if (!channel.driver.descriptor.tellsCommandState) throw new AppError('CONFIG_INVALID', say('control.nothing_to_ask'));
      requireWritableType(found);
      const state = await channel.commandState(point, protocolOptions(options, channel.driver, context));
      return stateRow(state, deps.clock.wallMs());
    },
  };
}

function changesValue(step: CommandStep): boolean {
  return step === 'operate' || step === 'execute';
}

/** Everything that can refuse a write before it is sent, in the order of the decisions: 422, then 409. Limits only warn. */
export function checkWrite(deps: ServiceDeps, found: FoundPoint, write: WriteRequest, context: CallContext): void {
  requireWritableType(found);
  if (write.value !== undefined) {
    checkRange(found, write.value);
    warnOfLimits(found.point, write.value, context);
  }
  requireExpected(found, write.expect);
  admit(deps, found.channel, context.effect);
}

/** The range of the raw value, told as an issue of the field `value`. */
function checkRange({ channel, point }: FoundPoint, value: number): void {
  try {
    channel.driver.checkValue?.(point, value);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.status !== 422) throw error;
    throw new AppError(error.code, error.said, { data: [fieldIssue('value', error.said)], cause: error });
  }
}

/** Sends a checked write once. Throws only when nothing was sent. */
export function sendOnce<Does extends Effect>(
  deps: ServiceDeps,
  found: FoundPoint,
  { step, value, options, checkSession }: WriteRequest,
  context: CallContext<Does>,
) {
  const { channel, point } = found;
  const { id: point_id, frame_type, code } = point;
  const isTouched = changesValue(step) && value !== undefined;
  return perform(deps, channel, context.effect, {
    entry: {
      ...{ point_id, frame_type, code, operation: null, step, value: value ?? null, ...askedBy(context) },
      ...(checkSession !== undefined && { check_session: checkSession }),
    },
    touch: isTouched ? touchOf(found) : undefined,
    async send() {
      try {
        return await channel.execute({ point, step, value, options });
      } finally {
        if (isTouched) noteWrite(found, deps.clock.wallMs());
      }
    },
    outcomeOf: (result) => ({ outcome: result.outcome, detail: told(result) }),
    isOpen: (error) => error.code === 'INTERNAL',
  });
}

/** What a driver told of a step beside its stages. */
function factsOf({ selection, state }: DriverCommandResult): Pick<CommandResult, 'selection' | 'state'> {
  return {
    ...(selection && { selection: { remaining_ms: selection.remainingMs, is_endless: selection.isEndless } }),
    ...(state && { state: state.map(stateItemRow) }),
  };
}

function requireWritableType({ channel, point }: FoundPoint): void {
  if (isServing(channel.settings.conn_type) || isCommandType(point.frame_type)) return;
  throw invalidField('frame_type', say('service.not_written', { type: typeName(point.frame_type) }));
}

function requireStep({ channel }: FoundPoint, step: CommandStep): void {
  const { commandSteps } = channel.driver.descriptor;
  if (commandSteps.includes(step)) return;
  const said =
    commandSteps.length === 0 ? say('service.no_commands', { step }) : say('service.no_step', { step, steps: either(commandSteps) });
  throw invalidField('step', said);
}

function warnOfLimits(point: PointConfig, value: number, context: CallContext): void {
  const { code, unit, min_limit: min, max_limit: max } = point;
  const shown = (limit: number) => (unit === '' ? limit : `${limit} ${unit}`);
  if (min !== null && value < min) context.warn('value', say('service.below_limit', { limit: shown(min), point: code }));
  if (max !== null && value > max) context.warn('value', say('service.above_limit', { limit: shown(max), point: code }));
}

/** How a write ended, in words. */
export function told({ stages, refusal, failure }: DriverCommandResult): Message {
  return stagesTold(
    stages,
    [refusal?.detail, failure?.said].filter((said) => said !== undefined),
  );
}

/** Monotonic time at which the device confirmed; now where no stage says so. */
export function confirmationTime({ clock }: ServiceDeps, result: DriverCommandResult): number {
  const confirmed = result.stages.findLast((stage) => stage.name === 'confirmed');
  return confirmed ? clock.monotonicMs() - (clock.wallMs() - confirmed.at) : clock.monotonicMs();
}

/** A setpoint that has its value from before again is no touched one any more. What keeps this from being noted leaves it one. */
export function settleSetpoint({ projects, logger }: ServiceDeps, found: FoundPoint, value: number): void {
  const touch = touchOf(found);
  try {
    if (touch) projects.current().store.setpoints.settle(touch, value);
  } catch (error) {
    logger.error({ err: error, pointId: found.point.id }, 'setpoint could not be noted as restored');
  }
}

/** For the operation that answers with the point: a refusal is a 502, silence a 504. */
function requireAccepted(result: DriverCommandResult): void {
  if (result.outcome === 'accepted') return;
  if (result.outcome === 'rejected') {
    const { kind, detail } = result.refusal ?? { kind: 'rejected', detail: told(result) };
    const data = { kind, detail: english(detail) };
    throw new AppError('DEVICE_REJECTED', say('service.value_refused', { detail: asMessage(detail) }), { data });
  }
  const said = result.failure ? say('service.value_open_because', { reason: result.failure.said }) : say('service.value_open');
  throw new AppError('TIMEOUT_RESPONSE', said);
}

/**
 * Reads the point after the device took its value. A failure is a warning only: the write itself succeeded. Answers the stage `read_back`; null
 * for a point that cannot be read, and where the read failed.
 */
export async function readBack(deps: ServiceDeps, { channel, point }: FoundPoint, value: number | undefined, context: CallContext) {
  if (value === undefined || !channel.driver.isReadable(point)) return null;
  try {
    await channel.readSingle(point.id);
  } catch (error) {
    context.warn('value', say('service.read_back_failed', { reason: toAppError(error).said }));
    return null;
  }
  const state = channel.points.state(point.id);
  if (!state || state.quality === 'never') return null;
  const stage = readBackStage(point, value, state, deps.clock.wallMs());
  if (stage.equal === true) settleSetpoint(deps, { channel, point }, value);
  if (stage.equal === false) context.warn('value', say('service.read_back_other', { read: state.value, value }));
  return stage;
}
