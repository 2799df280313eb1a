import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { InputOf } from '#shared/contract/index.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { freePort, type RunningCore, startCore } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

type Points = InputOf<'addPoints'>['points'];

/** A point of a station that serves 32-bit floats two registers apart. */
const served = (code: string, at: number, simulate?: string) => ({
  frame_type: 0 as const,
  code,
  address: 2 * at,
  decode: '0x42',
  ...(simulate === undefined ? {} : { protocol: { simulate } }),
});

async function start(
  points: Points,
  settings: Partial<InputOf<'addChannel'>> = {},
): Promise<{ core: RunningCore; id: number; port: number }> {
  const core = await startCore({}, { drivers: createLazyDrivers() });
  running.push(core);
  const port = await freePort();
  const channel = { name: 'Station', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port, ...settings } as const;
  const { id } = (await core.api.call('addChannel', channel)).data;
  await core.api.call('addPoints', { channel_id: id, points });
  return { core, id, port };
}

const stateOf = async (core: RunningCore, channel_id: number) => (await core.api.call('simulation', { channel_id })).data;
const valuesOf = async (core: RunningCore, channel_id: number) => {
  const { items } = (await core.api.call('pointTable', { channel_id, page: 1, page_size: 100 })).data;
  return Object.fromEntries(items.map(({ code, value }) => [code, value]));
};

/** Asks a Modbus server for registers over a plain socket, as a master that knows nothing of us; null where nothing came within the time. */
function askRegisters(port: number, address: number, count: number, ms = 2000): Promise<Buffer | 'closed' | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const octets: Buffer[] = [];
    const end = (outcome: Buffer | 'closed' | null) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    // biome-ignore lint/plugin: that nothing comes can only be seen by waiting
    const timer = setTimeout(() => end(octets.length > 0 ? Buffer.concat(octets) : null), ms);
    socket.on('connect', () => socket.write(Buffer.from([0, 7, 0, 0, 0, 6, 1, 3, address >> 8, address & 255, 0, count])));
    socket.on('data', (chunk) => {
      octets.push(chunk);
      const all = Buffer.concat(octets);
      if (all.length >= 6 && all.length >= 6 + all.readUInt16BE(4)) end(all);
    });
    socket.on('close', () => end(octets.length > 0 ? Buffer.concat(octets) : 'closed'));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? end('closed') : reject(error)));
  });
}

