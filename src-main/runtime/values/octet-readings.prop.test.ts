import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DECODE_CODES } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { compileDecoder } from '../../drivers/modbus/values.ts';
import { OctetReadings } from '../../drivers/spi/octet-readings.ts';
import { point } from '../testing/harness.ts';
import { ColumnPointStore } from './point-store.ts';

const POINTS = 12;
const OCTETS = 40;
const REGISTER = { decode: '0x20', bit: null };
const points = fc.array(
  fc.record({
    decode: fc.constantFrom(...DECODE_CODES.map(({ code }) => code)),
    offset: fc.integer({ min: 0, max: OCTETS / 2 - 4 }),
    mul_coe: fc.constantFrom(1, 0.1, 1e300),
    add_coe: fc.constantFrom(0, -40),
    bit: fc.constantFrom(null, 3),
    reverse: fc.boolean(),
  }),
  { minLength: 1, maxLength: POINTS },
);
// NaN, infinities and integers beyond 2^53 among them
const answer = fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xc0, 0xff), { minLength: OCTETS, maxLength: OCTETS });

function tableOf(settings: readonly Record<string, unknown>[]) {
  const store = new ColumnPointStore();
  const configs = settings.map((changes, at) =>
    point(at + 1, { ...changes, frame_type: changes.bit === null ? FrameType.yc : FrameType.yx }),
  );
  store.add(configs);
  return { store, configs };
}

it('an answer taken in as octets is the same as its readings one by one', () => {
  fc.assert(
    fc.property(points, fc.array(answer, { minLength: 1, maxLength: 3 }), (settings, answers) => {
      const usable = settings.filter(({ decode, bit }) => bit === null || decode === '0x20');
      fc.pre(usable.length > 0);
      const changes = usable.map(({ offset: _, ...rest }) => rest);
      const [whole, single] = [tableOf(changes), tableOf(changes)];
      const items = whole.configs.map((config, at) => ({
        pointId: config.id,
        offset: usable[at]?.offset ?? 0,
        decoder: compileDecoder(config),
      }));
      for (const [at, octets] of answers.entries()) {
        const readings = new OctetReadings(
          items.map(({ pointId }) => pointId),
          items,
          Uint8Array.from(octets),
          2,
        );
        whole.store.apply(readings, 1000 + at);
        single.store.apply([...readings], 1000 + at);
      }
      const states = ({ store, configs }: typeof whole) => configs.map(({ id }) => store.state(id));
      expect(states(whole)).toEqual(states(single));
      expect(whole.store.valueRevision).toBe(single.store.valueRevision);
    }),
    { numRuns: 300 },
  );
});

it('an answer of octets drops what was planned for other settings, and takes over from values with long octets, texts and errors', () => {
  const { store, configs } = tableOf([REGISTER, REGISTER, REGISTER]);
  const plannedAt = store.readingRevision;
  const detail = { sourceTimeText: '2026-02-31' };
  const long = { kind: 'value', valueText: 'x', raw: new Uint8Array(12), quality: 'good', flags: [], sourceTime: 5, detail } as const;
  store.apply([{ ...long, pointId: 1, value: 5 }], 1);
  store.update(point(2, { ...REGISTER, address: 99 }));
  store.remove([3]);
  const items = configs.map((config) => ({ pointId: config.id, offset: 0, decoder: compileDecoder(config) }));
  store.apply(
    new OctetReadings(
      items.map(({ pointId }) => pointId),
      items,
      Uint8Array.of(0, 7),
      2,
    ),
    2,
    plannedAt,
  );
  expect(store.state(1)).toMatchObject({ value: 7, valueText: '', rawHex: '0007', detail: null, sourceTime: null, updatedAt: 2 });
  expect(store.state(2)).toMatchObject({ value: 0, quality: 'never' });
});

it('an answer of more values than were ever taken in at once is taken in whole', () => {
  const settings = Array.from({ length: 2000 }, () => REGISTER);
  const { store, configs } = tableOf(settings);
  const items = configs.map((config, offset) => ({ pointId: config.id, offset, decoder: compileDecoder(config) }));
  store.apply(
    new OctetReadings(
      items.map(({ pointId }) => pointId),
      items,
      new Uint8Array(4000).fill(1),
      2,
    ),
    1,
  );
  expect(configs.every(({ id }) => store.state(id)?.value === 0x0101)).toBe(true);
});
