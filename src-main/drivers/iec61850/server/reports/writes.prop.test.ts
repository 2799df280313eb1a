import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MmsValue } from '../../mms/types.ts';
import { type Reader, Reporting } from './testing/reporting.ts';

const ATTRIBUTES = ['RptID', 'RptEna', 'Resv', 'DatSet', 'ConfRev', 'OptFlds', 'BufTm', 'SqNum', 'TrgOps', 'IntgPd', 'GI', 'PurgeBuf'];
const MORE = ['EntryID', 'TimeofEntry', 'ResvTms', 'Owner', 'None', ''];
const BLOCKS = ['LD/LLN0$RP$urcbStat01', 'LD/LLN0$BR$brcbStat01'] as const;

const value: fc.Arbitrary<MmsValue> = fc.oneof(
  fc.boolean().map((value): MmsValue => ({ kind: 'boolean', value })),
  fc.boolean().map((value): MmsValue => ({ kind: 'boolean', value })),
  fc
    .constantFrom('', 'LD/LLN0$dsStat', 'LD/LLN0$dsMeas', '@none', 'x', '/', 'LD/')
    .map((text): MmsValue => ({ kind: 'visible-string', text })),
  fc.constantFrom(0, 1, 50, 99, 100, 1000, 65_536, 2 ** 31, 2 ** 32 - 1).map((value): MmsValue => ({ kind: 'unsigned', value })),
  fc.constantFrom(-32_768, -1, 0, 1, 5, 32_767).map((value): MmsValue => ({ kind: 'integer', value })),
  fc
    .tuple(fc.integer({ min: 0, max: 16 }), fc.uint8Array({ minLength: 2, maxLength: 2 }))
    .map(([size, octets]): MmsValue => ({ kind: 'bit-string', size, octets })),
  fc.uint8Array({ maxLength: 9 }).map((octets): MmsValue => ({ kind: 'octet-string', octets })),
  fc.constant<MmsValue>({ kind: 'structure', items: [] }),
);

type Step =
  | {
      readonly kind: 'write';
      readonly who: number;
      readonly block: (typeof BLOCKS)[number];
      readonly name: string;
      readonly value: MmsValue;
    }
  | { readonly kind: 'change'; readonly point: number; readonly to: number }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'leave'; readonly who: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      who: fc.nat(1),
      block: fc.constantFrom(...BLOCKS),
      name: fc.constantFrom(...ATTRIBUTES, ...MORE),
      value,
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      who: fc.nat(1),
      block: fc.constantFrom(...BLOCKS),
      name: fc.constantFrom('RptEna', 'GI', 'Resv', 'PurgeBuf'),
      value: fc.constantFrom(true, true, true, false).map((value): MmsValue => ({ kind: 'boolean', value })),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('change' as const), point: fc.integer({ min: 1, max: 5 }), to: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(0, 50, 100, 11_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), who: fc.nat(1) }) },
);

const enabling = (block: (typeof BLOCKS)[number]): Step => ({
  kind: 'write',
  who: 0,
  block,
  name: 'RptEna',
  value: { kind: 'boolean', value: true },
});

describe('anything written to report blocks', () => {
  it('leaves them in order: one holder, no report to anybody else, no settings changed while enabled', async () => {
    let enabled = 0;
    let came = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const device = new Reporting();
        const address = (who: number) => `10.0.0.${who + 1}`;
        const readers: Reader[] = [await device.reader({ address: address(0) }), await device.reader({ address: address(1) })];
        /** Who has a block enabled, as the answers tell it. */
        const holders = new Map<string, number>();
        const takeReports = () => {
          readers.forEach((reader, who) => {
            for (const { dataSet, members, memberCount } of reader.reports.splice(0)) {
              came += 1;
              expect(members.length).toBeGreaterThan(0);
              expect(memberCount).toBe(dataSet === 'LD/LLN0$dsMeas' ? 2 : dataSet === null ? memberCount : 3);
              expect([...holders.values()]).toContain(who);
            }
          });
        };
        for (const each of [...BLOCKS.map(enabling), ...steps]) {
          if (each.kind === 'change') await device.set(each.point, each.to);
          else if (each.kind === 'wait') await device.pass(each.ms);
          else if (each.kind === 'leave') {
            takeReports();
            readers[each.who]?.client.abort();
            await device.pass(0);
            for (const [block, who] of holders) if (who === each.who) holders.delete(block);
            takeReports();
            readers[each.who] = await device.reader({ address: address(each.who) });
          } else {
            await device.pass(0);
            takeReports();
            const { block, who, name, value: to } = each;
            const holder = holders.get(block);
            const error = (await readers[who]?.write(block, name, to)) ?? null;
            if (holder !== undefined && holder !== who) expect(error).not.toBeNull();
            if (holder === who && !['RptEna', 'GI'].includes(name)) expect(error).not.toBeNull();
            if (error === null && name === 'RptEna' && to.kind === 'boolean') {
              if (to.value) enabled += 1;
              if (to.value) holders.set(block, who);
              else holders.delete(block);
            }
          }
        }
        await device.pass(0);
        takeReports();
        for (const block of BLOCKS) {
          const isEnabled = await readers[0]?.read(block, 'RptEna');
          expect(isEnabled).toBe(holders.has(block));
          expect(await readers[0]?.read(block, 'GI')).toBe(false);
        }
        expect(device.channel.counts.fault).toBe(0);
        await device.channel.connection.close();
        await device.pass(0);
        expect(device.channel.notices.join()).not.toMatch(/fault|undefined/);
      }),
      { numRuns: 120 },
    );
    expect(enabled).toBeGreaterThan(30);
    expect(came).toBeGreaterThan(30);
  }, 60_000);
});
