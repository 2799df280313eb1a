import { describe, expect, it } from 'vitest';
import { encodeRead } from '../modbus/codec/request.ts';
import { rtuProtocol } from '../modbus/rtu/protocol.ts';
import { serialTiming } from '../modbus/rtu/timing.ts';
import { testSettings } from '../modbus/test-line.ts';
import { AnswerLedger } from './answer-ledger.ts';

const read = (start: number) => ({ unitId: 1, pdu: encodeRead(3, start, 1), check: () => undefined });

describe('what is owed', () => {
  it('expires by its own sending, whatever is owed behind it', () => {
    const ledger = new AnswerLedger(rtuProtocol(serialTiming(testSettings), () => 1));
    ledger.owe({ request: read(1), seq: 1, isTelling: false, expiresAt: 10_000 });
    ledger.owe({ request: read(2), seq: 2, isTelling: false, expiresAt: 19_000 });
    ledger.prune(10_000);
    expect(ledger.rivalsOf(read(2))).toBe(0);
    expect(ledger.rivalsOf(read(1))).toBe(1);
    ledger.prune(19_000);
    expect(ledger.rivalsOf(read(1))).toBe(0);
  });
});
