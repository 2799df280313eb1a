import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { runSteps } from '../../platform/steps.ts';
import { exchangeContext } from '../testing/sinks.ts';
import { spoken } from '../testing/spoken.ts';
import type { DeviceModel } from './model/device-model.ts';
import { sclText } from './model/testing/files.ts';
import { manyDevices } from './model/testing/large.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { readCapture } from './testing/captures.ts';
import { ClientBench, sclDocument, watched, yc, yk, yt, yx } from './testing/client-bench.ts';

const bay = (options: ConstructorParameters<typeof ServedChannel>[0] = {}) =>
  new ServedChannel({ document: sclDocument('bay.cid'), ...options });

const IND1 = yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
const POS = yx(2, 'BAY1LD0/Q1CSWI1.Pos.stVal[ST]');
const TOTW = yc(3, 'BAY1MEAS/MMXU1.TotW.mag.f[MX]');
const WH = yc(4, 'BAY1MEAS/MMTR1.TotWh.actVal[ST]');
const BEH = yx(5, 'BAY1LD0/GGIO1.Beh.stVal[ST]');
const DELAY = yt(6, 'Protection/PTOC1.OpDlTmms.setVal[SP]');
const ALL = [IND1, POS, TOTW, WH, BEH, DELAY];

describe('a large model that was learnt', () => {
  const many = () => new ServedChannel({ document: { name: 'many.scd', text: manyDevices(60) } });
  /** Calls back in the middle of the taking over of each model. */
  const inTheMiddle = (model: DeviceModel, call: () => void) => {
    const steps = model.stepsOfUse.bind(model);
    model.stepsOfUse = function* (...taken) {
      const taking = steps(...taken);
      for (let at = 0; !taking.next().done; at++) {
        if (at === 20) call();
        yield;
      }
    };
  };

  it('is shown as a whole, and is being learnt until then', async () => {
    const bench = new ClientBench(many());
    const seen: unknown[] = [];
    inTheMiddle(bench.model, () => {
      const { state, counts } = bench.model.status;
      seen.push([state, counts.logicalDevices, bench.model.children(null), runSteps(bench.model.search('ld', 9)), bench.model.dataSets()]);
    });
    await bench.start();
    expect(seen).toEqual([['learning', 0, [], [], []]]);
    const { state, counts } = bench.model.status;
    expect([state, counts.logicalDevices, counts.logicalNodes, counts.dataSets]).toEqual(['known', 60, 660, 60]);
    expect(await bench.value(yx(1, 'STATIONLD59/GGIO10.Ind8.stVal[ST]'))).toMatchObject({ quality: 'good' });
  });

  const manyPoints = (count: number) =>
    Array.from({ length: count }, (_, at) =>
      yx(at + 1, `STATIONLD${at % 60}/GGIO${1 + (Math.floor(at / 60) % 10)}.Ind${1 + Math.floor(at / 600)}.stVal[ST]`),
    );

  it('is planned for in steps: the same plan as at once', async () => {
    const points = manyPoints(4_800);
    const { client } = await ClientBench.open(many(), { points });
    for (const mode of ['batch', 'single'] as const) {
      const options = { mode, skipKnownHoles: false };
      const steps = client.planSteps(points, options);
      let count = 0;
      let step = steps.next();
      for (; !step.done; step = steps.next()) count += 1;
      const plan = client.plan(points, options);
      expect(step.value).toEqual(plan);
      expect(plan.batches.flatMap(({ pointIds }) => pointIds).toSorted((one, other) => one - other)).toEqual(points.map(({ id }) => id));
      // bound, put together and packed
      expect(count).toBeGreaterThan(200);
    }
  });

  it('has its data sets read for the table as it is, also where that changes while its points are looked for', async () => {
    const points = manyPoints(1_200);
    const bench = await ClientBench.open(many(), { points });
    const others = points.map((point) => ({ ...point, id: point.id + 10_000 }));
    bench.client.pointsChanged(watched(points, 900, () => bench.client.pointsChanged(others)));
    const reading = bench.client.dataSets.read('STATIONLD7/LLN0$dsStat', exchangeContext());
    await bench.rest();
    expect((await reading).readings.map(({ pointId }) => pointId)).toEqual([10_008, 10_068, 10_128, 10_188]);
    expect(bench.client.dataSets.pointIds('STATIONLD7/LLN0$dsStat')).toEqual([10_008, 10_068, 10_128, 10_188]);
  });

  it('and whose association ends meanwhile is not taken over; the next one has it', async () => {
    const served = many();
    const bench = new ClientBench(served);
    inTheMiddle(bench.model, () => void bench.client.close());
    await bench.start();
    expect(bench.model.device).toBeNull();
    expect(bench.model.status).toMatchObject({ state: 'failed', counts: { logicalDevices: 0 } });
    expect(spoken(bench.model.status.error)).toBe('The connection ended before the model was learnt.');
    expect(bench.notices).toEqual([]);
    const next = await ClientBench.open(served);
    expect(next.model.status.counts.logicalDevices).toBe(60);
  });
});

