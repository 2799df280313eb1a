import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { POINT_FIELD_KEYS } from '#shared/domain/point-fields.ts';
import { testPoint } from '../drivers/testing/points.ts';
import { packedParts, unpackPart } from './step-parts.ts';

/** What a part is unpacked to; `turns` counts how often other work had its turn. */
async function unpacked(content: string | Uint8Array, turns: { count: number } = { count: 0 }) {
  const breathe = async () => void turns.count++;
  return unpackPart(1, typeof content === 'string' ? deflateRawSync(content) : content, breathe);
}
const part = (content: object) => JSON.stringify({ fields: POINT_FIELD_KEYS, ...content });

describe('parts of a step', () => {
  it('come back as they were packed, whatever their texts are', async () => {
    const note = `${'a,[{"\\,'.repeat(250)}`;
    const points = Array.from({ length: 2500 }, (_, index) => ({ ...testPoint({ id: index + 1, note }), channel_id: 1 }));
    const changed = points.map((before) => ({ before, after: { ...before, name: 'x' } }));
    const back = [];
    for (const packed of packedParts({ channelId: 1, removed: [], changed, added: [] })) back.push(await unpacked(packed));
    expect(back.length).toBeGreaterThan(2);
    expect(back.flatMap((each) => each?.changed ?? [])).toEqual(changed);
  });

  it.each([
    ['more rows than a part', part({ removed: Array.from({ length: 1001 }, () => [1]) })],
    ['more rows than a part on all its sides', part({ removed: Array(600).fill([1]), added: Array(600).fill([2]) })],
    ['a row of numbers without end', part({ removed: [Array(600_000).fill(1)] })],
    ['lists in lists', part({ removed: [[1, ...Array(500_000).fill([])]] })],
  ])('with %s are none that the program wrote', async (_, content) => {
    expect(await unpacked(content)).toBeNull();
  });

  it('lets other work have its turn while it looks for what there is to parse', async () => {
    const turns = { count: 0 };
    // a long text is little to parse
    const found = await unpacked(part({ removed: [[1, 'x'.repeat(8 * 1024 * 1024)]] }), turns);
    expect(found?.removed).toHaveLength(1);
    expect(turns.count).toBeGreaterThan(30);
  });

  it('beyond all bounds is damage', async () => {
    await expect(unpacked(part({ removed: [[1, 'x'.repeat(17 * 1024 * 1024)]] }))).rejects.toThrow();
  });
});
