import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PointConfig } from '../spi/index.ts';
import { bindPoints, variableOf } from './binding.ts';
import { encodeMms } from './mms/codec.ts';
import { readAnswerSize, readRequestSize } from './mms/sizes.ts';
import type { MmsResult, MmsType, MmsValue } from './mms/types.ts';
import type { IedModel } from './model/ied-model.ts';
import { ModelIndex } from './model/places.ts';
import { structure } from './model/scl/basic-types.ts';
import { typeAt } from './model/types.ts';
import { type PlanLimits, type PlannedBatch, planBatches, planSingles, smaller } from './planner.ts';
import { readingOf } from './reading.ts';
import { yc, yx } from './testing/client-bench.ts';

const FLOAT: MmsType = { kind: 'float', width: 32, exponentWidth: 8 };
const Q: MmsType = { kind: 'bit-string', size: -13 };
const T: MmsType = { kind: 'utc-time' };
const VECTOR = structure({ mag: structure({ f: FLOAT }), ang: structure({ f: FLOAT }) });
const CMV = structure({ cVal: VECTOR, q: Q, t: T });
const NODE = structure({
  ST: structure({
    Ind1: structure({ stVal: { kind: 'boolean' }, q: Q, t: T }),
    Str1: structure({ stVal: { kind: 'visible-string', size: -255 }, q: Q, t: T }),
  }),
  MX: structure({
    TotW: structure({ instMag: structure({ f: FLOAT }), mag: structure({ f: FLOAT }), q: Q, t: T }),
    PhV: structure({ phsA: CMV, phsB: CMV, phsC: CMV }),
    HA: structure({ phsAHar: { kind: 'array', count: 64, element: VECTOR }, q: Q, t: T }),
  }),
  CF: structure({ TotW: structure({ db: { kind: 'unsigned', size: 32 } }) }),
});
const PLACES = [
  ['Ind1.stVal[ST]', 1],
  ['Str1.stVal[ST]', 1],
  ['TotW.mag.f[MX]', 0],
  ['TotW.instMag.f[MX]', 0],
  ['PhV.phsA.cVal.mag.f[MX]', 0],
  ['PhV.phsA.cVal.ang.f[MX]', 0],
  ['PhV.phsB.cVal.mag.f[MX]', 0],
  ['PhV.phsC.cVal.mag.f[MX]', 0],
  ['HA.phsAHar(7).mag.f[MX]', 0],
  ['TotW.db[CF]', 0],
] as const;
const NODES = 30;

const MODEL: IedModel = {
  name: '',
  devices: [
    {
      name: 'EMS1LD0',
      instance: '',
      description: '',
      nodes: Array.from({ length: NODES }, (_, at) => ({ name: `MMXU${at}`, type: NODE, notes: null })),
      dataSets: [],
    },
  ],
  identity: null,
  configurationRevision: '',
};
const INDEX = new ModelIndex(MODEL);

const limits = (maxPduOctets: number, changes: Partial<PlanLimits> = {}): PlanLimits => ({
  maxPduOctets,
  maxVariables: Number.POSITIVE_INFINITY,
  isNarrowed: () => false,
  ...changes,
});

function pointAt(id: number, node: number, place: number): PointConfig {
  const [path, frameType] = PLACES[place] ?? PLACES[0];
  const reference = `EMS1LD0/MMXU${node}.${path}`;
  return frameType === 1 ? yx(id, reference) : yc(id, reference);
}

/** A point for each pair of a node and a place; pairs may be there twice. */
const tables = fc
  .array(fc.tuple(fc.nat(NODES - 1), fc.nat(PLACES.length - 1)), { minLength: 1, maxLength: 200 })
  .map((pairs) => pairs.map(([node, place], at) => pointAt(at + 1, node, place)));

