import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NewPoint } from '#shared/contract/points.ts';
import { findDecode } from '#shared/domain/decode.ts';
import { FrameType, isCommandType } from '#shared/domain/enums.ts';
import { PlantModel } from './plant-model.ts';
import { loadPlant, PLANT_TABLES } from './plant-points.ts';

const plant = loadPlant();
const points = plant.clients.flatMap((client) => client.points);
const units = (name: string) => new Set(plant.clients.find((client) => client.name === name)?.points.map(({ point }) => point.slave_id));

const Table = z.strictObject({
  devices: z.array(z.strictObject({ unit: z.int().min(1).max(247), digit: z.string(), item: z.string() })),
  points: z.array(
    NewPoint.extend({
      served: z.boolean().optional(),
      view: z.boolean().optional(),
      initial: z.number().optional(),
      repeat: z.int().min(1).optional(),
      step: z.int().min(1).optional(),
    }).strict(),
  ),
});

describe('points of the demo plant', () => {
  it('are rows that the contract takes', () => {
    for (const [name, table] of Object.entries(PLANT_TABLES)) expect(Table.safeParse(table).error, name).toBeUndefined();
  });

  it('are some hundred, in four client channels by unit', () => {
    expect(points.length).toBeGreaterThan(500);
    expect([...units('Demo PCS')]).toEqual([1]);
    expect([...units('Demo BMS')]).toEqual([11, 12, 13, 14, 15]);
    expect([...units('Demo meter')]).toEqual([21, 31]);
  });

  it('have codes of their own, and related codes that exist', () => {
    const codes = new Set(points.map(({ point }) => point.code));
    expect(codes.size).toBe(points.length);
    const related = points.map(({ point }) => point.related_code).filter(Boolean);
    expect(related.filter((code) => !codes.has(code))).toEqual([]);
  });

  it('are of all four types, with many ways to decode', () => {
    expect(new Set(points.map(({ point }) => point.frame_type))).toEqual(new Set(Object.values(FrameType)));
    const decodes = new Set(points.flatMap(({ point }) => (point.decode ? [point.decode] : [])));
    expect([...decodes].filter((code) => !findDecode(code))).toEqual([]);
    expect(decodes.size).toBeGreaterThanOrEqual(12);
  });

  it('are fed by the model, each of them and nothing else', () => {
    const values = new PlantModel(1);
    values.step(0.5, new Map());
    const fed = points.filter((item) => item.isFed).map(({ point }) => point.code);
    expect([...values.values().keys()].sort()).toEqual([...fed].sort());
  });

  it('have a first value for every order, within its limits', () => {
    for (const { point, initial, isServed } of points) {
      expect(initial !== null, point.code).toBe(isCommandType(point.frame_type));
      if (initial === null) continue;
      expect(isServed).toBe(true);
      expect(initial).toBeGreaterThanOrEqual(point.min_limit ?? 0);
      expect(initial).toBeLessThanOrEqual(point.max_limit ?? 1);
    }
  });

  it('have holes at unit 31, and nothing served at unit 15', () => {
    const missing = points.filter((item) => !item.isServed).map(({ point }) => point.slave_id);
    expect(new Set(missing)).toEqual(new Set([15, 31]));
    expect(points.some((item) => item.isServed && item.point.slave_id === 15)).toBe(false);
  });
});
