import { describe, expect, it } from 'vitest';
import { encodeRead } from '../modbus/codec/request.ts';
import { encodeRtu, rtuFraming } from '../modbus/rtu/framing.ts';
import { lineProtocol } from '../modbus/rtu/protocol.ts';
import { serialTiming } from '../modbus/rtu/timing.ts';
import { clientSettings } from '../testing/settings.ts';
import { AnswerLedger } from './answer-ledger.ts';

const read = (start: number) => ({ unitId: 1, pdu: encodeRead(3, start, 1), check: () => undefined });

describe('what is owed', () => {
  it('expires by its own sending, whatever is owed behind it', () => {
    const ledger = new AnswerLedger(lineProtocol(rtuFraming, serialTiming(clientSettings(), rtuFraming), () => 1));
    ledger.owe({ request: read(1), seq: 1, isTelling: false, expiresAt: 10_000 });
    ledger.owe({ request: read(2), seq: 2, isTelling: false, expiresAt: 19_000 });
    ledger.prune(10_000);
    expect(ledger.rivalsOf(read(2), 0)).toBe(0);
    expect(ledger.rivalsOf(read(1), 0)).toBe(1);
    ledger.prune(19_000);
    expect(ledger.rivalsOf(read(1), 0)).toBe(0);
  });
});

describe('octets that came before, on a line that doubles', () => {
  const pdu = Uint8Array.of(3, 2, 0, 7);
  const frame = { kind: 'frame', side: 'answer', at: 0, unitId: 1, transactionId: null, pdu, bytes: encodeRtu(1, pdu) } as const;

  it.each([2, 5, 9])('are an answer only when they came once more than with other questions: %i times', (others) => {
    const ledger = new AnswerLedger(lineProtocol(rtuFraming, serialTiming(clientSettings(), rtuFraming), () => 1));
    ledger.sawCopy(0);
    for (let at = 0; at < others; at++) ledger.judge(frame, read(1), at);
    const verdicts = Array.from({ length: others + 1 }, (_, at) => ledger.judge(frame, read(2), 100 + at).kind);
    expect(verdicts).toEqual([...Array<string>(others).fill('doubtful'), 'same']);
  });
});
