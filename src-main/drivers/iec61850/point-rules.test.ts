import { describe, expect, it } from 'vitest';
import type { FrameType } from '#shared/domain/enums.ts';
import type { PointDraft } from '../spi/index.ts';
import { DeviceModel } from './model/device-model.ts';
import { sclDevice } from './model/testing/files.ts';
import { addressSpan, isControlPoint, normalizeIec61850Point } from './point-rules.ts';
import { yc } from './testing/client-bench.ts';

const draft = (frameType: FrameType, reference: string, changes: Partial<PointDraft> = {}): PointDraft => ({
  ...yc(1, reference),
  frame_type: frameType,
  name: undefined,
  address: undefined,
  slave_id: undefined,
  func_code: undefined,
  decode: undefined,
  ...changes,
});

const model = new DeviceModel();
model.setFile(sclDevice('bay.cid').model, 0);

const stored = (frameType: FrameType, reference: string, known: DeviceModel | null) => {
  const { point, issues, warnings } = normalizeIec61850Point(draft(frameType, reference), known);
  return issues[0]?.message ?? warnings[0]?.message ?? point.reference;
};

describe('a point without a model', () => {
  it.each([
    [1, 'LD/GGIO1.Ind1.stVal', 'LD/GGIO1.Ind1.stVal[ST]'],
    [0, 'LD/MMXU1.PhV.phsA.cVal.mag.f', 'LD/MMXU1.PhV.phsA.cVal.mag.f[MX]'],
    [3, 'LD/PTOC1.StrVal.setMag.f', 'LD/PTOC1.StrVal.setMag.f[SP]'],
    [2, 'LD/GGIO1.SPCSO1.Oper.ctlVal', 'LD/GGIO1.SPCSO1[CO]'],
    [2, 'LD/GGIO1.SPCSO1', 'LD/GGIO1.SPCSO1[CO]'],
    [1, 'LD/GGIO1.Ind1', 'LD/GGIO1.Ind1[ST]'],
    [0, 'LD/MMXU1.TotW', 'LD/MMXU1.TotW[MX]'],
    [0, 'LD/MMXU1.TotW.vendorValue', /functional constraint of LD\/MMXU1.TotW.vendorValue is not known/],
    [2, 'LD/GGIO1.Ind1.stVal', /nothing is written under ST/],
    [0, 'LD/GGIO1.SPCSO1.Oper.ctlVal[CO]', /CO has no values/],
  ] as [FrameType, string, string | RegExp][])('type %i, %s', (frameType, reference, wanted) => {
    const text = stored(frameType, reference, null);
    if (typeof wanted === 'string') expect(text).toBe(wanted);
    else expect(text).toMatch(wanted);
  });
});

describe('a point with a model', () => {
  it.each([
    [1, 'BAY1LD0/GGIO1.SPCSO1', 'BAY1LD0/GGIO1.SPCSO1.stVal[ST]'],
    [2, 'BAY1LD0/GGIO1.SPCSO1', 'BAY1LD0/GGIO1.SPCSO1[CO]'],
    [2, 'BAY1LD0/GGIO1.SPCSO1.Oper[CO]', 'BAY1LD0/GGIO1.SPCSO1[CO]'],
    [3, 'BAY1LD0/GGIO1.AnOut1', 'BAY1LD0/GGIO1.AnOut1[CO]'],
    [0, 'BAY1LD0/GGIO1.AnOut1', 'BAY1LD0/GGIO1.AnOut1.mxVal.f[MX]'],
    [0, 'BAY1MEAS/MMXU1.TotW.mag', 'BAY1MEAS/MMXU1.TotW.mag.f[MX]'],
    [3, 'Protection/PTOC1.StrVal[SE]', 'Protection/PTOC1.StrVal.setMag.f[SE]'],
    [3, 'BAY1MEAS/MMXU1.TotW.db', 'BAY1MEAS/MMXU1.TotW.db[CF]'],
    [0, 'BAY1LD0/GGIO1.Ind1.subEna', /is a BOOLEAN, which is a state; use a YX/],
    [1, 'BAY1LD0/LLN0.SGCB', /is a control block, which has no value of its own/],
    [1, 'BAY1LD0/GGIO1.Ind1[MX]', /the model of the device has no BAY1LD0\/GGIO1.Ind1\[MX\]/],
    [2, 'Protection/PTOC1.StrVal.setMag.f[SE]', /is a FLOAT32; a YK sets/],
    [2, 'BAY1LD0/Q1CSWI1.Pos.stVal', /nothing is written under ST/],
  ] as [FrameType, string, string | RegExp][])('type %i, %s', (frameType, reference, wanted) => {
    const text = stored(frameType, reference, model);
    if (typeof wanted === 'string') expect(text).toBe(wanted);
    else expect(text).toMatch(wanted);
  });

  it('fills in what the protocol has no use for, and checks the scale', () => {
    const { point, issues } = normalizeIec61850Point(
      draft(0, 'BAY1MEAS/MMXU1.TotW', { code: 'P', mul_coe: 0, min_limit: 5, max_limit: 1 }),
      model,
    );
    expect(point).toMatchObject({ name: 'P', address: 0, slave_id: 1, func_code: null, decode: '' });
    expect(issues.map(({ path }) => path)).toEqual(['mul_coe', 'min_limit']);
  });

  it('a model made of the points themselves says nothing about others', () => {
    const served = new DeviceModel();
    served.use(sclDevice('bay.cid').model, 'table', 0);
    expect(stored(0, 'NEWLD0/MMXU1.TotW.mag.f', served)).toBe('NEWLD0/MMXU1.TotW.mag.f[MX]');
  });
});

it('two points are one place by their reference; control objects are told by theirs', () => {
  expect(addressSpan(yc(1, 'LD/A.B.c[MX]'))).toEqual({ space: 'LD/A.B.c[MX]', length: 1 });
  expect(['LD/A.B[CO]', 'LD/A.B.c[SP]', ''].map((reference) => isControlPoint({ reference }))).toEqual([true, false, false]);
});
