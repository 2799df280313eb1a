import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRequest } from '../codec/request.ts';
import { AskedObjects } from './asked-objects.ts';

const pdu = (...octets: number[]) => Uint8Array.from(octets);
const rows = (asked: AskedObjects) =>
  asked
    .list()
    .items.map(({ slaveId, funcCode, address, frameType, count, value }) => [slaveId, funcCode, address, frameType, count, value]);

describe('what masters ask for in vain', () => {
  it('is listed by unit, function and address, with what was written', () => {
    const asked = new AskedObjects();
    for (const each of [pdu(3, 0, 100, 0, 2), pdu(3, 0, 101, 0, 1), pdu(4, 0, 7, 0, 1), pdu(1, 0, 0, 0, 2)]) asked.notePdu(1, each, 5);
    asked.notePdu(2, pdu(6, 0, 9, 0x12, 0x34), 6);
    asked.notePdu(2, pdu(5, 0, 3, 0xff, 0), 7);
    asked.notePdu(2, pdu(16, 0, 20, 0, 2, 4, 0, 1, 0, 2), 8);
    asked.notePdu(2, pdu(15, 0, 8, 0, 2, 1, 0b10), 9);
    expect(rows(asked)).toEqual([
      [1, 1, 0, 1, 1, 0],
      [1, 1, 1, 1, 1, 0],
      [1, 3, 100, 0, 1, 0],
      [1, 3, 101, 0, 2, 0],
      [1, 4, 7, 0, 1, 0],
      [2, 5, 3, 2, 1, 1],
      [2, 6, 9, 3, 1, 0x1234],
      [2, 15, 8, 2, 1, 0],
      [2, 15, 9, 2, 1, 1],
      [2, 16, 20, 3, 1, 1],
      [2, 16, 21, 3, 1, 2],
    ]);
    expect(asked.list().items[0]).toMatchObject({ firstSeen: 5, lastSeen: 5, decode: '0x20', typeText: 'FC 1' });
  });

  it('leaves out what is served by now, and adds the base of addresses', () => {
    const asked = new AskedObjects();
    asked.note(1, decodeRequest(pdu(3, 0, 0, 0, 3)), 1);
    asked.serve((unit, area, address) => unit === 1 && area === 3 && address === 1, 40_001);
    expect(asked.list().items.map(({ address }) => address)).toEqual([40_001, 40_003]);
  });

  it('is bounded: further addresses are counted', () => {
    const asked = new AskedObjects();
    for (let unit = 1; unit <= 100; unit++) asked.notePdu(unit, pdu(3, 0, 0, 0, 125), 1);
    const { items, dropped } = asked.list();
    expect(items).toHaveLength(10_000);
    expect(dropped).toBe(12_500 - 10_000);
    asked.notePdu(1, pdu(3, 0, 0, 0, 1), 2);
    expect(asked.list().items[0]).toMatchObject({ count: 2, lastSeen: 2 });
  });

  it('takes whatever a master sends', () => {
    const asked = new AskedObjects();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 260 }), (octets) => asked.notePdu(1, octets, 1)));
    expect(asked.list().items.length).toBeLessThanOrEqual(10_000);
  });
});