describe('learning the model', () => {
  it('one type a logical node, behind the start; what was learnt is what is served', async () => {
    const bench = await ClientBench.open(bay());
    expect(bench.model.status).toMatchObject({ state: 'known', source: 'device', configurationRevision: 'rev-7' });
    expect(bench.model.status.identity).toEqual({ vendor: 'ACME', model: 'BC-7', revision: '1.2' });
    const { logicalDevices, logicalNodes, dataSets } = bench.model.status.counts;
    expect([logicalDevices, logicalNodes, dataSets]).toEqual([3, 10, 2]);
    expect(bench.count('type')).toBe(logicalNodes);
    // domains, then variables and data sets of each
    expect(bench.count('names')).toBe(1 + 2 * logicalDevices);
    expect(bench.count('directory')).toBe(dataSets);
    // revisions, units and scales, report control blocks
    expect([bench.count('identify'), bench.count('read')]).toEqual([1, 3]);
    expect(bench.notices).toEqual([]);
  });

  it('with a file: no differences, and the words of the file', async () => {
    const bench = await ClientBench.open(bay(), { document: sclDocument('bay.cid') });
    expect(runSteps(bench.model.differences())).toEqual({ items: [], more: 0 });
    expect(await bench.value(BEH)).toMatchObject({ value: 1, valueText: 'on' });
  });

  it('is not done when the settings say so', async () => {
    const bench = await ClientBench.open(bay(), { protocol: { learn_model: false } });
    expect([bench.asked, bench.model.status.state]).toEqual([[], 'unknown']);
    expect(await bench.value(TOTW)).toMatchObject({ value: 1234.5, quality: 'good' });
    await bench.operate('browse');
    expect(bench.model.status.state).toBe('known');
  });

  it('is not done again for the same device and revision', async () => {
    const served = bay();
    const first = await ClientBench.open(served);
    const second = await ClientBench.open(served, { memory: first.memory });
    expect(second.model.status).toMatchObject({ state: 'known', source: 'cache' });
    // structures that data sets have values of are compared
    expect([second.count('type'), second.count('identify'), second.count('read'), second.count('names')]).toEqual([3, 1, 1, 4]);
    await second.operate('browse');
    expect(second.count('type')).toBe(13);
  });

  it('pages through long name lists', async () => {
    const bench = await ClientBench.open(bay(), { protocol: { max_pdu_size: 1000 } });
    expect(bench.model.status.counts.logicalNodes).toBe(10);
    expect(bench.count('names')).toBeGreaterThan(10);
  });

  it('asks the parts of what does not fit a PDU, down to the data object', async () => {
    const whole = await ClientBench.open(bay());
    const bench = await ClientBench.open(bay(), { protocol: { max_pdu_size: 400 } });
    expect(bench.model.status.state).toBe('known');
    const attributes = (of: ClientBench) =>
      of.model
        .children('BAY1LD0/Q1CSWI1.Pos')
        ?.map(({ name }) => name)
        .sort();
    expect(attributes(bench)).toEqual(attributes(whole));
    expect(bench.count('type')).toBeGreaterThan(10);
  });

  it('a device that does not answer Identify is learnt all the same', async () => {
    const bench = new ClientBench(bay({ faults: { silent: ['identify'] } }));
    const started = bench.start();
    await bench.served.clock.advance(1500);
    await started;
    await bench.rest();
    expect(bench.model.status).toMatchObject({ state: 'known', identity: null });
    expect(bench.losses).toEqual([]);
  });

  it('a device that stops answering: told, and what is known stays', async () => {
    const bench = new ClientBench(bay({ faults: { silent: ['get-name-list'] } }));
    await bench.start();
    await bench.served.clock.advance(60_000);
    expect(bench.model.status.state).toBe('failed');
    expect(spoken(bench.model.status).error).toMatch(/did not answer/);
  });

  it('a connection that ends while it is learnt', async () => {
    const bench = new ClientBench(bay({ faults: { closeAfterAnswers: 6 } }));
    await bench.start();
    expect(bench.model.status.state).toBe('failed');
    expect(bench.losses.map(({ code }) => code)).toEqual([expect.stringMatching(/^(TRANSPORT|PROTOCOL|FRAME)_/)]);
  });
});

