/** A client of a small asking protocol: one request a point, on the exchange engine. Protocols that read blocks bring a planner and a client of their own. */
import { AppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { concatBytes } from '../../protocol-kit/bytes.ts';
import type { ClientIo, DriverConnection, PointConfig, PointReading } from '../spi/index.ts';
import type { Answer, AnswerStream, Asked, AskingProtocol, LineTimes, StreamItem } from './asking.ts';
import { ExchangeEngine } from './exchange-engine.ts';

/** What such a protocol brings. Its frames tell their length, and an answer tells what it answers. */
export interface SmallProtocol<Request extends Asked> {
  readonly times: LineTimes;
  /** Octets of the longest answer. */
  readonly longest: number;
  /** Length of the frame that begins with these octets, at most `longest`; null while too few are there. */
  lengthOf(octets: Uint8Array): number | null;
  /** Asks for a point, or sets it to `value`. Throws `CONFIG_RANGE`, `CONFIG_INVALID`. */
  requestOf(point: PointConfig, value: number | null): Request;
  encode(request: Request): Uint8Array;
  facts(request: Request): { readonly slaveId: number; readonly functionCode: number };
  /** True for questions, which may be asked twice; false for commands. */
  isRepeatable(request: Request): boolean;
  /** True for an answer to the request, or its refusal. */
  fits(request: Request, answer: Uint8Array): boolean;
  /** True when the answer or refusal of one may be taken for that of the other. */
  isAlike(a: Request, b: Request): boolean;
  /** Why the device refuses, in the words of the protocol; null for an answer that is none. */
  refusalOf(answer: Uint8Array): { readonly kind: string; readonly detail: Message } | null;
  readingOf(point: PointConfig, answer: Uint8Array): PointReading;
}

/** Takes the line over at once; there is nothing to agree on. */
export function askingConnection<Request extends Asked>(io: ClientIo, protocol: SmallProtocol<Request>): DriverConnection {
  const engine = new ExchangeEngine({
    ...io,
    protocol: askingProtocol(protocol),
    stream: streamOf<Request>(protocol),
    times: protocol.times,
    timeoutMs: io.settings.timeoutMs,
    requestGapMs: io.settings.requestGapMs ?? 0,
    isBusyAtFirst: protocol.times.gapMs > 0,
    isTelling: false,
    notice: (text) => io.sink.notice(text),
    foreignRequest: () => ({ text: say('exchange.foreign_request'), notice: null }),
    echoTest: () => null,
    slowestMs: () => null,
  });
  io.line.start({
    onData: (chunk) => engine.receive(chunk),
    onClosed: (cause) => engine.closed(cause),
  });
  const planned = new Map<number, PointConfig>();
  return {
    link: { kind: 'exchange' },
    dataSets: null,
    plan(points) {
      for (const point of points) planned.set(point.id, point);
      return { batches: points.map(({ id, slave_id }) => ({ slaveId: slave_id, pointIds: [id] })), excluded: [], predictedMs: null };
    },
    async read({ pointIds: [pointId = 0] }, context) {
      const point = planned.get(pointId);
      if (!point) throw new AppError('INTERNAL', say('exchange.not_planned'));
      const answer = await engine.exchange(protocol.requestOf(point, null), context);
      if (answer.kind === 'failed') throw answer.error;
      const refusal = protocol.refusalOf(answer.frame.bytes);
      if (!refusal) return { readings: [protocol.readingOf(point, answer.frame.bytes)], next: [] };
      const error = new AppError('DEVICE_REJECTED', refusal.detail);
      return { readings: [{ kind: 'failure', pointId, error }], next: [] };
    },
    async execute({ point, step, value }, context) {
      if (step !== 'operate' || value === undefined) {
        throw new AppError('CONFIG_INVALID', say('exchange.step', { step }));
      }
      const answer = await engine.exchange(protocol.requestOf(point, value), { ...context, retries: 0 });
      if (answer.kind === 'failed' && !answer.isSent) throw answer.error;
      if (answer.kind === 'failed') return { outcome: 'unknown', stages: [], refusal: null, failure: answer.error };
      const refusal = protocol.refusalOf(answer.frame.bytes);
      return { outcome: refusal ? 'rejected' : 'accepted', stages: [], refusal, failure: null };
    },
    pointsChanged(points) {
      const ids = new Set(points.map(({ id }) => id));
      for (const id of planned.keys()) if (!ids.has(id)) planned.delete(id);
    },
    close: async () => engine.close(),
  };
}

function askingProtocol<Request extends Asked>(small: SmallProtocol<Request>): AskingProtocol<Request, Answer> {
  const { isAlike, longest } = small;
  const slaveOf = (request: Request) => small.facts(request).slaveId;
  return {
    encode: (request) => small.encode(request),
    addressee: slaveOf,
    describe: () => say('exchange.the_device'),
    facts: (request) => small.facts(request),
    problemOf: (request, { bytes }) => (small.fits(request, bytes) ? null : new AppError('PROTOCOL_MISMATCH', say('exchange.not_awaited'))),
    mayAnswer: (request, { bytes }) => small.fits(request, bytes),
    failsAtOnce: () => false,
    isRefusal: ({ bytes }) => small.refusalOf(bytes) !== null,
    isRepeatable: (request) => small.isRepeatable(request),
    isChained: () => false,
    isSameQuestion: isAlike,
    mayBeMistaken: isAlike,
    mayRefuseAlike: isAlike,
    telling: () => null,
    isLoopback: () => false,
    lookAt: ({ sentEnd, timeoutMs }, { octets, lastOctetAt }) =>
      octets === 0 ? sentEnd + timeoutMs : Math.max(sentEnd + timeoutMs, lastOctetAt + small.times.brokenMs),
    failureOf: ({ request, timeoutMs, hint }) =>
      new AppError('TIMEOUT_RESPONSE', together(say('exchange.silent', { device: slaveOf(request), ms: Math.round(timeoutMs) }), hint)),
    answerOctets: () => longest,
  };
}

/** Cuts octets in any pieces into frames. What has begun and does not end is given up with its exchange. */
export function frameCutter({ lengthOf }: Pick<SmallProtocol<Asked>, 'lengthOf'>) {
  let held = new Uint8Array(0);
  return {
    get held() {
      return held;
    },
    push(chunk: Uint8Array): Answer[] {
      held = Uint8Array.from(concatBytes(held, chunk));
      const frames: Answer[] = [];
      for (let length = lengthOf(held); length !== null && length <= held.length; length = lengthOf(held)) {
        frames.push({ bytes: held.slice(0, length) });
        held = held.slice(length);
      }
      return frames;
    },
    giveUp(): Uint8Array {
      const broken = held;
      held = new Uint8Array(0);
      return broken;
    },
  };
}

function streamOf<Request extends Asked>(small: SmallProtocol<Request>): AnswerStream<Request, Answer> {
  const cutter = frameCutter(small);
  let lastOctetAt = Number.NEGATIVE_INFINITY;
  const nothing = () => undefined;
  return {
    get hold() {
      return { octets: cutter.held.length, startedAt: null, lastOctetAt };
    },
    isEchoUnknown: false,
    sent: nothing,
    ended: nothing,
    push(chunk, now): StreamItem<Answer>[] {
      lastOctetAt = now;
      return cutter
        .push(chunk)
        .map((frame) => ({ kind: 'answer', frame, startedAt: now, beganAt: now - chunk.length * small.times.octetMs }));
    },
    giveUp: () => ({ items: [], broken: cutter.giveUp() }),
  };
}
