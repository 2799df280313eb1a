import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { PointConfig } from '../spi/index.ts';
import { exchangeContext } from '../testing/sinks.ts';
import type { MmsClient } from './association/mms-client.ts';
import { BoundTable } from './bound-table.ts';
import type { ChannelMemory } from './channel-memory.ts';
import { ClientReads } from './client-reads.ts';
import { DeviceDataSets } from './data-sets.ts';
import { sclText } from './model/testing/files.ts';
import type { PlannedBatch } from './planner.ts';
import { ReportDevice, reportMemory, status } from './reports/testing/report-device.ts';
import { ServedChannel } from './server/testing/served-channel.ts';
import { ClientBench, yx } from './testing/client-bench.ts';

const SET = 'LD/LLN0$set';
const IND1 = yx(1, 'LD/GGIO1.Ind1.stVal[ST]');
const IND2 = yx(2, 'LD/GGIO1.Ind2.stVal[ST]');
const [FIRST, SECOND] = ['LD/GGIO1$ST$Ind1', 'LD/GGIO1$ST$Ind2'];
/** How long places are trusted. */
const TRUSTED_MS = 60_000;

/** A device whose data set has both indications, the first of them on, and a channel that has read it. */
class SetBench {
  readonly device = new ReportDevice();
  readonly memory: ChannelMemory = reportMemory([FIRST, SECOND]);
  readonly notices: string[] = [];
  readonly table: BoundTable;
  readonly sets: DeviceDataSets;
  readonly reads: ClientReads;

  constructor(points: readonly PointConfig[] = [IND1, IND2], isDeletable = false) {
    const { device, memory } = this;
    memory.proven = null;
    device.isDeletable = isDeletable;
    device.members = [FIRST, SECOND];
    device.values.set('GGIO1$ST$Ind1', status(true));
    device.values.set('GGIO1$ST$Ind2', status(false));
    memory.setProofs.told(SET, device.clock.monotonicMs());
    const negotiated = { maxPduOctets: 65_000 };
    const client = { ...device.client, negotiated } as unknown as Pick<MmsClient, 'request' | 'negotiated'>;
    const notice = (said: Message) => void this.notices.push(english(said));
    const common = { client, memory, clock: device.clock, timeoutMs: 1000, notice };
    this.table = new BoundTable({ memory, points: () => points });
    this.sets = new DeviceDataSets({ ...common, table: this.table, learnt: async () => undefined, add: () => false });
    this.reads = new ClientReads({ ...common, onLearnt: () => undefined });
  }

  /** Values of the points by a read of the data set; the code of the error of those without. */
  async dataSet() {
    const { readings } = await this.sets.read(SET, exchangeContext());
    return Object.fromEntries(readings.map((each) => [each.pointId, each.kind === 'value' ? each.value : each.error.code]));
  }

  /** The same by a batch, and what was read for it. */
  async batch(points: readonly PointConfig[]) {
    const found: Record<number, unknown> = {};
    const kinds: string[] = [];
    const { batches } = this.reads.plan(points, { mode: 'batch', skipKnownHoles: false });
    const waiting = [...batches];
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const planned = batch as PlannedBatch;
      kinds.push(planned.kind);
      const { readings, next } = await this.reads.read(planned, exchangeContext());
      for (const each of readings) found[each.pointId] = each.kind === 'value' ? each.value : each.error.code;
      waiting.push(...next);
    }
    return { found, kinds };
  }

  directories(): number {
    return this.device.asked.filter((name) => name === 'get-named-variable-list-attributes').length;
  }
}