describe('reading points', () => {
  it('takes value, quality and time together, all objects in one request', async () => {
    const bench = await ClientBench.open(bay({ points: [] }));
    const before = bench.count('read');
    const readings = await bench.read(ALL);
    expect(bench.count('read') - before).toBe(1);
    const values = Object.fromEntries(
      [...readings].map(([id, reading]) => [id, reading.kind === 'value' ? reading.value : reading.error.message]),
    );
    expect(values).toEqual({ 1: 1, 2: 1, 3: 1234.5, 4: 9_007_199_254_740_992, 5: 1, 6: 250 });
    expect(readings.get(4)).toMatchObject({ valueText: '9007199254740993', quality: 'good', flags: [], sourceTime: null });
  });

  it('single: one request a point', async () => {
    const bench = await ClientBench.open(bay());
    const before = bench.count('read');
    const plan = bench.client.plan(ALL, { mode: 'single', skipKnownHoles: false });
    expect(plan.batches.map(({ pointIds }) => pointIds)).toEqual(ALL.map(({ id }) => [id]));
    const readings = await bench.read(ALL, 'single');
    expect(bench.count('read') - before).toBe(ALL.length);
    expect([...readings.values()].every(({ kind }) => kind === 'value')).toBe(true);
  });

  it('without a model the value, its quality and its time are asked by name', async () => {
    const bench = await ClientBench.open(bay(), { protocol: { learn_model: false } });
    const readings = await bench.read([...ALL, yx(9, 'BAY1LD0/GGIO1.Nothing.stVal[ST]'), yx(10, 'BAY1LD0/GGIO1.Ind1[ST]')]);
    expect(readings.get(3)).toMatchObject({ kind: 'value', value: 1234.5 });
    expect(readings.get(9)).toMatchObject({
      kind: 'failure',
      error: { code: 'DEVICE_REJECTED', message: expect.stringContaining('object-non-existent (10)') },
    });
    expect(readings.get(10)).toMatchObject({ kind: 'failure', error: { code: 'CONFIG_INVALID' } });
    expect(bench.count('read')).toBe(1);
  });

  it('a data object means its value, scale and reverse are applied, elements of arrays are read alone', async () => {
    const bench = await ClientBench.open(bay());
    expect(await bench.value(yc(1, 'BAY1MEAS/MMXU1.TotW', { mul_coe: 0.5, add_coe: 1 }))).toMatchObject({ value: 618.25 });
    expect(await bench.value(yx(1, 'BAY1LD0/GGIO1.Ind1', { reverse: true }))).toMatchObject({ value: 0 });
    expect(await bench.value(yc(1, 'BAY1MEAS/MHAI1.HA.phsAHar(3).mag.f[MX]'))).toMatchObject({ value: 0, quality: 'good' });
    expect(await bench.value(yx(1, 'BAY1LD0/GGIO1.StrIn1'))).toMatchObject({ value: 0, valueText: '' });
  });

  it.each([
    ['a name the device has not', yc(1, 'BAY1MEAS/MMXU9.TotW.mag.f[MX]'), /object-non-existent \(10\)/],
    ['a constraint it does not lie under', yc(1, 'BAY1MEAS/MMXU1.TotW.mag.f[ST]'), /object-non-existent \(10\)/],
    ['a control object', yk(1, 'BAY1LD0/GGIO1.SPCSO1[CO]'), /commands a control object/],
    ['no reference', yc(1, ''), /no reference/],
    ['an object without a value', yc(1, 'BAY1MEAS/MMXU1.PhV[MX]'), /has no value by its class WYE/],
  ])('%s fails alone', async (_name, wrong, words) => {
    const bench = await ClientBench.open(bay());
    const readings = await bench.read([{ ...wrong, id: 99 }, IND1]);
    expect(readings.get(99)).toMatchObject({ kind: 'failure', error: { message: expect.stringMatching(words) } });
    expect(readings.get(1)).toMatchObject({ kind: 'value', value: 1 });
  });

  it('a structure the device does not give is read by its leaves, and remembered', async () => {
    const served = bay({ faults: { accessErrors: new Map([['BAY1LD0/GGIO1$ST$Ind1', 9]]) } });
    const bench = await ClientBench.open(served);
    const before = bench.count('read');
    const revision = bench.client.planRevision;
    expect((await bench.read([IND1, POS])).get(1)).toMatchObject({ kind: 'value', value: 1 });
    expect(bench.count('read') - before).toBe(2);
    expect(bench.client.planRevision).toBeGreaterThan(revision);
    expect((await bench.read([IND1, POS])).get(1)).toMatchObject({ kind: 'value', value: 1 });
    expect(bench.count('read') - before).toBe(3);
  });

  it('an access that is denied is told in words', async () => {
    const served = bay({ faults: { accessErrors: new Map([['BAY1LD0/GGIO1$ST$Ind1$stVal', 3]]) } });
    const bench = await ClientBench.open(served, { protocol: { learn_model: false } });
    expect(await bench.value(IND1)).toMatch(/object-access-denied \(3\)/);
  });

  it('a request that is never answered fails after its time, another one finds the association', async () => {
    const bench = await ClientBench.open(bay({ faults: { silent: ['read'] } }), { protocol: { learn_model: false } });
    const plan = bench.client.plan([IND1], { mode: 'batch', skipKnownHoles: false });
    const [batch] = plan.batches;
    if (!batch) throw new Error('no batch');
    const answer = bench.client.read(batch, exchangeContext());
    const failed = expect(answer).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    await bench.served.clock.advance(1100);
    await failed;
    expect((await bench.operate('identify')).outcome).toBe('accepted');
  });
});

