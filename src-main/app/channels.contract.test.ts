import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type RunningCore, silentPeer, startCore } from './testing/running-core.ts';

let running: RunningCore;
beforeAll(async () => {
  running = await startCore(
    {},
    {
      listSerialPorts: async () => [{ path: 'COM3', manufacturer: 'FTDI', vendorId: '0403', productId: '6001', serialNumber: null }],
    },
  );
});
afterAll(() => running.close());

const post = (url: string, body?: unknown) => running.send({ method: 'POST', url, ...(body === undefined ? {} : { body }) });
const put = (url: string, body: unknown) => running.send({ method: 'PUT', url, body });
let count = 0;
const newName = () => `Channel ${++count}`;
const addClient = async (more: object = {}) => {
  const reply = await post('/api/channel/add', { name: newName(), protocol_type: 1, conn_type: 2, ...more });
  return (reply.body as { data: { id: number; name: string; port: number } }).data;
};

describe('POST /api/channel/add', () => {
  it('fills in the defaults of the decisions and answers with the whole channel', async () => {
    const reply = await post('/api/channel/add', { name: 'Defaults', protocol_type: 1, conn_type: 2 });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        code: 200,
        message: 'success',
        data: {
          id: expect.any(Number),
          name: 'Defaults',
          protocol_type: 1,
          conn_type: 2,
          ip: '127.0.0.1',
          port: 502,
          com_port: null,
          baud_rate: 9600,
          data_bits: 8,
          stop_bits: 1,
          parity: 'N',
          timeout_ms: 1000,
          retries: 0,
          request_gap_ms: null,
          max_gap: 0,
          address_base: 0,
          auto_reconnect: true,
          auto_start: false,
          read_only: false,
          note: '',
          group: '',
          protocol: {},
          status: 'stopped',
          last_error: null,
          bound_port: null,
          point_count: 0,
        },
      },
    });
  });

  it('shows it in the list', async () => {
    const added = await addClient({ note: 'listed' });
    const { data } = await running.api.call('listChannels', {});
    expect(data.find((channel) => channel.id === added.id)).toMatchObject({ note: 'listed', status: 'stopped' });
  });

  it('refuses a taken name with 409', async () => {
    const { name } = await addClient();
    const reply = await post('/api/channel/add', { name, protocol_type: 1, conn_type: 2 });
    expect(reply).toMatchObject({ status: 409, body: { code: 409, error: 'STATE_CONFLICT', data: null } });
  });

  it.each([
    [
      { protocol_type: 1, conn_type: 0 },
      'conn_type',
      'Modbus TCP has no connection type 0 (RTU master); use 1 (TCP server) or 2 (TCP client)',
    ],
    [{ protocol_type: 1, conn_type: 3 }, 'conn_type', 'Modbus TCP has no connection type 3 (RTU slave)'],
    [{ protocol_type: 6, conn_type: 1 }, 'protocol_type', 'must be one of 1, 2, 3, 4, 5'],
    [{ protocol_type: 1, conn_type: 1, port: 0 }, 'port', 'must be at least 1, not 0'],
    [{ protocol_type: 1, conn_type: 1, port: 65536 }, 'port', 'must be at most 65535, not 65536'],
    [{ protocol_type: 1, conn_type: 2, ip: '' }, 'ip', 'must not be empty'],
    [{ protocol_type: 1, conn_type: 2, ip: '127.0.0.1:502' }, 'ip', 'must be an IP address or a host name'],
    [{ protocol_type: 1, conn_type: 2, ip: 'http://127.0.0.1' }, 'ip', 'must be an IP address or a host name'],
    [{ protocol_type: 1, conn_type: 2, ip: '[::1]' }, 'ip', 'without port, brackets or spaces'],
    [{ protocol_type: 1, conn_type: 2, ip: '192.168.1 .10' }, 'ip', 'without port, brackets or spaces'],
    [{ protocol_type: 1, conn_type: 2, timeout_ms: 9 }, 'timeout_ms', 'must be at least 10'],
    [{ protocol_type: 1, conn_type: 2, parity: 'X' }, 'parity', 'must be one of N, E, O'],
    [{ protocol_type: 1, conn_type: 2, name: '   ' }, 'name', 'must not be empty'],
  ])('refuses %j with 422', async (fields, path, message) => {
    const reply = await post('/api/channel/add', { name: newName(), ...fields });
    expect(reply).toMatchObject({
      status: 422,
      body: { error: 'CONFIG_INVALID', data: [{ path, message: expect.stringContaining(message) }] },
    });
  });

  it.each(['10.0.0.1', '::1', 'fe80::1%eth0', '::ffff:10.0.0.1', 'pcs-1.station.local', 'localhost'])(
    'takes the address %s',
    async (ip) => {
      const { data } = await running.api.call('addChannel', { name: newName(), protocol_type: 1, conn_type: 2, ip });
      expect(data.ip).toBe(ip);
    },
  );

  it('says which protocols are built in', async () => {
    const reply = await post('/api/channel/add', { name: newName(), protocol_type: 3, conn_type: 2 });
    expect(reply).toMatchObject({
      status: 422,
      body: { data: [{ path: 'protocol_type', message: 'IEC 104 is not built into this version; built in: 1 (Modbus TCP)' }] },
    });
  });

  it('names all missing fields at once', async () => {
    const reply = await post('/api/channel/add', {});
    expect((reply.body as { data: { path: string }[] }).data.map((issue) => issue.path)).toEqual(['name', 'protocol_type', 'conn_type']);
  });

  it('warns of a protocol setting it does not know, and leaves it out', async () => {
    const reply = await post('/api/channel/add', { name: newName(), protocol_type: 1, conn_type: 2, protocol: { nonsense: 1 } });
    expect(reply).toMatchObject({ status: 200, body: { data: { protocol: {} }, warnings: [{ path: 'protocol.nonsense' }] } });
  });
});