/** A value of the largest size of its type, the number `seed` in each float. */
function largest(type: MmsType, seed: number): MmsValue {
  switch (type.kind) {
    case 'structure':
      return { kind: 'structure', items: type.components.map(({ type: part }) => largest(part, seed)) };
    case 'array':
      return { kind: 'array', items: Array.from({ length: type.count }, (_, at) => largest(type.element, seed + at)) };
    case 'boolean':
      return { kind: 'boolean', value: seed % 2 === 1 };
    case 'float':
      return { kind: 'float', value: seed, width: 32 };
    case 'bit-string':
      return { kind: 'bit-string', size: 13, octets: new Uint8Array(2) };
    case 'unsigned':
      return { kind: 'unsigned', value: 0xffff_ffff };
    case 'visible-string':
      return { kind: 'visible-string', text: 'x'.repeat(64) };
    default:
      return { kind: 'utc-time', octets: Uint8Array.of(0x65, 0xe1, 0xcb, 0x70, 0xc9, 0xfb, 0xe7, 0x8a) };
  }
}

/** What a device answers to the variables of a batch: each of them with the number of its node. */
function answer(batch: PlannedBatch): MmsResult[] {
  if (batch.kind !== 'variables') throw new Error('a data set');
  return batch.variables.map(({ name, access }) => {
    const [node = '', ...path] = name.item.split('$');
    const type = typeAt(NODE, path);
    if (!type) throw new Error(`no ${name.item}`);
    let value = largest(type, Number(node.slice(4)) * 100);
    for (let selection = access?.[0]; selection; selection = selection.inner?.[0]) {
      const { step } = selection;
      const at = step.kind === 'index' ? step.index : step.kind === 'component' ? ['mag', 'ang', 'f'].indexOf(step.name) % 2 : 0;
      if (value.kind === 'structure' || value.kind === 'array') value = value.items[at] ?? value;
    }
    return value;
  });
}