describe('settings', () => {
  it('are written as the type of the device has them, and show what was taken', async () => {
    const bench = await ClientBench.open(bay());
    const result = await bench.command(DELAY, 300.4);
    expect(result).toMatchObject({ outcome: 'accepted', refusal: null, stages: [{ name: 'sent' }, { name: 'confirmed' }] });
    expect(await bench.value(DELAY)).toMatchObject({ value: 300 });
    expect(bench.applied).toMatchObject([{ pointId: 6, value: 300.4 }]);
  });

  it('a structure means the number in it; without a model the type is asked for', async () => {
    const bench = await ClientBench.open(bay(), { protocol: { learn_model: false } });
    const band = yt(7, 'BAY1MEAS/MMXU1.TotW.db[CF]', { mul_coe: 0.1 });
    expect(await bench.command(band, 25)).toMatchObject({ outcome: 'accepted' });
    expect(await bench.value(band)).toMatchObject({ value: 25 });
    expect(bench.count('type')).toBe(1);
  });

  it.each([
    ['out of range', yt(1, 'Protection/PTOC1.OpDlTmms.setVal[SP]'), 3e9, 'CONFIG_RANGE'],
    ['of another type', yk(1, 'BAY1LD0/GGIO1.Ind1.subEna[SV]'), 2, 'CONFIG_RANGE'],
    ['of a control object out of range', yk(1, 'BAY1LD0/GGIO1.SPCSO1[CO]'), 2, 'CONFIG_RANGE'],
    ['without a reference', yk(1, 'x'), 1, 'CONFIG_INVALID'],
  ])('a value %s is refused before anything is sent', async (_name, one, value, code) => {
    const bench = await ClientBench.open(bay());
    await expect(bench.command(one, value)).rejects.toMatchObject({ code });
    expect(bench.count('write')).toBe(0);
  });

  it('a refusal is the answer, with its words', async () => {
    const served = bay({ faults: { accessErrors: new Map([['Protection/PTOC1$SP$OpDlTmms$setVal', 3]]) } });
    const bench = await ClientBench.open(served);
    expect(spoken(await bench.command(DELAY, 1))).toMatchObject({
      outcome: 'rejected',
      refusal: { kind: 'data-access-error', detail: 'object-access-denied (3)' },
      stages: [{ name: 'sent' }],
    });
  });

  it('a silence leaves it unknown', async () => {
    const bench = await ClientBench.open(bay({ faults: { silent: ['write'] } }));
    const done = bench.command(DELAY, 1);
    await bench.served.clock.advance(1100);
    expect(await done).toMatchObject({ outcome: 'unknown', failure: { code: 'TIMEOUT_RESPONSE' } });
    expect(bench.count('write')).toBe(1);
  });

  it('a connection that ends over a command leaves it unknown as well', async () => {
    const bench = await ClientBench.open(bay({ faults: { silent: ['write'] } }));
    const done = bench.client.execute({ point: DELAY, step: 'operate', value: 1, options: {} }, exchangeContext());
    await bench.rest();
    const closed = bench.client.close();
    await bench.served.clock.advance(10_000);
    await closed;
    expect(await done).toMatchObject({ outcome: 'unknown' });
    await expect(bench.command(DELAY, 1)).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
  });
});

