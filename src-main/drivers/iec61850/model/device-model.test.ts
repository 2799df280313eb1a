import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../platform/steps.ts';
import { spoken } from '../../testing/spoken.ts';
import type { MmsComponent, MmsType } from '../mms/types.ts';
import { DeviceModel } from './device-model.ts';
import type { IedModel, LogicalDevice } from './ied-model.ts';
import { structure } from './scl/basic-types.ts';
import { sclDevice } from './testing/files.ts';
import { largeModel } from './testing/large.ts';

const FLOAT: MmsType = { kind: 'float', width: 32, exponentWidth: 8 };
const BOOL: MmsType = { kind: 'boolean' };
const Q: MmsType = { kind: 'bit-string', size: -13 };
const T: MmsType = { kind: 'utc-time' };
const MV = structure({ mag: structure({ f: FLOAT }), q: Q, t: T });
const SPS = structure({ stVal: BOOL, q: Q, t: T });

function fromFile(file = 'bay.cid', ied = ''): DeviceModel {
  const model = new DeviceModel();
  model.setFile(sclDevice(file, ied).model, 0);
  return model;
}

function learnt(devices: readonly LogicalDevice[]): IedModel {
  return { name: '', devices, identity: null, configurationRevision: '' };
}

const device = (name: string, nodes: Record<string, MmsType>): LogicalDevice => ({
  name,
  instance: '',
  description: '',
  nodes: Object.entries(nodes).map(([node, type]) => ({ name: node, type, notes: null })),
  dataSets: [],
});

const names = (model: DeviceModel, reference: string | null) => model.children(reference)?.map(({ name }) => name);

