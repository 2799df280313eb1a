import { describe, expect, it } from 'vitest';
import { NewPoint } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { SubstationModel } from './substation-model.ts';
import { clientPoint, isBuiltLater, substationPoints } from './substation-points.ts';

const points = substationPoints();
const table = points.filter((item) => !isBuiltLater(item)).map((item) => item.point);
const initial = new Map(points.flatMap((item) => (item.initial === null ? [] : [[item.point.code, item.initial] as const])));

const orders = (change: Record<string, number> = {}) => new Map([...initial, ...Object.entries(change)]);

function run(model: SubstationModel, seconds: number, given: ReadonlyMap<string, number>): Map<string, number> {
  for (let step = 0; step < seconds; step++) model.step(1, given);
  return model.values();
}

describe('points of the demo substation', () => {
  it('are such as the contract takes', () => {
    for (const { point } of points) expect(NewPoint.parse(point)).toEqual(point);
  });

  it('are 300 YX, 200 YC with 36 totals, 20 YK and 10 YT; a feeder was built later', () => {
    const count = (type: FrameType) => table.filter((point) => point.frame_type === type).length;
    expect([count(FrameType.yx), count(FrameType.yc), count(FrameType.yk), count(FrameType.yt)]).toEqual([300, 236, 20, 10]);
    expect(table.filter((point) => point.category === 'total')).toHaveLength(36);
    expect(points.length - table.length).toBe(25);
  });

  it('have codes and object addresses of their own, each kind from where the field has it', () => {
    expect(new Set(points.map(({ point }) => point.code)).size).toBe(points.length);
    expect(new Set(points.map(({ point }) => point.address)).size).toBe(points.length);
    const first = (type: FrameType) => table.find((point) => point.frame_type === type)?.address;
    expect([first(FrameType.yx), first(FrameType.yc), first(FrameType.yk), first(FrameType.yt)]).toEqual([1, 0x4001, 0x6001, 0x6201]);
  });

  it('have commands whose effect a point of the table shows', () => {
    const codes = new Set(table.map((point) => point.code));
    const commands = table.filter((point) => point.frame_type === FrameType.yk || point.frame_type === FrameType.yt);
    expect(commands.filter((point) => !codes.has(point.related_code ?? '')).map((point) => point.code)).toEqual([]);
  });

  it('are fed by the model, each of them and nothing else', () => {
    const model = new SubstationModel(1);
    model.step(1, orders());
    const fed = points.filter((item) => item.isFed).map(({ point }) => point.code);
    expect([...model.values().keys()].sort()).toEqual([...fed].sort());
  });

  it('come to the client without what only the station needs', () => {
    const point = points.find((item) => item.point.protocol.dead_band !== undefined)?.point;
    if (!point) throw new Error('a point has a dead band');
    expect(clientPoint(point).protocol).not.toHaveProperty('dead_band');
  });
});

describe('model of the substation', () => {
  it('is the same for the same seed', () => {
    expect(run(new SubstationModel(7), 100, orders())).toEqual(run(new SubstationModel(7), 100, orders()));
  });

  it('follows set points, breakers and tap changers', () => {
    const model = new SubstationModel(1);
    const before = run(model, 30, orders());
    const after = run(model, 1, orders({ F01_P_SET: 5, F02_QF: 0, TR2_TAP: 11, BUS1_U_SET: 10.6 }));
    expect(after.get('F01_P')).toBeCloseTo(5, 0);
    expect([after.get('F02_P'), after.get('F02_IA'), after.get('F02_I0')]).toEqual([0, 0, 0]);
    expect((after.get('BUS2_UAB') ?? 0) - (before.get('BUS2_UAB') ?? 0)).toBeCloseTo(0.1, 1);
    expect(after.get('BUS1_UAB')).toBeCloseTo(10.6, 1);
    expect(run(model, 1, orders()).get('F02_SPRING')).toBe(0);
    expect(run(model, 10, orders()).get('F02_SPRING')).toBe(1);
  });

  it('counts energy that fits its power', () => {
    const model = new SubstationModel(1);
    const before = run(model, 1, orders({ F01_P_SET: 3.6 })).get('F01_EP_OUT') ?? 0;
    expect((run(model, 100, orders({ F01_P_SET: 3.6 })).get('F01_EP_OUT') ?? 0) - before).toBeCloseTo(100, -1);
  });

  it('has signals that come and go', () => {
    const model = new SubstationModel(3);
    const states = Array.from({ length: 600 }, () => {
      const values = run(model, 1, orders());
      return ['OVERLOAD', 'CIRCUIT', 'SF6', 'COMM', 'ALARM'].reduce(
        (sum, name) => sum + [...values].filter(([code, value]) => code.endsWith(`_${name}`) && value === 1).length,
        0,
      );
    });
    expect(Math.max(...states)).toBeGreaterThan(0);
    expect(Math.min(...states)).toBe(0);
    expect(Math.max(...states)).toBeLessThan(12);
  });
});