describe('reports', () => {
  it('that come while a write waits for its answer are taken for no answer, and told', async () => {
    const bench = await ClientBench.open(bay(), { points: ALL });
    const report = readCapture('52').events.find(({ from, text }) => from === 'server' && text.includes('InformationReport'));
    const done = bench.client.execute({ point: DELAY, step: 'operate', value: 7, options: {} }, exchangeContext());
    bench.inject(report?.bytes ?? new Uint8Array(0));
    await bench.rest();
    expect(await done).toMatchObject({ outcome: 'accepted' });
    expect(bench.notices).toEqual(['Reports of brcbStat come that were not enabled here; their values are not taken.']);
    expect(bench.losses).toEqual([]);
  });

  it('of blocks that the device does not let be reserved are refused by it, and nothing else was written', async () => {
    const served = bay({ faults: { accessErrors: new Map([['BAY1LD0/LLN0$RP$urcbStat01$Resv', 9]]) } });
    const bench = await ClientBench.open(served);
    const result = await bench.operate('enable_report', { block: 'BAY1LD0/LLN0.urcbStat01[RP]' });
    expect(result).toMatchObject({ outcome: 'rejected' });
    expect(bench.count('write')).toBe(1);
    const { outcome, result: listed } = await bench.operate('report_blocks', {});
    expect([outcome, (listed.blocks as unknown[]).length > 1]).toEqual(['accepted', true]);
  });
});