describe('the tree of a file', () => {
  const model = fromFile();

  it('has devices, nodes, objects and attributes, each found in any spelling', () => {
    expect(names(model, null)).toEqual(['BAY1LD0', 'BAY1MEAS', 'Protection']);
    expect(names(model, 'BAY1MEAS')).toEqual(['LLN0', 'MMXU1', 'MMTR1', 'MHAI1']);
    expect(names(model, 'BAY1MEAS/MMXU1')).toEqual(['Beh', 'TotW', 'Hz', 'PhV']);
    expect(names(model, 'BAY1MEAS/MMXU1.TotW')).toEqual(['instMag', 'mag', 'q', 't', 'units', 'db']);
    expect(names(model, 'BAY1MEAS/MMXU1$MX$PhV$phsA')).toEqual(['cVal', 'q', 't']);
    expect(names(model, 'BAY1MEAS/MMXU1.PhV.phsA.cVal[MX]')).toEqual(['mag', 'ang']);
    expect(names(model, 'BAY1MEAS/MMXU1.PhV.phsA.cVal.mag.f')).toEqual([]);
    for (const none of ['X', 'BAY1MEAS/X1', 'BAY1MEAS/MMXU1.X', 'BAY1MEAS/MMXU1.TotW[ST]', '/']) expect(model.children(none)).toBeNull();
  });

  it('tells of each node what it is', () => {
    const [pos] = model.children('BAY1LD0/Q1CSWI1')?.filter(({ name }) => name === 'Pos') ?? [];
    expect(pos).toEqual({
      name: 'Pos',
      kind: 'data-object',
      reference: 'BAY1LD0/Q1CSWI1.Pos',
      key: null,
      constraint: null,
      type: '',
      commonDataClass: 'DPC',
      description: 'Position of the breaker',
      frameType: 2,
      childCount: 10,
    });
    expect(model.children('BAY1LD0')?.map(({ description }) => description)).toEqual(['', '', 'Breaker Q1', '']);
    const attributes = model.children('BAY1LD0/Q1CSWI1.Pos') ?? [];
    expect(attributes.map(({ name, key, type, frameType }) => [name, key, type, frameType])).toContainEqual([
      'stVal',
      'BAY1LD0/Q1CSWI1$ST$Pos$stVal',
      'Dbpos',
      1,
    ]);
    expect(attributes.find(({ name }) => name === 'q')).toMatchObject({ type: 'Quality', frameType: null });
    expect(attributes.find(({ name }) => name === 'ctlModel')).toMatchObject({ type: 'Enum', constraint: 'CF' });
  });

  it('has control blocks beside the objects', () => {
    const blocks = model.children('BAY1LD0/LLN0')?.filter(({ kind }) => kind === 'control-block');
    expect(blocks?.map(({ reference, key, constraint }) => [reference, key, constraint])).toEqual([
      ['BAY1LD0/LLN0.SGCB', 'BAY1LD0/LLN0$SP$SGCB', 'SP'],
      ['BAY1LD0/LLN0.urcbStat01', 'BAY1LD0/LLN0$RP$urcbStat01', 'RP'],
      ['BAY1LD0/LLN0.urcbStat02', 'BAY1LD0/LLN0$RP$urcbStat02', 'RP'],
      ['BAY1LD0/LLN0.brcbMeas', 'BAY1LD0/LLN0$BR$brcbMeas', 'BR'],
      ['BAY1LD0/LLN0.gcb01', 'BAY1LD0/LLN0$GO$gcb01', 'GO'],
    ]);
    expect(names(model, 'BAY1LD0/LLN0.SGCB')?.slice(0, 2)).toEqual(['NumOfSG', 'ActSG']);
  });

  it('keeps references unique where an attribute lies under two constraints', () => {
    const settings = model.children('Protection/PTOC1.StrVal') ?? [];
    expect(settings.map(({ reference }) => reference)).toEqual([
      'Protection/PTOC1.StrVal.setMag',
      'Protection/PTOC1.StrVal.setMag[SE]',
      'Protection/PTOC1.StrVal.units',
    ]);
    expect(model.children('Protection/PTOC1.StrVal.setMag[SE]')?.map(({ reference, key }) => [reference, key])).toEqual([
      ['Protection/PTOC1.StrVal.setMag.f[SE]', 'Protection/PTOC1$SE$StrVal$setMag$f'],
    ]);
  });

  it('lists the elements of an array', () => {
    const elements = model.children('BAY1MEAS/MHAI1.HA.phsAHar') ?? [];
    expect([elements.length, elements[3]?.reference, elements[3]?.key]).toEqual([
      16,
      'BAY1MEAS/MHAI1.HA.phsAHar(3)',
      'BAY1MEAS/MHAI1$MX$HA$phsAHar(3)',
    ]);
    expect(names(model, 'BAY1MEAS/MHAI1.HA.phsAHar(3)')).toEqual(['mag', 'ang']);
  });

  it('is searched by words in references and descriptions', () => {
    expect(runSteps(model.search('phsa CVAL.mag', 10)).map(({ reference }) => reference)).toEqual([
      'BAY1MEAS/MMXU1.PhV.phsA.cVal.mag',
      'BAY1MEAS/MMXU1.PhV.phsA.cVal.mag.f',
    ]);
    expect(runSteps(model.search('门开', 10)).map(({ reference }) => reference)).toEqual(['BAY1LD0/GGIO1.Ind1']);
    expect([
      runSteps(model.search('stVal', 3)).length,
      runSteps(model.search('  ', 3)),
      runSteps(model.search('nothing like it', 3)),
    ]).toEqual([3, [], []]);
  });

  it('counts, and tells where it comes from', () => {
    expect(model.status).toMatchObject({ state: 'known', source: 'file', configurationRevision: 'rev-7' });
    expect(model.status.counts).toMatchObject({ logicalDevices: 3, logicalNodes: 10, dataSets: 2 });
    const references = new Set(runSteps(model.search('a', 100_000)).map(({ reference }) => reference));
    expect(references.size).toBe(runSteps(model.search('a', 100_000)).length);
  });
});