describe('POST /api/device/start and stop', () => {
  it('starts a server, again without error, and stops it, again without error', async () => {
    const port = await freePort();
    const { id } = await addClient({ conn_type: 1, port });
    for (let turn = 0; turn < 2; turn++) {
      expect(await post('/api/device/start', { channel_id: id })).toMatchObject({
        status: 200,
        body: { data: { status: 'running', bound_port: port, last_error: null } },
      });
    }
    for (let turn = 0; turn < 2; turn++) {
      expect(await post('/api/device/stop', { channel_id: id })).toMatchObject({
        status: 200,
        body: { data: { status: 'stopped', bound_port: null } },
      });
    }
  });

  it('answers 503 when nobody listens, status error with the reason', async () => {
    const { id } = await addClient({ port: await freePort() });
    expect(await post('/api/device/start', { channel_id: id })).toMatchObject({
      status: 503,
      body: { code: 503, error: 'TRANSPORT_REFUSED', data: null },
    });
    const { data } = await running.api.call('listChannels', {});
    expect(data.find((channel) => channel.id === id)).toMatchObject({ status: 'error', last_error: expect.any(String) });
  });

  it('answers 409 when the listening port is taken', async () => {
    const peer = await silentPeer();
    const { id } = await addClient({ conn_type: 1, port: peer.port });
    expect(await post('/api/device/start', { channel_id: id })).toMatchObject({
      status: 409,
      body: { error: 'TRANSPORT_PORT_TAKEN', data: null },
    });
    await peer.close();
  });

  it('answers 409 naming the channel that has the port', async () => {
    const port = await freePort();
    const first = await addClient({ conn_type: 1, port });
    const second = await addClient({ conn_type: 1, port });
    await post('/api/device/start', { channel_id: first.id });
    const reply = await post('/api/device/start', { channel_id: second.id });
    expect(reply).toMatchObject({ status: 409, body: { message: expect.stringContaining(first.name) } });
    await post('/api/device/stop', { channel_id: first.id });
  });

  it.each(['start', 'stop', 'reload'])('answers 404 to %s of an unknown channel', async (action) => {
    expect(await post(`/api/device/${action}`, { channel_id: 999_999 })).toMatchObject({
      status: 404,
      body: { code: 404, error: 'CONFIG_NOT_FOUND', data: null },
    });
  });
});

