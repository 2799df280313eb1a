/** A capture of IEC 61850 that another stack made becomes recorded values, and a client of ours gets them from the served replay. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { builtInDrivers } from './built-in-drivers.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

const fileOf = (name: string) => new File([readFileSync(join(import.meta.dirname, `../capture/vectors/${name}.pcap`))], `${name}.pcap`);

/** Seconds of the capture for one of the replay: reports of a quarter second apart come one by one. */
const SPEED = 0.25;

/** As another decoder reads the reports of the capture: what the device told first, which is there from the start, and then. What it says again is no change. */
const FIRST = [0, 1, 1, 128, 1234.5];
const CHANGES = [
  'EMS1LD0.GGIO1.DPInd1.stVal = 0 ',
  'EMS1LD0.GGIO1.Ind1.stVal = 1 ',
  'EMS1LD0.GGIO1.Ind1.stVal = 1 IV oldData',
  'EMS1LD0.GGIO1.IntIn1.stVal = -1 ',
  'EMS1LD0.MMXU1.TotW.mag.f = 1500.5 ',
  'EMS1LD0.MMXU1.TotW.mag.f = 1500.5 OV questionable',
];

async function replay() {
  const core = await startCore({}, { drivers: builtInDrivers });
  running.push(core);
  const { api } = core;
  const port = await freePort();
  const channel = { protocol_type: 5, ip: '127.0.0.1', port } as const;
  const server = (await api.call('addChannel', { ...channel, name: 'Replay', conn_type: 1 })).data;
  const taken = (await api.call('takeCapture', { file: fileOf('50-urcb'), once: 'true', channel_id: server.id })).data;
  await api.call('setSimulation', { channel_id: server.id, is_on: false, speed: SPEED, period_ms: 50 });
  await api.call('startDevice', { channel_id: server.id });
  const reports = ['urcbStat01', 'urcbMeas01'].map((name) => `EMS1LD0/LLN0.${name}[RP]`);
  const client = (await api.call('addChannel', { ...channel, name: 'Client', conn_type: 2, protocol: { reports_at_start: reports } })).data;
  const points = taken.points.map(({ frame_type, code, reference = '' }) => ({ frame_type, code, reference }));
  await api.call('addPoints', { channel_id: client.id, points });
  await api.call('startDevice', { channel_id: client.id });
  return { core, taken, serverId: server.id, clientId: client.id };
}

describe('a capture of IEC 61850', () => {
  it('is served again: values, quality and the distances of times, in their order', { timeout: 60_000 }, async () => {
    const { core, taken, serverId, clientId } = await replay();
    const { api } = core;
    expect(taken).toMatchObject({ protocol_type: 5, protocol: {}, reads: 5, taken_into: { added: 5, changed: 0 } });
    const table = () => api.call('pointTable', { channel_id: clientId, page: 1, page_size: 10 });
    // the reports are enabled, and all was told once
    await until(table, ({ data }) => data.items.length === 5 && data.items.every(({ quality }) => quality === 'good'));
    await api.call('setSimulation', { channel_id: serverId, is_on: true, anew: true });
    expect((await table()).data.items.map(({ value }) => value)).toEqual(FIRST);
    const changes = async () => {
      const { items } = (await api.call('listEvents', { channel_id: clientId, limit: 2000 })).data;
      return items.filter(({ kind }) => kind === 'change');
    };
    const told = ({ code, value, flags }: { code: string; value: number | null; flags: readonly string[] }) =>
      `${code} = ${value} ${flags.join(' ')}`;
    // two report blocks send on their own: the order of each point stands
    const byPoint = async () => (await changes()).toSorted((a, b) => a.code.localeCompare(b.code)).map(told);
    await expect.poll(byPoint, { timeout: 40_000, interval: 500 }).toEqual(CHANGES);
    // the second change came 0.4 s behind the first one, with a time 1 s behind it
    const timeOf = (said: string, among: Awaited<ReturnType<typeof changes>>) =>
      Date.parse(among.find((each) => told(each) === said)?.device_time ?? '');
    const all = await changes();
    const distance = timeOf('EMS1LD0.GGIO1.DPInd1.stVal = 0 ', all) - timeOf('EMS1LD0.GGIO1.Ind1.stVal = 1 ', all);
    // a busy computer is late by much; at its own speed the capture has a second between them
    expect(distance).toBeGreaterThan(500 / SPEED);
    expect(distance).toBeLessThan(2000 / SPEED);
    const { faults } = (await api.call('simulation', { channel_id: serverId })).data;
    expect(faults).toEqual([]);
  });

  it('follows another capture of the same device in the points that are there', { timeout: 30_000 }, async () => {
    const core = await startCore({}, { drivers: builtInDrivers });
    running.push(core);
    const { api } = core;
    const server = (await api.call('addChannel', { protocol_type: 5, ip: '127.0.0.1', port: await freePort(), name: 'IED', conn_type: 1 }))
      .data;
    const first = (await api.call('takeCapture', { file: fileOf('20-read-single-attributes'), channel_id: server.id })).data;
    const second = (await api.call('takeCapture', { file: fileOf('50-urcb'), channel_id: server.id })).data;
    // of its five places four were in the first one
    const known = new Set(first.points.map(({ reference }) => reference));
    const both = second.points.filter(({ reference }) => known.has(reference)).length;
    expect(both).toBeGreaterThan(3);
    expect(second.taken_into).toMatchObject({ added: second.points.length - both, changed: both });
    // the double is served as one
    expect(first.points.find(({ code }) => code.endsWith('Dbl1.val'))?.protocol).toMatchObject({ served_type: 'FLOAT64' });
  });
});
