import { Readable } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { readJsonBody } from './json-body.ts';

const LIMIT = 10_000_000;
const read = (octets: Uint8Array) => readJsonBody(Readable.from([Buffer.from(octets)]), { limit: LIMIT, announced: octets.length });

/** A name of so many characters, of which the first `shift` have one octet: those of three lie otherwise in the turns. */
const bodyOf = (shift: number, count: number) => new TextEncoder().encode(JSON.stringify({ name: 'x'.repeat(shift) + '表'.repeat(count) }));

it.each([0, 1, 2])('takes text of three octets a character, wherever a turn ends (%i before it)', async (shift) => {
  const body = (await read(bodyOf(shift, 800_000))) as { name: string };
  expect([body.name.length, body.name.replaceAll('x', '').replaceAll('表', '')]).toEqual([800_000 + shift, '']);
});

it.each([
  ['behind many octets', (octets: Uint8Array) => octets.fill(0xb1, octets.length - 5, octets.length - 3)],
  ['cut within its last character', (octets: Uint8Array) => octets.subarray(0, octets.length - 4)],
  ['without a beginning of a character for long', (octets: Uint8Array) => octets.fill(0x80, 900_000, 2_100_000)],
])('refuses what is not UTF-8: %s', async (_, spoil) => {
  await expect(read(spoil(bodyOf(0, 800_000)))).rejects.toMatchObject({ code: 'CONFIG_NOT_JSON', said: { code: 'http.not_utf8' } });
});

afterEach(() => vi.restoreAllMocks());

it('lets others have their turn between the pieces of a long body that came at once', async () => {
  const body = Buffer.from(JSON.stringify({ points: Array.from({ length: 3_000 }, (_, index) => ({ code: `P${index}` })) }));
  // each look at the clock is 3 ms later: so is each piece
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
  const source = new Readable({ read() {} });
  const pauses = vi.spyOn(source, 'pause');
  const reading = readJsonBody(source, { limit: LIMIT, announced: body.length });
  for (let from = 0; from < body.length; from += 1_000) source.push(body.subarray(from, from + 1_000));
  source.push(null);
  expect(((await reading) as { points: object[] }).points).toHaveLength(3_000);
  // 8 ms a turn
  expect(pauses.mock.calls.length).toBeGreaterThan(body.length / 1_000 / 4);
});