describe('PUT /api/channel/update', () => {
  it('changes what is given and nothing else', async () => {
    const added = await addClient({ timeout_ms: 700 });
    const reply = await put('/api/channel/update', { channel_id: added.id, note: 'changed' });
    expect(reply).toMatchObject({ status: 200, body: { data: { note: 'changed', timeout_ms: 700, name: added.name } } });
  });

  it('checks the pair that results, and refuses taken names but not its own', async () => {
    const [one, two] = [await addClient(), await addClient()];
    expect(await put('/api/channel/update', { channel_id: one.id, conn_type: 0 })).toMatchObject({ status: 422 });
    expect(await put('/api/channel/update', { channel_id: one.id, name: two.name })).toMatchObject({ status: 409 });
    expect(await put('/api/channel/update', { channel_id: one.id, name: one.name })).toMatchObject({ status: 200 });
    expect(await put('/api/channel/update', { channel_id: 999_999, note: '' })).toMatchObject({ status: 404 });
    expect(await put('/api/channel/update', { channel_id: 999_999, port: 0 })).toMatchObject({ status: 422 });
  });

  it('keeps its group as one line, and refuses another', async () => {
    const added = await addClient({ group: 'Hall 1' });
    const { data: listed } = await running.api.call('listChannels', {});
    expect(listed.find(({ id }) => id === added.id)?.group).toBe('Hall 1');
    for (const group of ['x'.repeat(101), 'two\nlines', 5]) {
      expect(await put('/api/channel/update', { channel_id: added.id, group }), String(group)).toMatchObject({ status: 422 });
    }
    expect(await put('/api/channel/update', { channel_id: added.id, group: '' })).toMatchObject({
      status: 200,
      body: { data: { group: '' } },
    });
  });

  it('rebuilds a started channel when its connection changes, and not for name and note', async () => {
    const [before, after] = [await freePort(), await freePort()];
    const { id } = await addClient({ conn_type: 1, port: before });
    const started = await post('/api/device/start', { channel_id: id });
    const since = (started.body as { data: { since: string } }).data.since;
    const renamed = await put('/api/channel/update', { channel_id: id, name: newName(), note: 'n', group: ' Hall 1 ' });
    expect(renamed).toMatchObject({ body: { data: { status: 'running', since, bound_port: before } } });
    const moved = await put('/api/channel/update', { channel_id: id, port: after });
    expect(moved).toMatchObject({ status: 200, body: { data: { status: 'running', bound_port: after } } });
    await post('/api/device/stop', { channel_id: id });
  });
});

describe('DELETE /api/channel/delete', () => {
  it('answers with the removed channel, then 404', async () => {
    const added = await addClient({ conn_type: 1, port: await freePort() });
    await post('/api/device/start', { channel_id: added.id });
    const request = { method: 'DELETE', url: `/api/channel/delete?channel_id=${added.id}` } as const;
    expect(await running.send(request)).toMatchObject({
      status: 200,
      body: { data: { id: added.id, name: added.name, status: 'stopped' } },
    });
    expect(await running.send(request)).toMatchObject({ status: 404 });
    expect(await running.send({ method: 'DELETE', url: '/api/channel/delete' })).toMatchObject({ status: 422 });
  });

  it('never gives an id twice', async () => {
    const first = await addClient();
    await running.send({ method: 'DELETE', url: `/api/channel/delete?channel_id=${first.id}` });
    expect((await addClient()).id).toBeGreaterThan(first.id);
  });

  it('two at once: one removes, the other finds nothing', async () => {
    const { id } = await addClient();
    const request = { method: 'DELETE', url: `/api/channel/delete?channel_id=${id}` } as const;
    const statuses = (await Promise.all([running.send(request), running.send(request)])).map((reply) => reply.status);
    expect(statuses.sort()).toEqual([200, 404]);
  });
});

describe('what there is', () => {
  it('lists serial ports', async () => {
    const { data } = await running.api.call('listSerialPorts', {});
    expect(data).toEqual([
      { path: 'COM3', manufacturer: 'FTDI', vendor_id: '0403', product_id: '6001', serial_number: null, used_by: null },
    ]);
  });

  it('describes each protocol so that a form can be built from it', async () => {
    const { data } = await running.api.call('listProtocols', {});
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ protocol_type: 1, name: 'Modbus TCP', conn_types: [1, 2], default_port: 502, commands: ['operate'] });
    expect(data[0]?.channel_schema).toMatchObject({ type: 'object' });
    expect(data[0]?.point_fields.map((entry) => entry.frame_type)).toEqual([0, 1, 2, 3]);
  });
});