describe('a data set of the configuration whose members changed places while the association stands', () => {
  it('mode dataset: read by its new members once they are asked for, and told', async () => {
    const bench = new SetBench();
    expect(await bench.dataSet()).toEqual({ 1: 1, 2: 0 });
    bench.device.members = [SECOND, FIRST];
    await bench.device.clock.advance(TRUSTED_MS);
    for (let round = 0; round < 3; round++) expect(await bench.dataSet()).toEqual({ 1: 1, 2: 0 });
    expect(bench.notices).toEqual([expect.stringMatching(/^Data set LD\/LLN0\$set of the device has other members than before/)]);
  });

  it('mode dataset: a point that is no member any more has no good value', async () => {
    const bench = new SetBench();
    await bench.dataSet();
    bench.device.members = [SECOND];
    expect(await bench.dataSet()).toEqual({ 1: 'PROTOCOL_MISMATCH', 2: 0 });
    expect(await bench.dataSet()).toEqual({ 2: 0 });
  });

  it('members are asked for once a minute, and nothing is told of the same ones', async () => {
    const bench = new SetBench();
    for (let second = 0; second <= 180; second++) {
      await bench.dataSet();
      await bench.device.clock.advance(1000);
    }
    expect(bench.directories()).toBe(3);
    expect(bench.notices).toEqual([]);
  });

  it('batches: the points are read by their names, at once and from then on', async () => {
    const bench = new SetBench();
    expect(await bench.batch([IND1, IND2])).toEqual({ found: { 1: 1, 2: 0 }, kinds: ['data-set'] });
    bench.device.members = [SECOND, FIRST];
    await bench.device.clock.advance(TRUSTED_MS);
    expect(await bench.batch([IND1, IND2])).toEqual({ found: { 1: 1, 2: 0 }, kinds: ['data-set', 'variables'] });
    expect(await bench.batch([IND1, IND2])).toEqual({ found: { 1: 1, 2: 0 }, kinds: ['variables'] });
    expect(bench.notices).toEqual([
      expect.stringMatching(
        /^Data set LD\/LLN0\$set .* other members than before, or in another order\. Its points are read by their names .* a minute ago at most/,
      ),
    ]);
  });

  it.each([
    ['one went', [FIRST], /^Data set LD\/LLN0\$set has 2 members, and 1 values came\. Its points are read by their names/],
    [
      'one is another structure',
      [FIRST, 'LD/GGIO1$ST$Ind2$q'],
      /^The values that came of data set LD\/LLN0\$set are not those .* Its points are read by their names/,
    ],
  ])('batches: what the values show is told once as well (%s)', async (_, members, told) => {
    const bench = new SetBench();
    await bench.batch([IND1, IND2]);
    bench.device.members = members;
    for (let round = 0; round < 3; round++) expect((await bench.batch([IND1, IND2])).found).toEqual({ 1: 1, 2: 0 });
    expect(bench.notices).toEqual([expect.stringMatching(told)]);
  });

  it('batches: nothing is told of the same members', async () => {
    const bench = new SetBench();
    for (let minute = 0; minute < 4; minute++) {
      await bench.batch([IND1, IND2]);
      await bench.device.clock.advance(TRUSTED_MS);
    }
    expect([bench.directories(), bench.notices]).toEqual([3, []]);
  });

  it('a silence about the members gives no value, and the next read asks again', async () => {
    const bench = new SetBench();
    await bench.device.clock.advance(TRUSTED_MS);
    bench.device.isLost = true;
    await expect(bench.dataSet()).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    bench.device.isLost = false;
    expect(await bench.dataSet()).toEqual({ 1: 1, 2: 0 });
    expect(bench.directories()).toBe(1);
  });
});

describe('a data set of clients that is read by parts', () => {
  it('is asked for its members with each read as well', async () => {
    const bench = new SetBench([IND1, IND2], true);
    const { model } = bench.memory.model.index;
    const devices = model.devices.map((each) => ({ ...each, dataSets: each.dataSets.map((set) => ({ ...set, isDeletable: true })) }));
    // the order of the components of the second is not known
    bench.memory.model.use({ ...model, devices, unordered: new Set([SECOND]) }, 'device', 0);
    expect(await bench.dataSet()).toEqual({ 1: 1, 2: 0 });
    bench.device.members = [SECOND];
    expect(await bench.dataSet()).toEqual({ 1: 'PROTOCOL_MISMATCH', 2: 0 });
  });
});

describe('a point that is led to another member while its data set is read', () => {
  it.each([true, false])('has the value of that one from the next read on (read by parts: %s)', async (isInParts) => {
    const points = [IND1];
    const bench = new SetBench(points);
    if (isInParts) bench.memory.model.use({ ...bench.memory.model.index.model, unordered: new Set([SECOND]) }, 'device', 0);
    expect(await bench.dataSet()).toEqual({ 1: 1 });
    bench.device.onRead = () => {
      points[0] = { ...IND1, reference: IND2.reference };
      bench.table.changed();
      bench.sets.changed();
      bench.device.onRead = () => undefined;
    };
    // of the point as it was: the table drops it
    await bench.dataSet();
    expect(await bench.dataSet()).toEqual({ 1: 0 });
  });
});

describe('a data set of the configuration whose members changed places under the same revision, behind a reconnect', () => {
  const BAY1 = yx(1, 'BAY1LD0/GGIO1.Ind1.stVal[ST]');
  const BAY2 = yx(2, 'BAY1LD0/GGIO1.Ind2.stVal[ST]');
  const served = (text: string) => new ServedChannel({ document: { name: 'bay.cid', text } });
  const swapped = sclText('bay.cid').replace(/(<FCDA [^>]*doName="Ind1"[^>]*>)(\s*)(<FCDA [^>]*doName="Ind2"[^>]*>)/, '$3$2$1');

  it.each([true, false])('gives no point the value of another one (learn_model %s)', async (learn_model) => {
    expect(swapped).not.toBe(sclText('bay.cid'));
    const first = await ClientBench.open(served(sclText('bay.cid')), { points: [BAY1, BAY2] });
    const bench = await ClientBench.open(served(swapped), { memory: first.memory, points: [BAY1, BAY2], protocol: { learn_model } });
    for (let round = 0; round < 2; round++) {
      const reading = bench.client.dataSets.read('BAY1LD0/LLN0$dsStat', exchangeContext());
      await bench.rest();
      const { readings } = await reading;
      expect(readings.filter(({ pointId }) => pointId < 3)).toMatchObject([
        { pointId: 1, value: 1 },
        { pointId: 2, value: 0 },
      ]);
    }
    const { members = [] } = bench.model.dataSets().find(({ name }) => name.endsWith('dsStat')) ?? {};
    if (learn_model) expect(members[0]).toBe('BAY1LD0/GGIO1$ST$Ind2');
  });
});
