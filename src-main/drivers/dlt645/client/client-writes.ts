/** Writes of our master: commands of points and operations, each sent once, and what meters say to them. */

import { EFFECT_RULES, type Effect } from '#shared/contract/effect.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { asMessage, say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type {
  Command,
  CommandStage,
  DriverCommandResult,
  DriverSecrets,
  DriverSink,
  ExchangeContext,
  PointConfig,
} from '../../spi/index.ts';
import type { OperationResult } from '../../spi/operations.ts';
import { isWildcard } from '../codec/address.ts';
import { editionOf, functionOf, PASSWORD_ERROR, REFUSED, refusalMessage } from '../codec/control.ts';
import type { Dlt645Frame } from '../codec/frame.ts';
import { diText } from '../dictionary/dictionary.ts';
import type { MeterSession } from '../link/session.ts';
import { meterPoint, targetOf } from '../meter-point.ts';
import type { MeterTarget } from '../meter-request.ts';
import { CONTROL_LEVEL, credentialsFor, PARAMETER_LEVEL } from './credentials.ts';
import type { PreparedOperation } from './meter-operation.ts';
import { localDigits, shownTime } from './operation-params.ts';
import { LIFT_WRITE_BLOCK, prepareOperation, WRITE_BLOCKS } from './operations.ts';
import { clockAhead } from './refused-relay.ts';
import { relayCommandOf } from './relay.ts';
import type { WriteBlocks } from './write-blocks.ts';
import { meterText, relayRequest, writeRequest } from './write-requests.ts';
import { encodePointValue } from './write-values.ts';

export interface MeterWritesOptions {
  readonly clock: Clock;
  readonly session: MeterSession;
  readonly secrets: DriverSecrets | undefined;
  readonly blocks: WriteBlocks;
  readonly sink: DriverSink;
  /** Local time of the meters, in milliseconds from UTC. */
  readonly utcOffsetMs: number;
}

/** How a write ended: what the door to the service asks of a command and of an operation. */
interface WriteEnd extends DriverCommandResult {
  readonly answer: Dlt645Frame | null;
}

/** Minutes a relay command is valid where nobody says how many. */
const VALID_MINUTES = 5;

export class MeterWrites {
  readonly #options: MeterWritesOptions;

  constructor(options: MeterWritesOptions) {
    this.#options = options;
  }

  /** A YK is relay control, a YT a written parameter. Throws before anything is sent, never afterwards. */
  async execute({ point, step, value, options }: Command, context: ExchangeContext): Promise<DriverCommandResult> {
    if (step !== 'operate' || value === undefined) {
      throw new AppError('CONFIG_INVALID', say('dlt645.one_step'));
    }
    const target = oneMeter(point);
    const level = typeof options.level === 'number' ? options.level : undefined;
    const prepared =
      point.frame_type === FrameType.yk ? this.#relay(point, target, value, level, options) : this.#parameter(point, target, value, level);
    const { answer: _, ...result } = await this.#send(prepared, context);
    return result;
  }

  async operate(name: string, params: Readonly<Record<string, unknown>>, context: ExchangeContext): Promise<OperationResult> {
    if (name === WRITE_BLOCKS) return this.#listBlocks();
    if (name === LIFT_WRITE_BLOCK) return this.#lift(String(params.meter));
    const { clock, secrets, utcOffsetMs } = this.#options;
    const { prepared, effect } = prepareOperation(name, params, { secrets, wallMs: clock.wallMs(), utcOffsetMs });
    const { outcome, stages: told, refusal, answer } = await this.#send(prepared, context, effect);
    // of a command the service makes this stage
    const stages = refusal ? [...told.slice(0, 1), this.#stage('rejected', asMessage(refusal.detail)), ...told.slice(1)] : told;
    return { outcome, stages, result: answer && outcome === 'accepted' ? { ...prepared.result?.(answer) } : {} };
  }

  #relay(
    point: PointConfig,
    target: MeterTarget,
    value: number,
    level: number | undefined,
    options: Readonly<Record<string, unknown>>,
  ): PreparedOperation {
    if (target.edition !== 2007) throw new AppError('CONFIG_INVALID', say('dlt645.no_relay_1997', { point: point.code }));
    if (value !== 0 && value !== 1) throw new AppError('CONFIG_RANGE', say('dlt645.relay_value', { point: point.code, value }));
    const { clock, secrets, utcOffsetMs } = this.#options;
    const command = relayCommandOf(point, value);
    const minutes = typeof options.valid_minutes === 'number' ? options.valid_minutes : VALID_MINUTES;
    const until = localDigits(clock.wallMs() + utcOffsetMs + minutes * 60_000);
    return {
      request: relayRequest(target, command, until, credentialsFor(secrets, { edition: 2007, needed: CONTROL_LEVEL, level })),
      what: say('dlt645.what_relay', { command, meter: meterText(target.address), until: shownTime(until) }),
      blockedBy: target.address,
      validity: { target, until },
    };
  }

