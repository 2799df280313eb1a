import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FrameTypeSchema } from '#shared/contract/common.ts';
import { NewPoint } from '#shared/contract/points.ts';
import { iec61850Driver } from '../../drivers/iec61850/driver.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import { channelSettings } from '../../runtime/testing/harness.ts';
import { BAY_ROWS, bayFile, loadBay } from './bay.ts';
import { BayModel } from './bay-model.ts';

describe('the bay of the demo', () => {
  it('has rows that the contract takes', () => {
    const Row = NewPoint.extend({
      initial: z.number().optional(),
      client_type: FrameTypeSchema.optional(),
      commanded: z.boolean().optional(),
    }).strict();
    for (const row of BAY_ROWS) expect(Row.safeParse(row).error, row.code).toBeUndefined();
  });

  it('has a value for every point that it feeds, and codes and references once', () => {
    const model = new BayModel(1);
    model.step(0.5, new Map());
    const values = model.values();
    const points = loadBay();
    expect(points.filter((item) => item.isFed && !Number.isFinite(values.get(item.point.code))).map((item) => item.point.code)).toEqual([]);
    expect(new Set(points.map((item) => item.point.code)).size).toBe(points.length);
    expect(new Set(points.map((item) => item.point.reference)).size).toBe(points.length);
  });

  it('has every point in its file, and in one of the data sets', async () => {
    const document = { name: 'bay.cid', text: await bayFile().text() };
    expect(iec61850Driver.documents?.read(document)).toMatchObject({ choices: [{ value: 'BAY1' }], warnings: [] });
    const settings = toDriverSettings(channelSettings({ protocol: { ied_name: 'BAY1' } }), iec61850Driver);
    const source = { settings, points: () => [], document: () => document };
    const model = iec61850Driver.model?.(new Map(), source);
    const references = loadBay().map(({ point }) => point.reference);
    expect(model?.suggestPoints(references).flatMap((item) => ('reason' in item ? [item] : []))).toEqual([]);
    const members = (model?.dataSets() ?? []).flatMap((set) => set.members);
    const isMember = (reference: string) => {
      const [, node = '', path = '', constraint = ''] = /^([^.]+)\.(.+)\[(\w+)\]$/.exec(reference) ?? [];
      const key = `${node}$${constraint}$${path.replaceAll('.', '$')}`;
      return members.some((member) => key === member || key.startsWith(`${member}$`));
    };
    // a control has no value
    expect(references.filter((reference) => !isMember(reference))).toEqual(['BAY1CTRL/CSWI1.Pos[CO]']);
  });

  it('leaves its breaker where it was commanded, until a trip or the next command', () => {
    const model = new BayModel(3);
    const run = (seconds: number, orders: ReadonlyMap<string, number> = new Map()) => {
      const seen = new Set<number | undefined>();
      for (let at = 0; at < seconds * 2; at++) {
        model.step(0.5, at === 0 ? orders : new Map());
        seen.add(model.values().get('BAY_CB'));
      }
      return [...seen];
    };
    const [closed, open] = [1, 0];
    expect(run(60)).toEqual([closed]);
    expect(run(200, new Map([['BAY_POS', open]]))).toEqual([open]);
    expect(run(2, new Map([['BAY_POS', closed]]))).toEqual([closed]);
    // an overcurrent trips it, and it is closed again
    expect(run(120)).toEqual([closed, open]);
    expect(model.values().get('BAY_CB')).toBe(closed);
  });

  it('meters what it carries, and carries nothing while its breaker is open', () => {
    const model = new BayModel(7);
    let before = 0;
    let openings = 0;
    for (let step = 0; step < 600; step++) {
      model.step(0.5, new Map());
      const values = model.values();
      const energy = values.get('BAY_E_SUP') ?? 0;
      expect(energy).toBeGreaterThanOrEqual(before);
      before = energy;
      if (values.get('BAY_CB') === 1) continue;
      openings += 1;
      expect([values.get('BAY_P'), values.get('BAY_IA')]).toEqual([0, 0]);
    }
    expect(openings).toBeGreaterThan(10);
  });
});