describe('points of a model', () => {
  const model = fromFile();
  const pointOf = (reference: string) => {
    const [suggestion] = model.suggestPoints([reference]);
    return suggestion && 'point' in suggestion
      ? [suggestion.point.frame_type, suggestion.point.reference, suggestion.point.unit]
      : spoken(suggestion?.reason);
  };

  it.each([
    ['SPS', 'BAY1LD0/GGIO1.Ind1', 1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]', ''],
    ['DPS', 'BAY1LD0/GGIO1.DPInd1', 1, 'BAY1LD0/GGIO1.DPInd1.stVal[ST]', ''],
    ['INS', 'BAY1LD0/GGIO1.IntIn1', 1, 'BAY1LD0/GGIO1.IntIn1.stVal[ST]', ''],
    ['ENS', 'BAY1LD0/GGIO1.Beh', 1, 'BAY1LD0/GGIO1.Beh.stVal[ST]', ''],
    ['VSS', 'BAY1LD0/GGIO1.StrIn1', 1, 'BAY1LD0/GGIO1.StrIn1.stVal[ST]', ''],
    ['ACT', 'Protection/PTOC1.Op', 1, 'Protection/PTOC1.Op.general[ST]', ''],
    ['ACD', 'Protection/PTOC1.Str', 1, 'Protection/PTOC1.Str.general[ST]', ''],
    ['MV', 'BAY1MEAS/MMXU1.TotW', 0, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]', 'kW'],
    ['CMV', 'BAY1MEAS/MMXU1.PhV.phsA', 0, 'BAY1MEAS/MMXU1.PhV.phsA.cVal.mag.f[MX]', ''],
    ['angle of a CMV', 'BAY1MEAS/MMXU1.PhV.phsA.cVal.ang', 0, 'BAY1MEAS/MMXU1.PhV.phsA.cVal.ang.f[MX]', 'deg'],
    ['element of an array', 'BAY1MEAS/MHAI1.HA.phsAHar(2)', 0, 'BAY1MEAS/MHAI1.HA.phsAHar(2).mag.f[MX]', ''],
    ['BCR', 'BAY1MEAS/MMTR1.TotWh', 0, 'BAY1MEAS/MMTR1.TotWh.actVal[ST]', ''],
    ['SPC', 'BAY1LD0/GGIO1.SPCSO1', 2, 'BAY1LD0/GGIO1.SPCSO1[CO]', ''],
    ['DPC', 'BAY1LD0/Q1CSWI1.Pos', 2, 'BAY1LD0/Q1CSWI1.Pos[CO]', ''],
    ['INC', 'BAY1LD0/GGIO1.ISCSO1', 2, 'BAY1LD0/GGIO1.ISCSO1[CO]', ''],
    ['APC', 'BAY1LD0/GGIO1.AnOut1', 3, 'BAY1LD0/GGIO1.AnOut1[CO]', ''],
    ['value of a control', 'BAY1LD0/GGIO1.SPCSO1.Oper.ctlVal', 2, 'BAY1LD0/GGIO1.SPCSO1[CO]', ''],
    ['status of a control', 'BAY1LD0/GGIO1.SPCSO1.stVal', 1, 'BAY1LD0/GGIO1.SPCSO1.stVal[ST]', ''],
    ['a control without one', 'BAY1LD0/LLN0.Mod', 1, 'BAY1LD0/LLN0.Mod.stVal[ST]', ''],
    ['ASG', 'Protection/PTOC1.StrVal', 3, 'Protection/PTOC1.StrVal.setMag.f[SG]', ''],
    ['ASG of the edited group', 'Protection/PTOC1.StrVal.setMag[SE]', 3, 'Protection/PTOC1.StrVal.setMag.f[SE]', ''],
    ['ING', 'Protection/PTOC1.OpDlTmms', 3, 'Protection/PTOC1.OpDlTmms.setVal[SP]', ''],
    ['a dead band', 'BAY1MEAS/MMXU1.TotW.db', 3, 'BAY1MEAS/MMXU1.TotW.db[CF]', 'kW'],
    ['substitution', 'BAY1LD0/GGIO1.Ind1.subEna', 2, 'BAY1LD0/GGIO1.Ind1.subEna[SV]', ''],
  ])('%s', (_name, reference, frameType, stored, unit) => {
    expect(pointOf(reference)).toEqual([frameType, stored, unit]);
    const node = runSteps(model.search(reference, 1))[0];
    if (node?.reference === reference && node.constraint !== 'CO' && node.childCount === 0) expect(node.frameType).toBe(frameType);
  });

  it.each([
    ['BAY1MEAS/MMXU1.PhV', /A WYE has no value of its own/],
    ['BAY1LD0/GGIO1.Ind1.q', /q is no value/],
    ['BAY1LD0/LLN0.urcbStat01', /control block/],
    ['BAY1MEAS/MHAI1.HA.phsAHar', /is an array; one of its elements/],
    ['BAY1MEAS/MHAI1.HA.phsAHar.mag.f', /is an array/],
    ['BAY1LD0/GGIO1.X', /has no data object/],
    ['BAY1LD0/GGIO1', /has no data object/],
    ['nonsense..', /has no data object/],
  ])('none of %s', (reference, words) => {
    expect(pointOf(reference)).toMatch(words);
  });

  it('have codes and names of their places', () => {
    const [suggestion] = model.suggestPoints(['BAY1MEAS/MMXU1.TotW']);
    expect(suggestion).toMatchObject({ point: { code: 'BAY1MEAS.MMXU1.TotW', name: 'MMXU1.TotW' } });
    expect(model.suggestPoints(['BAY1LD0/GGIO1.Ind1'])).toMatchObject([{ point: { name: '门开 door' } }]);
  });
});

