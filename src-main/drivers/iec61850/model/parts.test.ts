import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../platform/steps.ts';
import type { IedModel } from './ied-model.ts';
import { modelOf, partsOf, type SentPart } from './parts.ts';
import { readSclDevice } from './scl/device.ts';
import { openScl } from './scl/file.ts';
import { sclDevice } from './testing/files.ts';
import { largeModel, manyDevices } from './testing/large.ts';
import { TypePool } from './types.ts';

/** A model as it comes out of another thread: each part is copied for itself. */
function sent(model: IedModel, pool = new TypePool()): IedModel {
  const parts = [...partsOf(model)].map((part): SentPart => structuredClone(part));
  return runSteps(modelOf(parts, pool));
}

/** Attributes, values and members in a part: what it takes to read it. */
function sizeOf(part: SentPart): number {
  return JSON.stringify(part, (_key, value) => (value instanceof Map ? [...value] : value)).length;
}

const many = readSclDevice(openScl('many.scd', manyDevices(60)), '').model;
const MODELS: readonly (readonly [name: string, model: IedModel])[] = [
  ['bay.cid', sclDevice('bay.cid').model],
  ['relay-ed1.icd', sclDevice('relay-ed1.icd').model],
  ['60 logical devices', many],
  ['a node of each type', largeModel()],
  ['nothing', { name: '', devices: [], identity: null, configurationRevision: '' }],
  ['what a device told', { ...sclDevice('bay.cid').model, configuration: new Map([['LD/A$CF$B', '1']]), unordered: new Set(['LD/A$ST']) }],
];

describe('a model that is sent in parts', () => {
  it.each(MODELS)('is the same: %s', (_name, model) => {
    expect(sent(model)).toEqual(model);
  });

  it('shares types and objects of its nodes as before, also between parts, and its types with others of their pool', () => {
    const pool = new TypePool();
    const [first, second] = [sent(many, pool), sent(many, pool)];
    const nodes = first.devices.flatMap((device) => device.nodes.filter(({ name }) => name !== 'LLN0'));
    expect([...partsOf(many)].length).toBeGreaterThan(1);
    expect(new Set(nodes.map(({ type }) => type)).size).toBe(1);
    expect(new Set(nodes.map(({ notes }) => notes?.objects)).size).toBe(1);
    expect(new Set([...(nodes[0]?.notes?.objects.values() ?? [])]).size).toBe(1);
    expect(second.devices[7]?.nodes[3]?.type).toBe(nodes[0]?.type);
  });

  it('has no part that takes long to read, and a step for each', () => {
    const model = largeModel();
    const longest = Math.max(...[...partsOf(many), ...partsOf(model)].map(sizeOf));
    expect(longest).toBeLessThan(150_000);
    const steps = modelOf([...partsOf(model)], new TypePool());
    let count = 0;
    while (!steps.next().done) count += 1;
    expect(count).toBe([...partsOf(model)].length);
    expect(count).toBeGreaterThan(30);
  });

  it('with a part missing is no model', () => {
    const [, ...rest] = partsOf(many);
    expect(() => runSteps(modelOf(rest, new TypePool()))).toThrow(TypeError);
  });
});