  #parameter(point: PointConfig, target: MeterTarget, value: number, level: number | undefined): PreparedOperation {
    const meter = meterPoint(point);
    const di = diText(point.address, target.edition);
    if (meter.item && !meter.item.isReadable) {
      throw new AppError('CONFIG_INVALID', say('dlt645.is_password', { point: point.code, di }));
    }
    if (meter.item && !meter.item.isWritable && meter.item.format === meter.format) {
      throw new AppError('CONFIG_INVALID', say('dlt645.only_read', { point: point.code, di, name: meter.item.nameEn }));
    }
    const octets = encodePointValue(meter, value);
    const credentials = credentialsFor(this.#options.secrets, { edition: target.edition, needed: PARAMETER_LEVEL, level });
    return {
      request: writeRequest(target, point.address, credentials, octets),
      what: say('dlt645.what_write', { di, meter: meterText(target.address) }),
      blockedBy: target.address,
    };
  }

  async #send(prepared: PreparedOperation, context: ExchangeContext, effect: Effect = 'command'): Promise<WriteEnd> {
    const { clock, session, blocks } = this.#options;
    const { request, what, blockedBy } = prepared;
    if (blockedBy !== null) blocks.requireNone(blockedBy);
    if (request.isAnswered === false) return this.#broadcast(prepared, context);
    const retries = EFFECT_RULES[effect].isSentAgain ? context.retries : 0;
    const sentAt = clock.wallMs();
    const end = await session.exchange(request, { ...context, retries });
    if (end.kind === 'failed' && !end.isSent) throw end.error;
    const sent: CommandStage = { name: 'sent', at: sentAt, detail: say('dlt645.sent', { what: what }) };
    if (end.kind === 'failed') {
      const detail = together(end.error.said, effect === 'command' ? say('dlt645.open') : null);
      return { outcome: 'unknown', stages: [sent, this.#stage('unanswered', detail)], refusal: null, failure: end.error, answer: null };
    }
    const { frame } = end;
    if ((frame.control & REFUSED) === 0) {
      const detail = together(say('dlt645.taken'), prepared.next ?? null);
      return { outcome: 'accepted', stages: [sent, this.#stage('confirmed', detail)], refusal: null, failure: null, answer: frame };
    }
    return this.#refused(frame, prepared, sent, context);
  }

  async #broadcast({ request, what, next }: PreparedOperation, context: ExchangeContext): Promise<WriteEnd> {
    const failed = await this.#options.session.broadcast(request, context.signal);
    if (failed && !failed.isSent) throw failed.error;
    const stages = [this.#stage('sent', together(say('dlt645.sent', { what: what }), next ?? null))];
    if (failed) stages.push(this.#stage('lost', failed.error.said));
    return { outcome: 'unknown', stages, refusal: null, failure: failed?.error ?? null, answer: null };
  }

  async #refused(
    frame: Dlt645Frame,
    { what, blockedBy, validity }: PreparedOperation,
    sent: CommandStage,
    context: ExchangeContext,
  ): Promise<WriteEnd> {
    const words = refusalMessage(frame.data, editionOf(functionOf(frame.control)) ?? 2007);
    const stages = [sent];
    const isPassword = ((frame.data[0] ?? 0) & PASSWORD_ERROR) !== 0;
    if (isPassword && blockedBy !== null) stages.push(this.#block(blockedBy, say('dlt645.block_reason', { words, what })));
    const clock = validity && !isPassword ? await clockAhead(this.#options.session, validity.target, validity.until, context) : null;
    if (clock) stages.push(this.#stage('clock', clock));
    const detail = clock ? say('dlt645.refused_clock', { words, clock }) : words;
    return { outcome: 'rejected', stages, refusal: { kind: 'error_word', detail }, failure: null, answer: null };
  }

  #block(meter: string, reason: Message): CommandStage {
    const { blocks, clock, sink } = this.#options;
    blocks.add({ meter, since: clock.wallMs(), reason });
    const detail = say('dlt645.blocked', { meter, reason });
    sink.notice(detail);
    return this.#stage('blocked', detail);
  }

  #listBlocks(): OperationResult {
    const blocks = this.#options.blocks.list().map(({ meter, since, reason }) => ({ meter, since: new Date(since).toISOString(), reason }));
    const detail = blocks.length === 0 ? say('dlt645.nothing_blocked') : say('dlt645.many_blocked', { count: blocks.length });
    return { outcome: 'accepted', stages: [this.#stage('done', detail)], result: { blocks } };
  }

  #lift(meter: string): OperationResult {
    const lifted = this.#options.blocks.lift(meter);
    const detail = lifted ? say('dlt645.allowed', { meter }) : say('dlt645.not_blocked', { meter });
    if (lifted) this.#options.sink.notice(detail);
    return { outcome: 'accepted', stages: [this.#stage('done', detail)], result: { meter, was_blocked: lifted !== null } };
  }

  #stage(name: string, detail: Message): CommandStage {
    return { name, at: this.#options.clock.wallMs(), detail };
  }
}

/** The one meter of a point. Throws `CONFIG_INVALID` for a wildcard: nobody knows whom that would switch. */
function oneMeter(point: PointConfig): MeterTarget {
  const target = targetOf(point);
  if (!isWildcard(target.address) && target.address !== '999999999999') return target;
  throw new AppError('CONFIG_INVALID', say('dlt645.one_meter', { point: point.code, meter: meterText(target.address) }));
}