describe('a device without a file', () => {
  const model = new DeviceModel();
  const control = structure({ ctlVal: BOOL, T, Test: BOOL });
  const type = structure({
    MX: structure({ TotW: MV, PhV: structure({ phsA: structure({ cVal: structure({ mag: structure({ f: FLOAT }) }), q: Q, t: T }) }) }),
    ST: structure({ Ind1: SPS, SPCSO1: SPS, Beh: structure({ stVal: { kind: 'integer', size: 8 }, q: Q, t: T }) }),
    CO: structure({ SPCSO1: structure({ Oper: control }) }),
    CF: structure({ SPCSO1: structure({ ctlModel: { kind: 'integer', size: 8 } }) }),
  });
  model.use(learnt([device('LD', { GGIO1: type })]), 'device', 5);

  it('shows the classes its attributes suggest', () => {
    const classes = model.children('LD/GGIO1')?.map(({ name, commonDataClass }) => [name, commonDataClass]);
    expect(Object.fromEntries(classes ?? [])).toEqual({ TotW: 'MV', PhV: 'WYE', Ind1: 'SPS', SPCSO1: 'SPC', Beh: 'ENS' });
    expect(model.children('LD/GGIO1.PhV')?.map(({ kind, commonDataClass }) => [kind, commonDataClass])).toEqual([['data-object', 'CMV']]);
    expect(model.status).toMatchObject({ state: 'known', source: 'device', learnedAt: 5 });
  });
});

