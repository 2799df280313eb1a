import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import type { DoctorJob, FindJob, Job, ScanJob } from '#shared/contract/jobs.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { modbusRtuDriver } from '../drivers/modbus/rtu/driver.ts';
import { ManualClock } from '../platform/manual-clock.ts';
import { openPtyPair, type PtyPair, whyNoPtys } from '../transport/testing/pty-pair.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, silentPeer, startCore, startPair } from './testing/running-core.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await startCore({}, { drivers: createDriverRegistry([modbusTcpDriver, modbusRtuDriver]) });
});
afterAll(() => core.close());

async function ended<Kind extends Job['kind']>(job: Job & { kind: Kind }, service = core): Promise<Extract<Job, { kind: Kind }>> {
  const ask = async () => (await service.api.call('jobStatus', { job_id: job.id })).data;
  return (await vi.waitFor(
    async () => {
      const now = await ask();
      if (now.state === 'running') throw new Error(`Still running: ${now.activity}`);
      return now;
    },
    // a silent address is waited for and asked again
    { timeout: 120_000, interval: 20 },
  )) as Extract<Job, { kind: Kind }>;
}

const registers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    frame_type: 0 as const,
    code: `R${index}`,
    address: index,
    decode: '0x20',
    func_code: 3,
  }));

describe('over TCP', () => {
  it('a running and a stopped channel are examined', async () => {
    const pair = await startPair(core, { served: registers(4), read: registers(4) });
    const running = await ended((await core.api.call('startDoctor', { channel_id: pair.clientId })).data);
    expect(running.findings.map((verdict) => verdict.code)).toEqual([
      'LINE_STANDS',
      'BYTES_SEEN',
      'FRAMING_GOOD',
      'ADDRESS_GOOD',
      'TABLE_GOOD',
    ]);
    await core.api.call('stopDevice', { channel_id: pair.clientId });
    const stopped: DoctorJob = await ended((await core.api.call('startDoctor', { channel_id: pair.clientId })).data);
    expect(stopped.findings.map((verdict) => verdict.code)[0]).toBe('LINE_CONNECTED');
    expect(stopped.findings.map((verdict) => verdict.state)).toEqual(['good', 'good', 'good', 'good', 'good']);
    await core.api.call('stopDevice', { channel_id: pair.serverId });
    const refused = await ended((await core.api.call('startDoctor', { channel_id: pair.clientId })).data);
    expect(refused.findings[0]).toMatchObject({ code: 'LINE_REFUSED', next_step: expect.stringContaining('port number') });
    expect((await core.api.call('listJobs', { channel_id: pair.clientId })).data).toHaveLength(1);
  });

  it('a scan is read by pages and as a file, and its job can be cancelled and asked for again', async () => {
    const pair = await startPair(
      core,
      { served: registers(30), read: [{ frame_type: 0, code: 'R', address: 1, decode: '0x20' }] },
      { address_base: 1 },
    );
    const scan: ScanJob = await ended((await core.api.call('startScan', { channel_id: pair.clientId, quantity: 40 })).data);
    expect(scan).toMatchObject({ state: 'done', found: 30, total: 40 });
    const { data } = await core.api.call('scanRows', { job_id: scan.id, page: 2, page_size: 20 });
    expect([data.total, data.items.length, data.items[0]]).toEqual([
      30,
      10,
      { func_code: 3, address: 20, point_address: 21, hex: '0000', value: 0 },
    ]);
    const file = (await core.api.call('scanCsv', { job_id: scan.id })).data;
    expect(file).toMatchObject({ name: `${pair.device} slave 1.csv` });
    expect(new TextDecoder().decode(file.bytes).split('\r\n')).toHaveLength(32);
    const reply = await core.send({ method: 'GET', url: `/api/job/scan_csv?job_id=00000000-0000-4000-8000-000000000000` });
    expect(reply.status).toBe(404);
  });

  it('a search finds unit ids, its body makes a channel, and the device says who it is', async () => {
    const pair = await startPair(core, { served: [{ frame_type: 0, code: 'A', address: 5, slave_id: 9 }], read: registers(1) });
    const find: FindJob = await ended(
      (await core.api.call('startFind', { protocol_type: 1, port: pair.port, first_slave: 8, last_slave: 9, timeout_ms: 1000 })).data,
    );
    expect(find.findings).toMatchObject([{ slave_id: 9, how: 'refused', identity: 'Loopcheck Modbus server 1.0' }]);
    if (!find.channel) throw new Error('no channel');
    const { data: added } = await core.api.call('addChannel', find.channel);
    await core.api.call('startDevice', { channel_id: added.id });
    const { data: identity } = await core.api.call('identifyDevice', { channel_id: added.id, slave_id: 9 });
    expect(identity.objects.map((object) => [object.name, object.text])).toEqual([
      ['VendorName', 'Loopcheck'],
      ['ProductCode', 'Modbus server'],
      ['MajorMinorRevision', '1.0'],
    ]);
    await expect(core.api.call('identifyDevice', { channel_id: added.id, slave_id: 3 })).rejects.toMatchObject({
      code: 'TIMEOUT_RESPONSE',
    });
  });

  it('a job that waits is cancelled at once, and all of them end with the service', async () => {
    // Nothing that ends may wait for a timer.
    const clock = new ManualClock();
    const other = await startCore({}, { clock });
    const peer = await silentPeer();
    const { data: channel } = await other.api.call('addChannel', {
      name: 'Silent',
      protocol_type: 1,
      conn_type: 2,
      port: peer.port,
      timeout_ms: 5000,
    });
    const { data: job } = await other.api.call('startDoctor', { channel_id: channel.id });
    expect((await other.api.call('cancelJob', { job_id: job.id })).data.state).toBe('cancelled');
    await other.api.call('startFind', { protocol_type: 1, port: await freePort() });
    await other.api.call('startDoctor', { channel_id: channel.id, listen_ms: 0 });
    await peer.close();
    await other.close();
  });
});

