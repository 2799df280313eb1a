import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AddChannelBody, type ChannelSettings } from '#shared/contract/channels.ts';
import { isPlainText } from '#shared/contract/common.ts';
import { DECODE_CODES } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { createDriverRegistry } from '../../app/driver-registry.ts';
import { dlt645Driver } from '../../drivers/dlt645/driver.ts';
import { iec104Driver } from '../../drivers/iec104/driver.ts';
import { iec61850Driver } from '../../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { NormalPoint, PointDraft, ProtocolDriver } from '../../drivers/spi/index.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import { withProtocolDefaults } from '../channel-settings.ts';
import { normalPoint } from '../normal-point.ts';
import { draftOf } from '../point-drafts.ts';
import { ProjectReader, type ReadProject } from './read-text.ts';
import { parseText } from './text-content.ts';
import { projectText } from './write-text.ts';

const DRIVERS = createDriverRegistry([modbusTcpDriver, iec104Driver, dlt645Driver, iec61850Driver]);

const line = (max: number, isProse = false) =>
  fc
    .oneof(
      fc.constantFrom('电压', '"q"', '\\', '</script>', '1.0', 'null', '\u2028', '__proto__', 'constructor'),
      fc.string({ unit: 'binary', maxLength: max }),
      fc.constant('l1\nl2'),
    )
    .map((value) => value.trim().slice(0, max).trim())
    .filter((value) => isPlainText(value, isProse));
const finite = fc
  .oneof(fc.constantFrom(0, 0.1, -1, 1e-7, 1e300), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => value + 0);
const frameType = fc.constantFrom(...Object.values(FrameType));
const common = {
  name: line(200),
  unit: line(32),
  category: line(100),
  item: line(100),
  note: line(300, true),
  mul_coe: finite.filter((value) => value !== 0),
  add_coe: finite,
};
/** The same keys in any order. */
const shuffled = (record: object) =>
  fc.shuffledSubarray(Object.entries(record), { minLength: Object.keys(record).length }).map((entries) => Object.fromEntries(entries));

const DRAFTS = {
  1: fc.record({
    ...common,
    frame_type: frameType,
    address: fc.integer({ min: 0, max: 60_000 }),
    slave_id: fc.integer({ min: 0, max: 255 }),
    decode: fc.constantFrom(...DECODE_CODES).map(({ code }) => code),
  }),
  3: fc.record({
    ...common,
    frame_type: frameType,
    address: fc.integer({ min: 1, max: 0xffffff }),
    protocol: fc.constantFrom({}, { select_before_operate: true, qualifier: 1 }, { qualifier: 1, select_before_operate: true }),
  }),
  4: fc.record({
    ...common,
    frame_type: fc.constant(0 as const),
    address: fc.constantFrom(0x02010100, 0x00010000),
    slave_id: fc.integer({ min: 0, max: 999_999_999_999 }),
    protocol: fc.constantFrom({}, { edition: 2007, format: 'XXX.X' }, { format: 'XXX.X', edition: 2007 }),
  }),
  5: fc.record({
    ...common,
    frame_type: fc.constantFrom(0 as const, 1 as const),
    reference: fc.constantFrom('LD0/MMXU1.TotW.mag.f', 'LD0/GGIO1.Ind1.stVal'),
  }),
} as const;

/** Points as the store has them; those that their protocol would refuse are none. */
function points(driver: ProtocolDriver, settings: ChannelSettings, drafts: fc.Arbitrary<object>): fc.Arbitrary<NormalPoint[]> {
  const coded = fc
    .tuple(
      drafts,
      line(100).filter((code) => code !== ''),
    )
    .map(([draft, code]) => ({ ...draft, code }));
  return fc.uniqueArray(coded, { maxLength: 8, selector: ({ code }) => code }).map((list) =>
    list.flatMap((draft) => {
      const full = {
        min_limit: null,
        max_limit: null,
        bit: null,
        reverse: false,
        reference: '',
        related_code: '',
        command_type: '',
        protocol: {},
        ...draft,
      };
      const { point, issues } = normalPoint(
        driver,
        draftOf(full as unknown as Parameters<typeof draftOf>[0]) as PointDraft,
        toDriverSettings(settings, driver),
      );
      return issues.length === 0 ? [point] : [];
    }),
  );
}