describe('file and device together', () => {
  it('what there is comes from the device, what it means from the file; a template is found by its instance', () => {
    const model = fromFile('relay-ed1.icd');
    const changed = structure({ ST: structure({ Ind1: SPS, Ind2: SPS }) });
    model.use(learnt([device('BAY7Relay', { GGIO1: changed, GGIO2: changed })]), 'device', 0);
    expect(names(model, 'BAY7Relay/GGIO1')).toEqual(['Ind1', 'Ind2']);
    expect(model.children('BAY7Relay/GGIO1.Ind1')?.[0]).toMatchObject({ name: 'stVal', type: 'BOOLEAN' });
    expect(runSteps(model.differences())?.items).toEqual([
      { kind: 'only-in-file', reference: 'BAY7Relay/LLN0', file: 'logical node', device: '' },
      { kind: 'only-in-device', reference: 'BAY7Relay/GGIO1$ST$Ind2', file: '', device: 'structure of 3' },
      { kind: 'only-in-device', reference: 'BAY7Relay/GGIO2', file: '', device: 'logical node' },
      { kind: 'data-set', reference: 'BAY7Relay/LLN0$all', file: '1 members', device: '' },
    ]);
  });

  it('tells types, revisions and members of data sets that differ', () => {
    const model = fromFile();
    const file = sclDevice('bay.cid').model;
    const [first, ...rest] = file.devices;
    if (!first) throw new Error('no device');
    const swap = (type: MmsType): MmsType =>
      type.kind === 'structure'
        ? {
            kind: 'structure',
            components: type.components.map((each): MmsComponent => ({ ...each, type: each.name === 'subEna' ? FLOAT : swap(each.type) })),
          }
        : type;
    const nodes = first.nodes.map((node) => ({ ...node, notes: null, type: swap(node.type) }));
    const [set, ...sets] = first.dataSets;
    const dataSets = set ? [{ ...set, members: set.members.slice(0, 3) }, ...sets] : [];
    model.use(
      { ...file, configurationRevision: 'rev-8', devices: [...rest, { ...first, nodes, dataSets, revision: 'rev-8' }] },
      'device',
      0,
    );
    expect(runSteps(model.differences())).toEqual({
      items: [
        { kind: 'revision', reference: 'BAY1LD0', file: 'rev-7', device: 'rev-8' },
        { kind: 'type', reference: 'BAY1LD0/LPHD1$SV$Proxy$subEna', file: 'BOOLEAN', device: 'FLOAT32' },
        { kind: 'type', reference: 'BAY1LD0/GGIO1$SV$Ind1$subEna', file: 'BOOLEAN', device: 'FLOAT32' },
        { kind: 'type', reference: 'BAY1LD0/GGIO1$SV$Ind2$subEna', file: 'BOOLEAN', device: 'FLOAT32' },
        { kind: 'data-set', reference: 'BAY1LD0/LLN0$dsStat', file: 'member 4: BAY1LD0/Q1CSWI1$ST$Pos$q', device: '3 members' },
      ],
      more: 0,
    });
  });

  it('the order of logical devices is no difference, each has its own revision', () => {
    const model = fromFile();
    const file = sclDevice('bay.cid').model;
    const revised = file.devices.map((each, place) => ({ ...each, revision: `r${place}` }));
    model.setFile({ ...file, devices: revised, configurationRevision: 'r0,r1,r2' }, 0);
    model.use({ ...file, devices: [...revised].reverse(), configurationRevision: 'r2,r1,r0' }, 'device', 0);
    expect(runSteps(model.differences())).toEqual({ items: [], more: 0 });
    const [first, ...rest] = revised;
    model.use({ ...file, devices: [...rest, { ...first, revision: 'r9' } as LogicalDevice] }, 'device', 0);
    expect(runSteps(model.differences())?.items).toEqual([{ kind: 'revision', reference: first?.name, file: 'r0', device: 'r9' }]);
  });

  it('has none while one of both is missing, and is bounded', () => {
    const model = fromFile();
    expect(runSteps(model.differences())).toBeNull();
    const nodes = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`GGIO${at}`, SPS]));
    model.use(learnt([device('BAY1LD0', nodes)]), 'device', 0);
    const found = runSteps(model.differences());
    expect(found?.items.length).toBe(500);
    expect(found?.more).toBeGreaterThan(200);
  });
});

