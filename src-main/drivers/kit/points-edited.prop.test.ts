import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { runSteps, type Steps } from '../../platform/steps.ts';
import { Dlt645Server } from '../dlt645/meter/server.ts';
import { PointIndex } from '../iec104/client/point-index.ts';
import { StationImage } from '../iec104/station/station-image.ts';
import { RegisterImage } from '../modbus/server/image.ts';
import type { PointConfig, PointsEdit, ServerIo } from '../spi/index.ts';
import { testPoint } from '../testing/points.ts';
import { PointList } from './point-list.ts';

/** A table behind each step, and the step. */
interface Step {
  readonly table: readonly PointConfig[];
  readonly edit: PointsEdit;
}

type Change = { readonly kind: 'add' | 'remove' | 'change'; readonly at: number; readonly fields: Partial<PointConfig> };

/** Tables that follow from one another by small changes. New points have higher ids. */
function stepsOf(first: readonly Partial<PointConfig>[], changes: readonly (readonly Change[])[]): { start: PointConfig[]; steps: Step[] } {
  let id = 0;
  const made = (fields: Partial<PointConfig>) => testPoint({ ...fields, id: ++id, code: `P${id}` });
  const start = first.map(made);
  let table: readonly PointConfig[] = start;
  const steps = changes.map((each): Step => {
    const before = new Map<number, PointConfig>();
    const after = new Map<number, PointConfig>();
    const added: PointConfig[] = [];
    for (const { kind, at, fields } of each) {
      const point = table[at % Math.max(1, table.length)];
      if (kind === 'add') added.push(made(fields));
      else if (point && !before.has(point.id)) {
        before.set(point.id, point);
        if (kind === 'change') after.set(point.id, { ...point, ...fields });
      }
    }
    table = [...table.flatMap((point) => (before.has(point.id) ? (after.get(point.id) ?? []) : point)), ...added];
    return { table, edit: { before: [...before.values()], after: [...after.values(), ...added] } };
  });
  return { start, steps };
}

function runs(fields: fc.Arbitrary<Partial<PointConfig>>) {
  const change = fc.record({ kind: fc.constantFrom('add', 'remove', 'change'), at: fc.nat(20), fields }) as fc.Arbitrary<Change>;
  return fc
    .tuple(fc.array(fields, { maxLength: 12 }), fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }))
    .map(([first, changes]) => stepsOf(first, changes));
}

const small = {
  slave_id: fc.integer({ min: 1, max: 2 }),
  address: fc.integer({ min: 0, max: 6 }),
  frame_type: fc.constantFrom(...Object.values(FrameType)),
};

/** Does the work, with a look at each step; what is looked at stays as it is. */
function runWatched<Result>(steps: Steps<Result>, look: () => void): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    look();
  }
}