const channel = (type: keyof typeof DRAFTS) =>
  fc
    .tuple(
      line(100).filter((name) => name !== ''),
      line(400, true),
      fc.integer({ min: 10, max: 600_000 }),
      fc.boolean(),
      type === 3 ? shuffled({ t0_s: 20, t1_s: 12, k: 12, w: 8 }) : fc.constant({}),
    )
    .chain(([name, note, timeout_ms, read_only, protocol]) => {
      const settings = withProtocolDefaults(
        AddChannelBody.parse({ name, note, timeout_ms, read_only, protocol_type: type, conn_type: 2, protocol }),
      );
      const driver = DRIVERS.find(type) as ProtocolDriver;
      return points(driver, settings, DRAFTS[type]).map((list) => ({ settings, points: list }));
    });
const project = fc
  .uniqueArray(fc.oneof(channel(1), channel(3), channel(4), channel(5)), { maxLength: 4, selector: ({ settings }) => settings.name })
  .chain((channels) =>
    fc.record({
      channels: fc.constant(channels),
      settings: fc.record({
        read_only: fc.boolean(),
        frame_log_bytes: fc.integer({ min: 65_536, max: 268_435_456 }),
        events_kept: fc.integer({ min: 1000, max: 100_000 }),
        audit_kept: fc.integer({ min: 1000, max: 1_000_000 }),
      }),
    }),
  );

type Given = Pick<ReadProject, 'settings'> & { readonly channels: readonly Omit<ReadProject['channels'][number], 'at'>[] };

async function textOf({ settings, channels }: Given): Promise<string> {
  let text = '';
  for await (const piece of projectText(
    settings,
    channels.map((each) => ({ settings: each.settings, points: async () => each.points })),
    [],
  ))
    text += piece;
  return text;
}

function readBack(text: string): ReadProject {
  const parsed = parseText(new TextEncoder().encode(text), { hasNamesOnce: true });
  if ('refusal' in parsed) throw new Error(parsed.refusal.message);
  return new ProjectReader(DRIVERS, toDriverSettings).read(parsed.content);
}

describe('the text form', () => {
  it('of a project is read as the same project, and written again as the same text', async () => {
    await fc.assert(
      fc.asyncProperty(project, async (given) => {
        const text = await textOf(given);
        const read = readBack(text);
        expect(read.errors).toEqual([]);
        expect(read.settings).toEqual(given.settings);
        expect(read.channels).toEqual(given.channels.map((each, at) => ({ at, ...each })));
        expect(await textOf(read)).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  it('differs in one line where one field of one point does', async () => {
    await fc.assert(
      fc.asyncProperty(channel(1), finite, async (given, factor) => {
        const [first, ...others] = given.points;
        fc.pre(first !== undefined && first.mul_coe !== factor);
        if (!first) return;
        const before = (await textOf({ settings: null, channels: [given] })).split('\n');
        const changed = { ...given, points: [{ ...first, mul_coe: factor }, ...others] };
        const after = (await textOf({ settings: null, channels: [changed] })).split('\n');
        expect(after.length).toBe(before.length);
        expect(after.filter((text, index) => text !== before[index])).toHaveLength(1);
      }),
      { numRuns: 50 },
    );
  });

  it('that is cut or changed anywhere is told, and never thrown', async () => {
    await fc.assert(
      fc.asyncProperty(project, fc.nat(), fc.constantFrom('', '{', '"', '[', '0', ',', '-1', 'null'), async (given, at, put) => {
        const text = await textOf(given);
        const place = at % text.length;
        const parsed = parseText(new TextEncoder().encode(text.slice(0, place) + put + text.slice(place + 1)), { hasNamesOnce: true });
        if ('refusal' in parsed) expect(parsed.refusal.message).not.toBe('');
        else expect(new ProjectReader(DRIVERS, toDriverSettings).read(parsed.content).errors).toBeInstanceOf(Array);
      }),
      { numRuns: 150 },
    );
  });
});