describe('formulas of served points', () => {
  it('are worked out while the channel runs, and a foreign master reads what they say', async () => {
    const points = [served('U', 0, '230 + 0 * t'), served('I', 1, 'U / 10'), served('E', 2, 'integrate(P, 100)'), served('P', 3, 'U * I')];
    const { core, id, port } = await start(points);
    expect(await stateOf(core, id)).toMatchObject({ is_on: true, is_running: false, points: 0, steps: 0, fault_count: 0 });
    await core.api.call('startDevice', { channel_id: id });
    await core.api.call('setSimulation', { channel_id: id, period_ms: 50, speed: 100 });
    await expect.poll(async () => (await stateOf(core, id)).steps, { timeout: 20_000 }).toBeGreaterThan(3);
    const state = await stateOf(core, id);
    expect(state).toMatchObject({ is_running: true, points: 4, fault_count: 0, faults: [], speed: 100, period_ms: 50 });
    expect(state.t).toBeGreaterThan(0);
    const values = await valuesOf(core, id);
    expect(values).toMatchObject({ U: 230, I: 23, P: 5290 });
    expect(Number(values.E)).toBeGreaterThan(100);
    const answer = await askRegisters(port, 0, 4);
    expect(Buffer.isBuffer(answer) && [answer.readFloatBE(9), answer.readFloatBE(13)]).toEqual([230, 23]);
  });

  it('follow a file of recorded values, which is replaced, missing and removed while they run', async () => {
    const points = [served('P', 0, 'series("load", "P", "once") / 10'), served('Q', 1, 'series("load", "Q")')];
    const { core, id } = await start(points);
    const { api } = core;
    await api.call('startDevice', { channel_id: id });
    await api.call('setSimulation', { channel_id: id, period_ms: 50, speed: 1000 });
    const reasons = async () => (await stateOf(core, id)).faults.map(({ code, reason_message }) => [code, reason_message.code]);
    await expect.poll(reasons, { timeout: 20_000 }).toEqual([
      ['P', 'simulation.no_series'],
      ['Q', 'simulation.no_series'],
    ]);
    const file = (text: string) => new File([text], 'load.csv');
    const { data } = await api.call('addSeries', { file: file('t,P\n0,100\n10,200\n20,300\n') });
    expect(data).toEqual({ name: 'load', rows: 3, seconds: 30, columns: [{ name: 'P', gaps: 0 }] });
    await expect.poll(() => valuesOf(core, id), { timeout: 20_000 }).toMatchObject({ P: 30 });
    expect(await reasons()).toEqual([['Q', 'simulation.no_column']]);
    await api.call('addSeries', { name: 'load', file: file('t,P,Q\n0,,5\n1000000,70,5\n') });
    await expect.poll(() => valuesOf(core, id), { timeout: 20_000 }).toMatchObject({ P: 30, Q: 5 });
    expect(await reasons()).toEqual([['P', 'simulation.series_gap']]);
    // it belongs to the project
    const path = `${core.dir}/copy.loopcheck`;
    await api.call('backupProject', { path });
    await api.call('removeSeries', { name: 'load' });
    await expect.poll(reasons, { timeout: 20_000 }).toEqual([
      ['P', 'simulation.no_series'],
      ['Q', 'simulation.no_series'],
    ]);
    expect(await valuesOf(core, id)).toMatchObject({ P: 30, Q: 5 });
    await expect(api.call('removeSeries', { name: 'load' })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await api.call('openProject', { path, create: false });
    expect((await api.call('listSeries', {})).data.items).toMatchObject([{ name: 'load', rows: 2, columns: [{ gaps: 1 }, { gaps: 0 }] }]);
  });

  it('refuse a file that does not fit, and more than a project may keep', async () => {
    const { core } = await start([served('P', 0)]);
    const add = (text: string, name: string) => core.api.call('addSeries', { name, file: new File([text], 'x.csv') });
    await expect(add('t,P\n0,1\n0,2\n', 'a')).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('row 3') });
    await expect(add(`t,P\n${Array.from({ length: 100_001 }, (_, row) => `${row},1`).join('\n')}\n`, 'a')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('100000 rows'),
    });
    const rows = `t,P,Q,R,S,T\n${Array.from({ length: 96_000 }, (_, row) => `${row},1,2,3,4,5`).join('\n')}\n`;
    for (const name of ['a', 'b', 'c', 'd']) await add(rows, name);
    await expect(add(rows, 'e')).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('2000000') });
    await add(rows, 'd');
    expect((await core.api.call('listSeries', {})).data.items.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
  }, 60_000);

  it('stop, go on where they were, and begin anew with the same random numbers', async () => {
    const { core, id } = await start([served('R', 0, 'random(0, 1000)'), served('N', 1, 'last + 1')]);
    await core.api.call('startDevice', { channel_id: id });
    await core.api.call('setSimulation', { channel_id: id, is_on: false, period_ms: 50, anew: true });
    expect(await stateOf(core, id)).toMatchObject({ is_on: false, is_running: false });
    await core.api.call('setSimulation', { channel_id: id, is_on: true, period_ms: 3_600_000, anew: true });
    await expect.poll(async () => (await stateOf(core, id)).steps, { timeout: 20_000 }).toBe(1);
    const first = await valuesOf(core, id);
    expect(Number(first.R)).toBeGreaterThan(0);
    await core.api.call('setSimulation', { channel_id: id, anew: true });
    await expect.poll(async () => (await valuesOf(core, id)).N, { timeout: 20_000 }).toBe(Number(first.N) + 1);
    expect((await valuesOf(core, id)).R).toBe(first.R);
  });

  it('follow what a client writes, and points of another channel', async () => {
    const breaker = { frame_type: 2 as const, code: 'CB_CTRL', address: 10, func_code: 5 };
    const { core, id, port } = await start([
      served('CB', 0, 'delay(CB_CTRL, 0.05)'),
      served('SUM', 1, 'point("Meter", "UA") + 1'),
      breaker,
    ]);
    const meter = { name: 'Meter', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port: await freePort() } as const;
    await core.api.call('startDevice', { channel_id: id });
    await core.api.call('setSimulation', { channel_id: id, period_ms: 50 });
    const faults = async () => (await stateOf(core, id)).faults.map(({ code, reason }) => `${code}: ${reason}`);
    await expect.poll(faults, { timeout: 20_000 }).toEqual(['SUM: There is no channel Meter.']);
    const other = (await core.api.call('addChannel', meter)).data.id;
    await expect.poll(faults, { timeout: 20_000 }).toEqual(['SUM: There is no point Meter/UA.']);
    await core.api.call('addPoints', { channel_id: other, points: [{ ...served('UA', 0), protocol: { start_value: 229 } }] });
    await expect.poll(faults, { timeout: 20_000 }).toEqual(['SUM: Meter/UA has no value yet.']);
    await core.api.call('startDevice', { channel_id: other });
    await core.api.call('manualRead', { device_name: 'Meter', mode: 'batch' });
    await expect.poll(async () => (await valuesOf(core, id)).SUM, { timeout: 20_000 }).toBe(230);
    expect(await faults()).toEqual([]);
    // the coil is closed by a foreign master
    const socket = connect(port, '127.0.0.1');
    socket.write(Buffer.from([0, 1, 0, 0, 0, 6, 1, 5, 0, 10, 0xff, 0]));
    await expect.poll(async () => (await valuesOf(core, id)).CB, { timeout: 20_000 }).toBe(1);
    socket.destroy();
  });

  it('that give no number, refer in a circle or do not fit are told, and the others go on', async () => {
    const small = { frame_type: 0 as const, code: 'S', address: 100, decode: '0x20', protocol: { simulate: '70000' } };
    const points = [
      served('A', 0, 'B + 1'),
      served('B', 1, 'C + 1'),
      served('C', 2, 'A + 1'),
      served('D', 3, '1 / 0'),
      served('E', 4, 'NOBODY'),
      served('F', 5, 'A * 2'),
      served('G', 6, 'delay(G2, 1) + 1'),
      served('G2', 7, 'G'),
      served('OK', 8, '42'),
      small,
    ];
    const { core, id } = await start(points);
    await core.api.call('startDevice', { channel_id: id });
    await expect.poll(async () => (await valuesOf(core, id)).OK, { timeout: 20_000 }).toBe(42);
    const { faults, fault_count } = await stateOf(core, id);
    const told = Object.fromEntries(faults.map(({ code, reason }) => [code, reason]));
    expect(fault_count).toBe(faults.length);
    expect(told).toMatchObject({
      A: expect.stringContaining('in a circle'),
      B: expect.stringContaining('in a circle'),
      C: expect.stringContaining('in a circle'),
      D: expect.stringContaining('no number'),
      E: 'There is no point NOBODY.',
      F: 'A has no value yet.',
      S: expect.stringMatching(/^70000 cannot be served: /),
    });
    expect(Object.keys(told)).not.toContain('OK');
  });

  it('that cannot be understood are refused where they are written', async () => {
    const { core, id } = await start([served('Z', 9)]);
    const reply = await core.send({
      method: 'POST',
      url: '/api/device/add_points',
      body: { channel_id: id, points: [served('A', 0, 'sinus(3)')] },
    });
    expect(reply.status).toBe(422);
    expect(JSON.stringify(reply.body)).toMatch(/protocol\.simulate.*sinus/);
  });

  it('come, change and go while the channel runs; what others remember goes on', async () => {
    const { core, id } = await start([served('N', 0, 'last + 1')]);
    await core.api.call('startDevice', { channel_id: id });
    await core.api.call('setSimulation', { channel_id: id, period_ms: 50 });
    await expect.poll(async () => Number((await valuesOf(core, id)).N), { timeout: 20_000 }).toBeGreaterThan(3);
    const { items } = (await core.api.call('addPoints', { channel_id: id, points: [served('M', 1, 'N * 2')] })).data;
    await expect.poll(async () => Number((await valuesOf(core, id)).M), { timeout: 20_000 }).toBeGreaterThan(8);
    const added = items[0]?.id ?? 0;
    await core.api.call('editPoint', { point_id: added, frame_type: 0, protocol: { simulate: '7' } });
    await expect.poll(async () => (await valuesOf(core, id)).M, { timeout: 20_000 }).toBe(7);
    await core.api.call('deletePoints', { channel_id: id, point_ids: [added] });
    await expect.poll(async () => (await stateOf(core, id)).points, { timeout: 20_000 }).toBe(1);
  });

  it('belong to served channels alone', async () => {
    const { core } = await start([served('Z', 9)]);
    const client = (await core.api.call('addChannel', { name: 'Client', protocol_type: 1, conn_type: 2 })).data.id;
    await expect(core.api.call('simulation', { channel_id: client })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it.each([
    [3, { conn_type: 1 }, { frame_type: 0 as const, code: 'P', address: 16_385, protocol: { simulate: '12.5' } }, 12.5],
    [4, { conn_type: 1 }, { frame_type: 0 as const, code: 'P', slave_id: 1, address: 0x0201_0100, protocol: { simulate: '229.5' } }, 229.5],
  ])('are served by protocol %i as well', async (protocol_type, settings, point, value) => {
    const { core, id } = await start([point], { protocol_type: protocol_type as 3, ...settings } as Partial<InputOf<'addChannel'>>);
    await core.api.call('startDevice', { channel_id: id });
    await expect.poll(async () => (await valuesOf(core, id)).P, { timeout: 20_000 }).toBe(value);
    expect((await stateOf(core, id)).faults).toEqual([]);
  });
});

describe('faults of a served line', () => {
  it('hold at once, are counted, and end as they began', async () => {
    const { core, id, port } = await start([served('U', 0, '230')]);
    await core.api.call('startDevice', { channel_id: id });
    const set = (change: object) => core.api.call('setLineFaults', { channel_id: id, ...change });
    await expect.poll(async () => (await valuesOf(core, id)).U, { timeout: 20_000 }).toBe(230);
    const whole = await askRegisters(port, 0, 2);
    expect(Buffer.isBuffer(whole) && whole.length).toBe(13);
    await set({ silent_percent: 100 });
    expect(await askRegisters(port, 0, 2, 300)).toBeNull();
    await set({ silent_percent: 0, half_percent: 100 });
    const half = await askRegisters(port, 0, 2, 300);
    expect(Buffer.isBuffer(half) && half.equals((whole as Buffer).subarray(0, 7))).toBe(true);
    await set({ half_percent: 0, hang_up_percent: 100 });
    expect(await askRegisters(port, 0, 2, 5000)).toBe('closed');
    await set({ hang_up_percent: 0, no_end_percent: 100 });
    const open = await askRegisters(port, 0, 2, 300);
    expect(Buffer.isBuffer(open) && open.length).toBe(12);
    await set({ no_end_percent: 0, refuse_connections: true });
    expect(await askRegisters(port, 0, 2, 5000)).toBe('closed');
    await set({ refuse_connections: false, exceptions: [{ from: 1, to: 1, code: 6 }] });
    expect(((await askRegisters(port, 0, 2)) as Buffer).subarray(7)).toEqual(Buffer.from([0x83, 6]));
    expect(((await askRegisters(port, 2, 2)) as Buffer).subarray(7)).toEqual(Buffer.from([0x83, 2]));
    await set({ exceptions: [], delay_ms: 400, jitter_ms: 100 });
    expect(await askRegisters(port, 0, 2, 200)).toBeNull();
    expect(await askRegisters(port, 0, 2, 5000)).toEqual(whole);
    await set({ delay_ms: 0, jitter_ms: 0 });
    expect(await askRegisters(port, 0, 2)).toEqual(whole);
    const { made, line } = await stateOf(core, id);
    expect(made).toEqual({ silent: 1, half: 1, wrong_check: 0, no_end: 1, hang_up: 1, refused: 1, exceptions: 1 });
    expect(line).toMatchObject({ delay_ms: 0, silent_percent: 0, refuse_connections: false, exceptions: [] });
  });

  it('are told in the events, and refused where they mean nothing', async () => {
    const { core, id } = await start([served('U', 0, '230')]);
    const put = (body: object) => core.send({ method: 'PUT', url: '/api/simulation/line', body: { channel_id: id, ...body } });
    expect((await put({ wrong_check_percent: 10 })).body).toMatchObject({ code: 422, data: [{ path: 'wrong_check_percent' }] });
    expect((await put({ exceptions: [{ from: 5, to: 4, code: 2 }] })).body).toMatchObject({
      code: 422,
      data: [{ path: 'exceptions.0.to' }],
    });
    expect((await put({ delay_ms: 5, exceptions: [{ from: 4, to: 5, code: 2 }] })).body).toMatchObject({ code: 200 });
    expect((await put({ delay_ms: 0, exceptions: [] })).body).toMatchObject({ code: 200 });
    const { items } = (await core.api.call('listEvents', { channel_id: id })).data;
    const texts = items.map(({ text }) => text);
    expect(texts).toContain('The line is made faulty on purpose: delayMs 5, exception 2: 4-5');
    expect(texts).toContain('The line is not made faulty any more.');
    const other = (await core.api.call('addChannel', { name: 'S104', protocol_type: 3, conn_type: 1 })).data.id;
    const reply = await core.send({
      method: 'PUT',
      url: '/api/simulation/line',
      body: { channel_id: other, exceptions: [{ from: 1, to: 1, code: 2 }] },
    });
    expect(reply.body).toMatchObject({ code: 422, data: [{ path: 'exceptions' }] });
  });
});

describe('a station built from what a master asks', () => {
  it('lists addresses that nobody serves, by unit and function, and answers when they are points', async () => {
    const { core, id, port } = await start([served('U', 0, '230')], { protocol: { unknown_unit: 'silent' } });
    await core.api.call('startDevice', { channel_id: id });
    expect(((await askRegisters(port, 100, 2)) as Buffer).subarray(7)).toEqual(Buffer.from([0x83, 2]));
    const asked = async () => (await core.api.call('unknownObjects', { channel_id: id })).data;
    const { items, total } = await asked();
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { slave_id: 1, address: 100, frame_type: 0, func_code: 3, decode: '0x20', count: 1 },
      { slave_id: 1, address: 101, frame_type: 0, func_code: 3 },
    ]);
    const points = items.map(({ slave_id, address, func_code, decode }) => ({
      ...{ frame_type: 0 as const, code: `YC_${address}`, slave_id, address, func_code, decode },
      protocol: { simulate: String(address) },
    }));
    await core.api.call('addPoints', { channel_id: id, points });
    await expect
      .poll(async () => ((await askRegisters(port, 100, 2)) as Buffer).subarray(7), { timeout: 20_000 })
      .toEqual(Buffer.from([3, 4, 0, 100, 0, 101]));
    expect((await asked()).total).toBe(0);
    await core.api.call('stopDevice', { channel_id: id });
    await core.api.call('startDevice', { channel_id: id });
    expect(await asked()).toEqual({ total: 0, items: [], dropped: 0 });
  });
});