describe('a small change is what the whole table would be', () => {
  it('in the list of points', () => {
    fc.assert(
      fc.property(runs(fc.record(small)), fc.boolean(), ({ start, steps }, looks) => {
        const list = new PointList(start);
        for (const { table, edit } of steps) {
          list.edit(edit);
          if (looks) expect(list.all).toEqual(table);
          for (const point of table) expect(list.get(point.id)).toBe(point);
        }
        expect(list.all).toEqual(steps.at(-1)?.table);
      }),
    );
  });

  it('in the register image of a Modbus server, values kept; and so is a table that is made aside', () => {
    const fields = fc.record({ ...small, func_code: fc.constantFrom(1, 3), decode: fc.constantFrom('0x20', '0x41', '0x42') });
    fc.assert(
      fc.property(runs(fields), ({ start, steps }) => {
        const [whole, edited, aside] = [new RegisterImage(), new RegisterImage(), new RegisterImage()];
        const tell = (image: RegisterImage) =>
          [1, 2].map((unit) =>
            [...(image.unit(unit) ?? [])]
              .map(([code, area]) => ({
                code,
                octets: Array.from({ length: 12 }, (_, at) => area.view(at, 1)?.join(' ')),
                all: area
                  .readingsIn(0, 99)
                  .map(({ pointId }) => pointId)
                  .sort(),
              }))
              .sort((a, b) => a.code - b.code),
          );
        for (const image of [whole, edited, aside]) {
          image.update(start, 0);
          for (const [, unit] of image.units())
            for (const area of unit.values()) for (let at = 0; at < 12; at++) area.view(at, 1)?.fill(at % 2);
        }
        for (const { table, edit } of steps) {
          const before = tell(whole);
          // what is set while it is made is set in the end
          const takeOver = runWatched(aside.made(table, 0), () => expect(tell(aside)).toEqual(before));
          for (const image of [whole, edited, aside])
            image
              .unit(1)
              ?.get(3)
              ?.change(3, 1, (octets) => octets.fill(octets[0] === 0 ? 7 : 0));
          whole.update(table, 0);
          edited.edit(edit, 0);
          takeOver();
          for (const other of [edited, aside]) {
            expect(tell(other)).toEqual(tell(whole));
            for (const { id } of [...table, ...edit.before]) expect(other.read(id)).toEqual(whole.read(id));
          }
        }
      }),
    );
  });

  it('in what an IEC 104 station serves, values kept; and so is a table that is made aside', () => {
    const fields = fc.record({ ...small, reverse: fc.boolean(), mul_coe: fc.constantFrom(1, 0.5) });
    fc.assert(
      fc.property(runs(fields), ({ start, steps }) => {
        const [whole, edited, aside] = [new StationImage(), new StationImage(), new StationImage()];
        for (const image of [whole, edited, aside]) {
          image.update(start);
          for (const { address, state } of image.objects) state.raw = address % 2;
        }
        const shown = (image: StationImage) =>
          image.objects.map(({ points, ...object }) => ({ ...object, ids: points.map(({ id }) => id) }));
        for (const { table, edit } of steps) {
          const before = shown(whole);
          const takeOver = runWatched(aside.made(table), () => expect(shown(aside)).toEqual(before));
          // what is set while it is made is set in the end
          for (const image of [whole, edited, aside])
            for (const { address, state } of image.objects) if (address % 2 === 1) state.raw = 1 - state.raw;
          whole.update(table);
          edited.edit(edit);
          takeOver();
          for (const other of [edited, aside]) {
            expect(shown(other)).toEqual(shown(whole));
            expect(other.stations).toEqual(whole.stations);
            for (const point of [...table, ...edit.before]) {
              expect(other.read(point.id)).toEqual(whole.read(point.id));
              expect(other.serves(point)).toBe(whole.serves(point));
              expect(other.pointByCode(point.code)).toEqual(whole.pointByCode(point.code));
              expect(other.control(point.slave_id, point.address)).toEqual(whole.control(point.slave_id, point.address));
            }
          }
        }
      }),
    );
  });

  it('in the points of an IEC 104 client; what follows is a point of now, or none', () => {
    fc.assert(
      fc.property(runs(fc.record(small)), ({ start, steps }) => {
        const [whole, edited] = [new PointIndex(start), new PointIndex(start)];
        for (const { table, edit } of steps) {
          whole.update(table);
          edited.edit(edit);
          expect(edited.stations).toEqual(whole.stations);
          for (const station of [1, 2]) {
            const chain = (index: PointIndex) =>
              [...index.of(station)].map(([address, head]) => {
                const ids: number[] = [];
                for (let point: typeof head | null = head; point; point = point.next) ids.push(point.id);
                return [address, ids] as const;
              });
            const byAddress = (list: readonly (readonly [number, number[]])[]) => new Map(list.map(([address, ids]) => [address, ids]));
            expect(byAddress(chain(edited))).toEqual(byAddress(chain(whole)));
            const heads = new Set(edited.of(station).values());
            for (const { following, address } of heads) {
              if (!following) continue;
              expect(heads.has(following)).toBe(true);
              expect(following.address).toBeGreaterThan(address);
            }
          }
        }
      }),
    );
  });

  it('in the meters of a DL/T 645 server, and so is a table that is made aside', async () => {
    const fields = fc.record({
      slave_id: fc.integer({ min: 1, max: 3 }),
      address: fc.constantFrom(0x0201_0100, 0x0202_0100, 0x0400_0103),
      frame_type: fc.constantFrom(FrameType.yc, FrameType.yt),
      protocol: fc.constantFrom({}, { meter_address: 'AAAAAAAAAAAA' }),
      decode: fc.constant(''),
    });
    await fc.assert(
      fc.asyncProperty(runs(fields), async ({ start, steps }) => {
        const serve = () =>
          runSteps(
            new Dlt645Server({
              clock: new ManualClock(),
              points: start,
              settings: { connType: 1, protocol: {} },
              serialLine: null,
              onPeer: () => undefined,
            } as unknown as ServerIo).started(),
          );
        const [whole, edited, aside] = [serve(), serve(), serve()];
        for (const { table, edit } of steps) {
          const pointIds = [...table, ...edit.before].map(({ id }) => id);
          const read = (server: Dlt645Server) => server.read({ slaveId: null, pointIds });
          const before = await read(whole);
          const staged = await aside.stageTable(table, async () => expect(await read(aside)).toEqual(before));
          whole.pointsChanged(table);
          edited.pointsEdited(edit);
          expect(await read(aside)).toEqual(before);
          staged.takeOver();
          for (const other of [edited, aside]) expect(await read(other)).toEqual(await read(whole));
        }
      }),
    );
  });
});