describe('data sets', () => {
  it('are known by name, and give a scalar for each leaf', async () => {
    const bench = await ClientBench.open(bay(), { points: ALL, document: sclDocument('bay.cid') });
    expect(bench.client.dataSets.names()).toEqual(['BAY1LD0/LLN0$dsMeas', 'BAY1LD0/LLN0$dsStat']);
    const reading = bench.client.dataSets.read('BAY1LD0/LLN0.dsStat', exchangeContext());
    await bench.rest();
    const { values, readings } = await reading;
    expect(Object.fromEntries(values)).toMatchObject({
      'BAY1LD0/GGIO1$ST$Ind1$stVal': true,
      'BAY1LD0/GGIO1$ST$Ind1$q': 'good',
      'BAY1LD0/GGIO1$ST$Ind1$t': null,
      'BAY1LD0/Q1CSWI1$ST$Pos$stVal': 'on',
      'BAY1LD0/Q1CSWI1$ST$Pos$q': 'good',
    });
    expect(readings).toMatchObject([
      { pointId: 1, value: 1 },
      { pointId: 2, value: 1, sourceTime: null },
    ]);
  });

  it('one that no model has is asked for its members; one the device has not is its error', async () => {
    const bench = await ClientBench.open(bay(), { protocol: { learn_model: false } });
    const reading = bench.client.dataSets.read('BAY1LD0/LLN0$dsMeas', exchangeContext());
    await bench.rest();
    expect(Object.fromEntries((await reading).values)).toEqual({
      'BAY1MEAS/MMXU1$MX$PhV$phsA$cVal$mag$f': 0,
      'BAY1MEAS/MMXU1$MX$TotW(0)(0)': 0,
      'BAY1MEAS/MMXU1$MX$TotW(1)(0)': 1234.5,
      'BAY1MEAS/MMXU1$MX$TotW(2)': 'good',
      'BAY1MEAS/MMXU1$MX$TotW(3)': null,
    });
    const missing = bench.client.dataSets.read('BAY1LD0/LLN0$none', exchangeContext());
    missing.catch(() => undefined);
    await bench.rest();
    await expect(missing).rejects.toMatchObject({ code: 'DEVICE_EXCEPTION' });
    await expect(bench.client.dataSets.read('nonsense', exchangeContext())).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('with an element of an array are read like others', async () => {
    const first = '<FCDA ldInst="MEAS"';
    const member = '<FCDA ldInst="MEAS" lnClass="MHAI" lnInst="1" doName="HA" daName="phsAHar.mag" ix="3" fc="MX"/>';
    const document = { name: 'bay.cid', text: sclText('bay.cid').replace(first, `${member}${first}`) };
    const harmonic = yc(1, 'BAY1MEAS/MHAI1.HA.phsAHar(3).mag.f[MX]');
    const served = new ServedChannel({ document, points: [harmonic] });
    await served.connection.execute({ point: harmonic, step: 'operate', value: 12.5, options: {} }, exchangeContext());
    const bench = await ClientBench.open(served, { points: [harmonic] });
    const reading = bench.client.dataSets.read('BAY1LD0/LLN0$dsMeas', exchangeContext());
    await bench.rest();
    const { values, readings } = await reading;
    expect(values.get('BAY1MEAS/MHAI1$MX$HA$phsAHar(3)$mag$f')).toBe(12.5);
    expect(readings).toMatchObject([{ pointId: 1, value: 12.5 }]);
  });

  it('are read instead of variables where that costs less', async () => {
    const beh = '<FCDA ldInst="LD0" lnClass="GGIO" lnInst="1" doName="Beh" fc="ST"/>';
    const text = sclText('bay.cid')
      .replace(/<FCDA [^>]*doName="Pos"[^>]*>/, beh)
      .replace(/<FCDA [^>]*doName="Pos"[^>]*>/, '');
    const bench = await ClientBench.open(bay({ document: { name: 'bay.cid', text } }));
    const points = [yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]'), yx(2, 'BAY1LD0/GGIO1.Ind2.stVal[ST]'), BEH];
    const [batch] = bench.client.plan(points, { mode: 'batch', skipKnownHoles: false }).batches;
    expect(batch).toMatchObject({ kind: 'data-set', name: 'BAY1LD0/LLN0$dsStat', pointIds: [1, 2, 5] });
    expect((await bench.read(points)).get(2)).toMatchObject({ kind: 'value', value: 0 });
  });

  it('are created, listed, read and deleted', async () => {
    const bench = await ClientBench.open(bay());
    const name = 'BAY1LD0/LLN0$dsMine';
    const members = ['BAY1LD0/GGIO1.Ind2[ST]', 'BAY1MEAS/MMXU1.TotW.mag.f[MX]'];
    expect(await bench.operate('create_data_set', { name, members })).toMatchObject({ outcome: 'accepted', result: { members: 2 } });
    expect(bench.client.dataSets.names()).toContain(name);
    expect(bench.model.dataSets().find((set) => set.name === name)).toEqual({
      name,
      members: ['BAY1LD0/GGIO1$ST$Ind2', 'BAY1MEAS/MMXU1$MX$TotW$mag$f'],
      isDeletable: true,
    });
    expect(await bench.operate('create_data_set', { name, members })).toMatchObject({ outcome: 'rejected' });
    const reading = bench.client.dataSets.read(name, exchangeContext());
    await bench.rest();
    expect((await reading).values.get('BAY1MEAS/MMXU1$MX$TotW$mag$f')).toBe(1234.5);
    expect(await bench.operate('delete_data_set', { name })).toMatchObject({ outcome: 'accepted' });
    expect(bench.client.dataSets.names()).not.toContain(name);
    expect(await bench.operate('delete_data_set', { name })).toMatchObject({ outcome: 'rejected' });
    expect(spoken(await bench.operate('delete_data_set', { name: 'BAY1LD0/LLN0$dsStat' }))).toMatchObject({
      outcome: 'rejected',
      stages: [{ detail: expect.stringContaining('part of the configuration') }],
    });
    expect(await bench.operate('create_data_set', { name: `${name}2`, members: ['BAY1LD0/GGIO1.X[ST]'] })).toMatchObject({
      outcome: 'rejected',
    });
  });
});

describe('operations', () => {
  it('identify', async () => {
    const bench = await ClientBench.open(bay(), { protocol: { learn_model: false } });
    expect(await bench.operate('identify')).toMatchObject({
      outcome: 'accepted',
      result: { vendor: 'ACME', model: 'BC-7', revision: '1.2' },
    });
  });

  it('attributes are read with the names of their members, and written by text', async () => {
    const bench = await ClientBench.open(bay(), { document: sclDocument('bay.cid') });
    const read = async (reference: string) => (await bench.operate('read_attribute', { reference })).result.value;
    expect(await read('BAY1MEAS/MMXU1$MX$TotW')).toMatchObject({ mag: { f: 1234.5 }, q: 'good', t: null });
    expect(await read('BAY1LD0/LLN0.Beh.stVal[ST]')).toBe('on');
    const write = (reference: string, value: unknown) => bench.operate('write_attribute', { reference, value });
    expect(await write('BAY1LD0/Q1CSWI1.Pos.sboTimeout[CF]', 30)).toMatchObject({ outcome: 'accepted', result: { value: 30 } });
    expect(await read('BAY1LD0/Q1CSWI1.Pos.sboTimeout[CF]')).toBe(30);
    expect(await write('BAY1LD0/GGIO1.Ind1.subEna[SV]', true)).toMatchObject({ outcome: 'accepted', result: { value: true } });
    await expect(write('BAY1LD0/GGIO1.Ind1.subEna[SV]', 'maybe')).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(write('BAY1LD0/GGIO1.SPCSO1.Oper[CO]', 1)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(write('BAY1LD0/GGIO1.SPCSO1', 1)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(await bench.operate('read_attribute', { reference: 'BAY1LD0/GGIO1.X.y[ST]' })).toMatchObject({ outcome: 'rejected' });
  });

  it('setting groups', async () => {
    const bench = await ClientBench.open(bay());
    expect(await bench.operate('setting_groups')).toMatchObject({
      outcome: 'accepted',
      result: { groups: [{ logical_device: 'BAY1LD0', number_of_groups: 2, active_group: 1 }] },
    });
    const refused = await bench.operate('setting_groups', { logical_device: 'BAY1MEAS' });
    const words = english(refused.stages[0]?.detail ?? '');
    expect(words).toMatch(/object-non-existent|nothing was read/);
    expect(spoken(refused)).toMatchObject({ outcome: 'rejected', result: { groups: [{ logical_device: 'BAY1MEAS', error: words }] } });
  });

  it('files are listed and read in bounds', async () => {
    const bench = await ClientBench.open(bay());
    const listed = await bench.operate('list_files');
    expect(listed).toMatchObject({ outcome: 'accepted', result: { files: [{ name: 'bay.cid', size: expect.any(Number) }], more: false } });
    const begin = await bench.operate('read_file', { name: 'bay.cid', max_octets: 100 });
    expect(begin).toMatchObject({ outcome: 'accepted', result: { octets: 100, is_whole: false } });
    expect(atob(String(begin.result.base64))).toMatch(/^<\?xml version/);
    const whole = await bench.operate('read_file', { name: 'bay.cid', max_octets: 1_000_000 });
    expect(whole.result).toMatchObject({ is_whole: true, octets: whole.result.size });
    expect(await bench.operate('read_file', { name: 'none' })).toMatchObject({ outcome: 'rejected' });
  });

  it('an unknown one is refused', async () => {
    const bench = await ClientBench.open(bay());
    await expect(bench.operate('format_disk')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

describe('the association', () => {
  it('a document that lacks the device refuses the start', async () => {
    const bench = new ClientBench(bay(), { document: sclDocument('station-ed21.scd'), protocol: { ied_name: 'X' } });
    await expect(bench.start()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('no IED "X"') });
  });

  it('sends the password of the secrets, and none without', async () => {
    const served = bay({ password: 'open sesame' });
    await ClientBench.open(served, { password: 'open sesame', protocol: { learn_model: false } });
    const bench = new ClientBench(served);
    await expect(bench.start()).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED' });
  });

  it('works with a window of one and pieces of seven octets', async () => {
    const bench = await ClientBench.open(bay({ faults: { splitOctets: 7 } }), { protocol: { max_outstanding: 1 } });
    expect(bench.client.link).toEqual({ kind: 'multiplexed', window: 1, commandsBeside: true });
    expect(bench.model.status.state).toBe('known');
    expect(await bench.value(TOTW)).toMatchObject({ value: 1234.5 });
  });
});