describe('a file and a device of many logical devices', () => {
  const COUNT = 2_000;
  const many = (prefix: string, from = 0): LogicalDevice[] =>
    Array.from({ length: COUNT }, (_, at) => ({ ...device(`${prefix}LD${from + at}x`, { GGIO1: SPS }), instance: `LD${from + at}x` }));
  const known = () => {
    const model = new DeviceModel();
    model.setFile(learnt(many('TEMPLATE')), 0);
    model.use(learnt(many('REAL')), 'device', 0);
    return model;
  };

  it('are compared in steps, of which none looks at all of them: by their instances as well as by their names', () => {
    const model = known();
    let nodes = 0;
    const steps = model.differences();
    while (!steps.next().done) nodes += 1;
    // each device of both, and each node, is a step of its own
    expect(nodes).toBeGreaterThan(3 * COUNT);
    expect(runSteps(model.differences())).toEqual({ items: [], more: 0 });
    model.use(learnt(many('REAL', COUNT - 1)), 'device', 0);
    const { items, more } = runSteps(model.differences()) ?? { items: [], more: 0 };
    expect([items[0]?.reference, items.length + more]).toEqual(['TEMPLATELD0x', 2 * (COUNT - 1)]);
  });

  it('that change while they are compared are compared as they are then', () => {
    const model = known();
    const steps = model.differences();
    for (let at = 0; at < COUNT; at++) steps.next();
    model.use(learnt(many('REAL', COUNT)), 'device', 0);
    const found = runSteps(steps);
    expect((found?.items.length ?? 0) + (found?.more ?? 0)).toBe(2 * COUNT);
    const other = known();
    const again = other.differences();
    for (let at = 0; at < COUNT; at++) again.next();
    other.setFile(null, 0);
    expect(runSteps(again)).toBeNull();
  });

  it('are shown with the last step of a take-over; until then what was known is', () => {
    const model = new DeviceModel();
    model.use(learnt(many('OLD')), 'device', 1);
    const before = { status: model.status, revision: model.revision };
    const steps = model.stepsOfUse(learnt(many('NEW').slice(0, 1_000)), 'device', 2);
    let count = 0;
    while (!steps.next().done) {
      expect({ status: model.status, revision: model.revision }).toEqual(before);
      expect(model.children(null)?.length).toBe(COUNT);
      count += 1;
    }
    expect(count).toBeGreaterThan(1_000);
    expect(model.status).toMatchObject({ learnedAt: 2, counts: { logicalDevices: 1_000, logicalNodes: 1_000, attributes: 3_000 } });
    expect([model.index.node('OLDLD0x', 'GGIO1'), model.revision]).toEqual([null, before.revision + 1]);
  });

  it('taken over side by side are both there: a file that came while a device was put in order is not lost', () => {
    const model = new DeviceModel();
    const steps = model.stepsOfUse(learnt(many('REAL')), 'device', 2);
    for (let at = 0; at < COUNT; at++) steps.next();
    const notes = { description: 'words', objects: new Map(), values: new Map(), descriptions: new Map() };
    const described = many('REAL').map((each) => ({ ...each, nodes: each.nodes.map((node) => ({ ...node, notes })) }));
    model.setFile(learnt(described), 1);
    expect(model.status.source).toBe('file');
    runSteps(steps);
    expect(model.status).toMatchObject({ source: 'device', learnedAt: 2 });
    expect(model.children('REALLD7x')?.[0]?.description).toBe('words');
  });

  it('take data sets that are told anew and keep the rest as it is', () => {
    const model = known();
    const { index } = model;
    const set = { item: 'LLN0$ds', members: ['REALLD7x/GGIO1$ST$stVal'], isDeletable: true };
    model.replaceDataSets(new Map([['REALLD7x', [set]]]), 9);
    expect(model.dataSets()).toEqual([{ name: 'REALLD7x/LLN0$ds', members: set.members, isDeletable: true }]);
    expect(model.status).toMatchObject({
      source: 'device',
      learnedAt: 9,
      counts: { dataSets: 1, logicalDevices: COUNT, attributes: 3 * COUNT },
    });
    expect(model.index.device('REALLD7x')?.dataSets).toEqual([set]);
    expect(model.index.node('REALLD7x', 'GGIO1')).toBe(index.node('REALLD7x', 'GGIO1'));
    expect(model.device?.devices[7]?.dataSets).toEqual([set]);
  });
});

it('a model of 50,000 attributes is counted, opened and searched to its end', () => {
  const model = new DeviceModel();
  model.use(largeModel(), 'device', 0);
  expect(model.status.counts.attributes).toBeGreaterThan(50_000);
  expect(model.children('LD')?.length).toBe(520);
  expect(model.children('LD/GGIO7.Obj7x3')?.length).toBe(6);
  expect(runSteps(model.search('obj519x23 nothing', 100))).toEqual([]);
});