if (whyNoPtys) console.warn(`jobs on serial ports: skipped, ${whyNoPtys}`);

describe.skipIf(whyNoPtys)('on serial ports', () => {
  let ptys: PtyPair;
  beforeAll(async () => {
    ptys = await openPtyPair();
  });
  afterAll(() => ptys.end());

  it('a line is searched, its channel found good and scanned, and a line without slave is silent', async () => {
    const { api } = core;
    const slave = { name: 'Slave', protocol_type: 2, conn_type: 3, com_port: ptys.a, baud_rate: 115_200 } as const;
    const { data: server } = await api.call('addChannel', slave);
    await api.call('addPoints', { channel_id: server.id, points: registers(3).map((point) => ({ ...point, slave_id: 2 })) });
    await api.call('startDevice', { channel_id: server.id });
    const request: InputOf<'startFind'> = {
      protocol_type: 2,
      com_port: ptys.b,
      baud_rates: [115_200],
      formats: ['8N1'],
      last_slave: 2,
      // the slave is this same process, however busy the computer
      timeout_ms: 1000,
      listen_ms: 50,
    };
    const find: FindJob = await ended((await api.call('startFind', request)).data);
    expect(find.findings).toMatchObject([{ slave_id: 2, line: `${ptys.b} 115200 8N1`, identity: 'Loopcheck Modbus server 1.0' }]);
    if (!find.channel) throw new Error('no channel');
    const { data: master } = await api.call('addChannel', { ...find.channel, timeout_ms: 1000 });
    await api.call('addPoints', { channel_id: master.id, points: registers(3).map((point) => ({ ...point, slave_id: 2 })) });
    const good = await ended((await api.call('startDoctor', { channel_id: master.id, listen_ms: 100 })).data);
    expect(good.findings.map((verdict) => verdict.code)).toEqual(['PORT_OPEN', 'BYTES_SEEN', 'FRAMING_GOOD', 'ADDRESS_GOOD', 'TABLE_GOOD']);
    await api.call('startDevice', { channel_id: master.id });
    const scan = await ended((await api.call('startScan', { channel_id: master.id, slave_id: 2, quantity: 8 })).data);
    expect(scan.findings.map((range) => [range.start, range.quantity, range.outcome])).toEqual([
      [0, 3, 'values'],
      [3, 5, 'refused'],
    ]);
    const taken = await core.send({ method: 'POST', url: '/api/job/find', body: request });
    expect(taken).toMatchObject({ status: 409, body: { error: 'TRANSPORT_PORT_TAKEN' } });
    await api.call('stopDevice', { channel_id: master.id });
    await api.call('stopDevice', { channel_id: server.id });
    // nobody answers from here on
    await api.call('updateChannel', { channel_id: master.id, timeout_ms: 50 });
    const silent = await ended((await api.call('startDoctor', { channel_id: master.id, slave_ids: [2], listen_ms: 50 })).data);
    expect(silent.findings[1]?.code).toBe('BYTES_NONE_SERIAL');
  });
});
