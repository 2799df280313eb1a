import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { u16 } from '../../../protocol-kit/bytes.ts';
import { exchangeContext, TestFrames, TestHealth } from '../../testing/sinks.ts';
import { encodeRead } from '../codec/request.ts';
import { exceptionOf, readAnswerData } from '../codec/response.ts';
import { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';
import type { ExchangeEnd } from './exchange-session.ts';
import { encodeMbap, mbapFraming } from './mbap.ts';
import { ModbusSession } from './session.ts';

const TIMEOUT_MS = 100;

/** What a device may do with a request. The data of an answer is the transaction id, so that a mixed-up answer shows. */
type Act =
  | 'answer'
  | 'silence'
  | 'late'
  | 'exception'
  | 'unit'
  | 'function'
  | 'stray'
  | 'half'
  | 'rest'
  | 'split'
  | 'double'
  | 'garbage'
  | 'close';

const acts: readonly Act[] = [
  'answer',
  'silence',
  'late',
  'exception',
  'unit',
  'function',
  'stray',
  'half',
  'rest',
  'split',
  'double',
  'garbage',
  'close',
];

class ScriptedDevice {
  readonly line = new TestLine();
  readonly #acts: readonly Act[];
  #next = 0;
  /** Answers that are held back until the next request. */
  #late: Uint8Array[] = [];

  constructor(script: readonly Act[]) {
    this.#acts = script;
    this.line.onWrite = (bytes) => this.#act(u16(bytes, 0));
  }

  #act(id: number): void {
    const { line } = this;
    const answer = encodeMbap(id, 1, Uint8Array.of(3, 2, id >> 8, id & 0xff));
    for (const held of this.#late.splice(0)) line.receive(held);
    const script = device[this.#acts[this.#next++] ?? 'silence'];
    const { now, later } = script(id, answer);
    if (later) this.#late.push(later);
    if (now === 'close') line.end({ kind: 'peer' });
    else for (const chunk of now) line.receive(chunk);
  }
}

interface Reaction {
  /** Chunks that are sent at once, or the end of the line. */
  readonly now: readonly Uint8Array[] | 'close';
  /** Octets that come with the next request. */
  readonly later?: Uint8Array;
}

const HALF = 8;
const device: Readonly<Record<Act, (id: number, answer: Uint8Array) => Reaction>> = {
  answer: (_id, answer) => ({ now: [answer] }),
  silence: () => ({ now: [] }),
  late: (_id, answer) => ({ now: [], later: answer }),
  exception: (id) => ({ now: [encodeMbap(id, 1, octets('83 04'))] }),
  unit: (id, answer) => ({ now: [encodeMbap(id, 2, answer.subarray(7))] }),
  function: (id) => ({ now: [encodeMbap(id, 1, octets('04 02 00 00'))] }),
  stray: (id, answer) => ({ now: [encodeMbap((id + 200) & 0xffff, 1, octets('03 02 DE AD')), answer] }),
  half: (_id, answer) => ({ now: [answer.subarray(0, HALF)] }),
  rest: (_id, answer) => ({ now: [answer.subarray(0, HALF)], later: answer.subarray(HALF) }),
  split: (_id, answer) => ({ now: Array.from(answer, (octet) => Uint8Array.of(octet)) }),
  double: (_id, answer) => ({ now: [Buffer.concat([answer, answer])] }),
  garbage: () => ({ now: [octets('DE AD BE EF DE AD BE EF DE AD BE EF DE AD BE EF')] }),
  close: () => ({ now: 'close' }),
};

/** How an exchange must end that met this act, on a line that stood. */
const EXPECTED: Readonly<Record<Act, string>> = {
  answer: 'value',
  silence: 'TIMEOUT_RESPONSE',
  late: 'TIMEOUT_RESPONSE',
  exception: 'exception',
  unit: 'PROTOCOL_MISMATCH',
  function: 'PROTOCOL_MISMATCH',
  stray: 'value',
  half: 'TIMEOUT_RESPONSE',
  rest: 'TIMEOUT_RESPONSE',
  split: 'value',
  double: 'value',
  garbage: 'FRAME_LENGTH',
  close: 'TRANSPORT_LOST',
};

function nameOf(end: ExchangeEnd): string {
  if (end.kind === 'failed') return end.error.code;
  return exceptionOf(end.pdu) === 0 ? 'value' : 'exception';
}

describe('Modbus session against a device that does anything', () => {
  it('each exchange ends once, as what met it says, and no value is ever taken from another exchange', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 12 }), async (script) => {
        const clock = new ManualClock();
        const { line } = new ScriptedDevice(script);
        const [frames, health] = [new TestFrames(), new TestHealth()];
        const onLost = () => {};
        const session = new ModbusSession({
          clock,
          framing: mbapFraming,
          line,
          frames,
          health,
          timeoutMs: TIMEOUT_MS,
          requestGapMs: 0,
          onLost,
        });
        line.start({ onData: (chunk) => session.receive(chunk), onClosed: (cause) => session.closed(cause) });
        let isUp = true;
        for (const [index, act] of script.entries()) {
          const check = (answer: Uint8Array) => {
            readAnswerData(answer, 3, 1);
          };
          let end: ExchangeEnd | null = null;
          const done = session.exchange({ unitId: 1, pdu: encodeRead(3, 0, 1), check }, exchangeContext()).then((value) => {
            end = value;
          });
          await settle();
          if (end === null) await clock.advance(TIMEOUT_MS);
          await done;
          const result = end as ExchangeEnd | null;
          expect(result && nameOf(result)).toBe(isUp ? EXPECTED[act] : 'TRANSPORT_NOT_CONNECTED');
          if (result?.kind === 'answer' && nameOf(result) === 'value') expect(u16(result.pdu, 2)).toBe(index + 1);
          if (act === 'garbage' || act === 'close') isUp = false;
        }
        session.close();
        expect(clock.pending).toBe(0);
        expect(frames.of('tx')).toHaveLength(health.requests);
      }),
      { numRuns: 100 },
    );
  });
});
