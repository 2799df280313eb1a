/** A session on an in-memory line, for the tests of this folder. */

import { expect } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../../platform/manual-clock.ts';
import type { ExchangeContext } from '../../../spi/index.ts';
import { clientSettings } from '../../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth } from '../../../testing/sinks.ts';
import { encodeRead } from '../../codec/request.ts';
import { expectEcho, readAnswerData } from '../../codec/response.ts';
import type { ExchangeEnd } from '../../link/exchange-session.ts';
import type { SessionRequest } from '../../link/session-check.ts';
import { TestLine } from '../../testing/line.ts';
import { encodeRtu, rtuFraming } from '../framing.ts';
import { LineSession, type LineSessionOptions } from '../session.ts';
import { serialTiming } from '../timing.ts';

export const TIMEOUT_MS = 200;
/** 9600 8N1: an octet takes 1.0417 ms, the silent gap 3.6458 ms. */
export const OCTET_MS = 10_000 / 9600;
export const GAP_MS = 3.5 * OCTET_MS;
/** When the first request may be sent at the earliest in these tests. */
export const OPENED_MS = 100;
export const REQUEST_MS = 8 * OCTET_MS;

export function setUp(changes: Partial<LineSessionOptions> = {}) {
  const clock = new ManualClock();
  const line = new TestLine();
  const frames = new TestFrames();
  const health = new TestHealth();
  const notices: string[] = [];
  const session = new LineSession({
    framing: rtuFraming,
    clock,
    line,
    frames,
    health,
    timing: serialTiming(clientSettings(), rtuFraming),
    timeoutMs: TIMEOUT_MS,
    requestGapMs: 0,
    turnAroundMs: 100,
    echo: 'no',
    tellingRequests: true,
    notice: (text) => notices.push(english(text)),
    slowestMs: () => 20,
    ...changes,
  });
  line.start({ onData: (chunk) => session.receive(chunk), onClosed: (cause) => session.closed(cause) });
  // the line has been silent since it was opened
  clock.sleep(OPENED_MS, 'runs');
  const run = (request: SessionRequest, context: Partial<ExchangeContext> = {}) => {
    const started: { end: ExchangeEnd | undefined } = { end: undefined };
    void session.exchange(request, exchangeContext(context)).then((end) => {
      started.end = end;
    });
    return started;
  };
  /** Times at which requests were handed to the line. */
  const sentAt: number[] = [];
  line.onWrite = () => sentAt.push(clock.monotonicMs());
  /** A request that is answered when it has left the line, as a first exchange to lean on. */
  const warmUp = async () => {
    for (let count = 0; count < 4; count++) {
      const one = run(read(90 + count, 3));
      await clock.advance(GAP_MS + REQUEST_MS + 5);
      line.receive(answer(1, count, 0, 0));
      await settle();
      expect(one.end?.kind).toBe('answer');
    }
    await clock.advance(50);
    line.sent.length = 0;
    sentAt.length = 0;
    frames.all.length = 0;
  };
  return { clock, line, frames, health, notices, session, run, sentAt, warmUp };
}

export function read(start: number, quantity: number, unitId = 1): SessionRequest {
  return {
    unitId,
    pdu: encodeRead(3, start, quantity),
    check: (pdu) => {
      readAnswerData(pdu, 3, quantity);
    },
  };
}

export function write(pdu: Uint8Array): SessionRequest {
  return { unitId: 1, pdu, check: (given) => expectEcho(pdu, given) };
}

/** Answer of function 3 with these registers. */
export function answer(unitId: number, ...registers: number[]): Uint8Array {
  return encodeRtu(unitId, Uint8Array.from([3, registers.length * 2, ...registers.flatMap((value) => [value >> 8, value & 0xff])]));
}

export const failure = (code: string, message?: RegExp) => ({
  kind: 'failed',
  error: expect.objectContaining(message ? { code, message: expect.stringMatching(message) } : { code }),
});

export const values = (end: ExchangeEnd | undefined) => (end?.kind === 'answer' ? [...end.pdu.subarray(2)] : end);
