import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckRun } from '#shared/contract/check.ts';
import { ProtocolType } from '#shared/domain/enums.ts';
import { GatedReader, type PointInput } from './testing/gated-device.ts';
import { type ManualCore, startManualCore } from './testing/manual-core.ts';

let plant: ManualCore;
let reader: GatedReader;
let session: number;

beforeEach(async () => {
  plant = await startManualCore();
});
afterEach(() => plant.close());

const yx = (code: string, address: number): PointInput => ({ frame_type: 1, code, address, decode: '0x20' });
const yk = (code: string, address: number, related_code: string): PointInput => ({ frame_type: 2, code, address, related_code });
const yt = (code: string, address: number): PointInput => ({ frame_type: 3, code, address, decode: '0x21' });

async function open(points: PointInput[], protocol: ProtocolType, code: string) {
  reader = await GatedReader.open(plant, { protocol, client: {}, served: points, read: points });
  await reader.poll();
  const { api } = plant.core;
  session = (await api.call('addCheck', { name: 'Visit' })).data.id;
  await api.call('addCheckItems', { session_id: session, channel_id: reader.id });
  await plant.clock.advance(1500);
  const item = (await items()).find((each) => each.code === code)?.item ?? '';
  await api.call('startCheck', { session_id: session, operator: 'Li', commands: true, items: [item] });
  return item;
}
const items = async () => (await plant.core.api.call('checkItems', { session_id: session })).data.items;
const audits = async () => (await plant.core.api.call('listAudit', {})).data.items;
async function run(): Promise<CheckRun | null> {
  return (await plant.core.api.call('checkRun', {})).data.run;
}
/** Begins to send; answers its code once it has ended, null: a result. */
function send(item: string, value?: number): Promise<string | null> {
  const sending = plant.core.api.call('sendCheckCommand', { item, ...(value === undefined ? {} : { value }) });
  return sending.then(
    () => null,
    (error: { code: string }) => error.code,
  );
}
async function ended(sending: Promise<string | null>) {
  await plant.clock.advance(40_000);
  return sending;
}

describe('an item whose point is edited while its command is under way', () => {
  it('passes as what it was, not as what it is now: it has to be checked again', async () => {
    const item = await open([yx('QF', 1), yk('CTL', 0x6001, 'QF')], ProtocolType.iec104, 'CTL');
    const sending = send(item);
    await plant.clock.advance(200);
    expect(await audits()).toHaveLength(1);
    await reader.edit('CTL', { address: 0x6002 });
    expect(await ended(sending)).toBeNull();
    const [row] = (await items()).filter(({ code }) => code === 'CTL');
    expect(row?.state).toBe('check_again');
    expect((await run())?.results[0]?.point).toMatchObject({ address: 0x6001 });
  });

  it('sends nothing behind a stop', async () => {
    const item = await open([yt('SP', 5)], ProtocolType.modbusTcp, 'SP');
    const before = (await audits()).length;
    reader.gate.state = 'held';
    const sending = send(item, 55);
    await plant.clock.advance(100);
    await plant.core.api.call('stopCheck', {});
    reader.gate.open();
    expect(await ended(sending)).toBe('STATE_CONFLICT');
    expect(await audits()).toHaveLength(before);
  });

  it('brings the value back where it was sent, and takes no value of the new place for a proof', async () => {
    const item = await open([yt('SP', 5), yt('OTHER', 6)], ProtocolType.modbusTcp, 'SP');
    await reader.serve('SP', 40);
    await plant.clock.advance(2000);
    const writes: number[] = [];
    reader.gate.onAsked = (request) => {
      // a register is written
      if (request[7] !== 6 && request[7] !== 16) return;
      writes.push(request[9] ?? 0);
      reader.gate.state = 'held';
    };
    const sending = send(item, 55);
    await plant.clock.advance(200);
    expect(writes).toEqual([5]);
    await reader.edit('SP', { address: 6, code: 'MOVED' });
    reader.gate.onAsked = (request) => {
      if (request[7] === 6 || request[7] === 16) writes.push(request[9] ?? 0);
    };
    reader.gate.open();
    expect(await ended(sending)).toBeNull();
    expect(writes).toEqual([5, 5]);
    const [result] = (await run())?.results ?? [];
    expect(result).toMatchObject({ verdict: 'failed', point: { address: 5, code: 'SP' } });
    expect(result?.findings.map(({ name }) => name)).toContain('not_restored');
  });
});

describe('a command that is under way when its check is stopped', () => {
  it('keeps its item until its result is in the file, and other checks wait for it', async () => {
    const item = await open([yt('SP', 5)], ProtocolType.modbusTcp, 'SP');
    reader.gate.onAsked = (request) => {
      if (request[7] === 6 || request[7] === 16) reader.gate.state = 'held';
    };
    const sending = send(item, 55);
    await plant.clock.advance(200);
    const { api } = plant.core;
    await api.call('stopCheck', {});
    await expect(api.call('removeCheckItems', { session_id: session, items: [item] })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(api.call('startCheck', { session_id: session, operator: 'Wu', items: [item] })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
    });
    reader.gate.onAsked = () => undefined;
    reader.gate.open();
    expect(await ended(sending)).toBeNull();
    expect((await api.call('checkHistory', { session_id: session, item })).data.total).toBe(1);
    expect((await api.call('startCheck', { session_id: session, operator: 'Wu', items: [item] })).data.state).toBe('running');
  });
});