describe('laws of the planner', () => {
  it('each point is in one request; questions and answers fit a PDU; every point finds its own value', () => {
    fc.assert(
      fc.property(tables, fc.constantFrom(512, 1000, 8192, 65_000), (points, pdu) => {
        const batches = planBatches(bindPoints(points, INDEX).bound, [], limits(pdu));
        expect(batches.flatMap(({ pointIds }) => pointIds).sort((a, b) => a - b)).toEqual(points.map(({ id }) => id));
        for (const batch of batches) {
          if (batch.kind !== 'variables') throw new Error('a data set');
          const spec = { kind: 'variables', items: batch.variables } as const;
          const request = encodeMms({
            kind: 'request',
            invokeId: 0x7fff_ffff,
            request: { service: 'read', spec, withSpecification: false },
          });
          expect(request.length).toBeLessThanOrEqual(pdu);
          const results = answer(batch);
          const response = encodeMms({ kind: 'response', invokeId: 0x7fff_ffff, response: { service: 'read', spec: null, results } });
          expect(response.length).toBeLessThanOrEqual(pdu);
          let at = 0;
          for (const unit of batch.units) {
            const own = results.slice(at, at + unit.items.length);
            at += unit.items.length;
            for (const slot of unit.slots) {
              const { node, path } = slot.bound;
              const reading = readingOf(slot, own);
              const seed = Number(node.slice(4)) * 100 + (path.includes('phsAHar(7)') ? 7 : 0);
              if (path.at(-1) === 'f') expect(reading).toMatchObject({ kind: 'value', value: seed, quality: 'good' });
              if (slot.bound.hasTime) expect(reading).toMatchObject({ sourceTime: Date.UTC(2024, 2, 1, 12, 34, 56, 789) });
            }
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('requests are at most a tenth, and one, over the bound by the octets', () => {
    fc.assert(
      fc.property(tables, fc.constantFrom(1000, 2000, 8192), (points, pdu) => {
        const batches = planBatches(bindPoints(points, INDEX).bound, [], limits(pdu));
        let [request, reply] = [0, 0];
        for (const batch of batches) {
          if (batch.kind !== 'variables') continue;
          for (const unit of batch.units) {
            request += unit.requestOctets;
            reply += unit.answerOctets;
          }
        }
        const bound = Math.max(request / (pdu - readRequestSize(0)), reply / (pdu - readAnswerSize(0)));
        expect(batches.length).toBeLessThanOrEqual(Math.ceil(bound * 1.1) + 1);
      }),
      { numRuns: 200 },
    );
  });

  it('single: one request a point', () => {
    fc.assert(
      fc.property(tables, (points) => {
        const batches = planSingles(bindPoints(points, INDEX).bound, limits(65_000));
        expect(batches.map(({ pointIds }) => pointIds)).toEqual(points.map(({ id }) => [id]));
      }),
      { numRuns: 50 },
    );
  });

  it('what is too much is cut until every point stands alone, and none is lost', () => {
    fc.assert(
      fc.property(tables, (points) => {
        const open: PlannedBatch[] = planBatches(bindPoints(points, INDEX).bound, [], limits(65_000));
        const least: number[] = [];
        for (let batch = open.pop(); batch; batch = open.pop()) {
          if (batch.kind !== 'variables') throw new Error('a data set');
          const next = smaller(batch);
          if (next.length === 0) least.push(...batch.pointIds);
          else {
            expect(next.flatMap(({ pointIds }) => pointIds).sort()).toEqual([...batch.pointIds].sort());
            open.push(...next);
          }
        }
        expect(least.sort((a, b) => a - b)).toEqual(points.map(({ id }) => id));
      }),
      { numRuns: 50 },
    );
  });

  it('no request has more variables than the device was found to take', () => {
    fc.assert(
      fc.property(tables, fc.integer({ min: 3, max: 40 }), (points, maxVariables) => {
        const batches = planBatches(bindPoints(points, INDEX).bound, [], limits(65_000, { maxVariables }));
        for (const batch of batches)
          if (batch.kind === 'variables' && batch.units.length > 1) expect(batch.variables.length).toBeLessThanOrEqual(maxVariables);
      }),
      { numRuns: 100 },
    );
  });
});

describe('what is asked', () => {
  const variables = (...references: string[]) => {
    const points = references.map((reference, at) => yc(at + 1, `EMS1LD0/MMXU1.${reference}`));
    return planBatches(bindPoints(points, INDEX).bound, [], limits(65_000)).flatMap((batch) =>
      batch.kind === 'variables' ? batch.variables.map(({ name }) => name.item) : [],
    );
  };

  it('a data object once, for value, quality and time of all its points', () => {
    expect(variables('TotW.mag.f[MX]', 'TotW.instMag.f[MX]')).toEqual(['MMXU1$MX$TotW']);
  });

  it('a phase alone, all phases together', () => {
    expect(variables('PhV.phsB.cVal.mag.f[MX]')).toEqual(['MMXU1$MX$PhV$phsB']);
    const all = ['A', 'B', 'C'].map((phase) => `PhV.phs${phase}.cVal.mag.f[MX]`);
    expect(variables(...all)).toEqual(['MMXU1$MX$PhV']);
  });

  it('an element of an array with quality and time beside it, not the whole array', () => {
    expect(variables('HA.phsAHar(7).mag.f[MX]')).toEqual(['MMXU1$MX$HA$phsAHar', 'MMXU1$MX$HA$q', 'MMXU1$MX$HA$t']);
    expect(variableOf('LD', 'LN', 'MX', ['HA', 'phsAHar(7)', 'mag', 'f']).access).toEqual([
      {
        step: { kind: 'index', index: 7 },
        inner: [{ step: { kind: 'component', name: 'mag' }, inner: [{ step: { kind: 'component', name: 'f' }, inner: null }] }],
      },
    ]);
  });

  it('a setting without quality and time', () => {
    expect(variables('TotW.db[CF]')).toEqual(['MMXU1$CF$TotW$db']);
  });
});
