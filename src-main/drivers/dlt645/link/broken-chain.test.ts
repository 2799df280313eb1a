import { describe, expect, it } from 'vitest';
import { Function1997, functionOf } from '../codec/control.ts';
import { bench, pointsOf } from '../testing/bench.ts';

/** Energy of the four rates of 1997: a block of which the simulated meter needs one frame only, so a follow-up is announced here. */
const ITEMS = [0x9010, 0x9011, 0x9012, 0x9013];
const POINTS = pointsOf(ITEMS.map((address) => ({ address, slave_id: 11, protocol: { edition: 1997 } })));
const BLOCK_LOW_NIBBLE = 0x0f;

/** Control code and identifier of a request. */
function asked(bytes: Uint8Array): { control: number; di0: number } {
  const at = bytes.indexOf(0x68);
  return { control: bytes[at + 8] ?? 0, di0: ((bytes[at + 10] ?? 0) - 0x33) & 0xff };
}

describe('a block of 1997 whose follow-up frame is lost', () => {
  it('is read item by item in the same round, and as a block again behind an item that came', async () => {
    const { line, readAll } = bench({
      points: POINTS,
      answerFilter(bytes) {
        const at = bytes.indexOf(0x68);
        const isBlock = (((bytes[at + 10] ?? 0) - 0x33) & BLOCK_LOW_NIBBLE) === BLOCK_LOW_NIBBLE;
        if (functionOf(bytes[at + 8] ?? 0) !== Function1997.read) return null;
        if (!isBlock) return bytes;
        // more is said to follow, and never comes
        const announced = Uint8Array.from(bytes);
        announced[at + 8] = (announced[at + 8] ?? 0) | 0x20;
        announced[announced.length - 2] = ((announced.at(-2) ?? 0) + 0x20) & 0xff;
        return announced;
      },
    });
    const readings = await readAll();
    expect([...readings.values()].map((reading) => reading.kind)).toEqual(ITEMS.map(() => 'value'));
    const before = line.sent.length;
    await readAll();
    const second = line.sent.slice(before).map(({ bytes }) => asked(bytes).di0 & BLOCK_LOW_NIBBLE);
    expect(second[0]).toBe(BLOCK_LOW_NIBBLE);
  });
});
