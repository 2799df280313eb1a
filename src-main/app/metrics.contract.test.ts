import { afterEach, expect, it } from 'vitest';
import { CHANNEL_STATUSES, QUALITIES, TASK_STATES } from '#shared/domain/enums.ts';
import { silentPeer, startCore, startPair, until } from './testing/running-core.ts';

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

interface Parsed {
  readonly types: ReadonlyMap<string, string>;
  /** Numbers by name with labels, as written. */
  readonly values: ReadonlyMap<string, number>;
}

const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"/y;

/** Reads the text format 0.0.4 strictly: help, type, then samples of that family only, each label well formed, no sample twice. */
function parse(text: string): Parsed {
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  let [family, helped] = ['', ''];
  if (!text.endsWith('\n')) throw new Error('no line break at the end');
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-z_:][a-z0-9_:]*) \S.*$/.exec(line)?.[1];
    const type = /^# TYPE (\S+) (gauge|counter)$/.exec(line);
    const sample = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (NaN|[+-]Inf|-?[0-9.]+(?:e[+-]?\d+)?)$/.exec(line);
    if (help !== undefined) helped = help;
    else if (type?.[1] !== undefined) {
      if (type[1] !== helped || types.has(type[1])) throw new Error(`type out of place: ${line}`);
      family = type[1];
      types.set(family, type[2] ?? '');
      if ((type[2] === 'counter') !== family.endsWith('_total')) throw new Error(`name of a counter: ${line}`);
    } else if (sample?.[1] !== undefined && sample[1] === family) {
      const labels = sample[2] ?? '';
      let at = 0;
      while (at < labels.length) {
        LABEL.lastIndex = at;
        const found = LABEL.exec(labels);
        if (!found) throw new Error(`labels: ${line}`);
        at = LABEL.lastIndex;
        if (at < labels.length && labels[at] !== ',') throw new Error(`labels: ${line}`);
        at += 1;
      }
      const key = line.slice(0, line.lastIndexOf(' '));
      if (values.has(key)) throw new Error(`twice: ${line}`);
      values.set(key, Number(sample[3]));
    } else throw new Error(`no line of the format: ${line}`);
  }
  return { types, values };
}

it('tells numbers of service and channels in the text format of Prometheus', async () => {
  const running = await startCore({}, { cpuMs: () => 1500 });
  closings.push(() => running.close());
  const name = '电表 "1" \\ x';
  const point = { frame_type: 0, code: 'P', address: 0, decode: '0x21' } as const;
  const { clientId } = await startPair(running, { served: [point], read: [point, { ...point, code: 'Q', address: 9 }] }, { name });
  await running.api.call('startAutoRead', { device_name: name, cycle_interval_ms: 100 });
  await until(
    () => running.api.call('autoReadStatus', { device_name: name }),
    ({ data }) => data.cycle_count > 1,
  );
  await running.api.call('stopAutoRead', { device_name: name });
  const answer = await fetch(`${running.url}/api/metrics`);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(answer.headers.get('content-disposition')).toMatch(/^inline/);
  const { types, values } = parse(await answer.text());
  const label = 'channel="电表 \\"1\\" \\\\ x"';
  const of = (family: string, more = '') => values.get(`loopcheck_channel_${family}{${label}${more}}`);
  const channel = (await running.api.call('listChannels', {})).data.find(({ id }) => id === clientId);
  expect(values.get('process_cpu_seconds_total')).toBe(1.5);
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  expect([of('status', ',status="running"'), of('status', ',status="error"')]).toEqual([1, 0]);
  expect([of('points', ',quality="good"'), of('points', ',quality="invalid"')]).toEqual([1, 1]);
  expect([of('requests_total'), of('refusals_total'), of('sent_bytes_total')]).toEqual([
    channel?.health.requests,
    channel?.health.refusals,
    channel?.health.tx_bytes,
  ]);
  expect(of('latency_seconds')).toBeLessThan(5);
  expect([of('task_state', ',task="automatic",state="idle"'), of('task_cycles_total', ',task="automatic"')]).toEqual([
    1,
    expect.any(Number),
  ]);
  expect(of('info', `,channel_id="${clientId}",protocol="modbus-tcp"`)).toBe(1);
  expect([types.get('loopcheck_channel_latency_seconds'), types.get('loopcheck_events_total')]).toEqual(['gauge', 'counter']);
});

it('of a channel are those that the channel list and its tasks tell, times in seconds', async () => {
  const running = await startCore();
  closings.push(() => running.close());
  const { api, url } = running;
  const point = { frame_type: 0, code: 'P', address: 0, decode: '0x21' } as const;
  const read = [point, { ...point, code: 'Q', address: 9 }];
  const { clientId, device } = await startPair(running, { served: [point], read });
  await api.call('startAutoRead', { device_name: device, cycle_interval_ms: 100 });
  await until(
    () => api.call('autoReadStatus', { device_name: device }),
    ({ data }) => data.cycle_count > 1,
  );
  const task = (await api.call('stopAutoRead', { device_name: device })).data;
  const { types, values } = parse(await (await fetch(`${url}/api/metrics`)).text());
  const channel = (await api.call('listChannels', {})).data.find(({ id }) => id === clientId) ?? expect.fail('no channel');
  const { health } = channel;
  const own = `channel="${device}"`;
  const told = [...values].filter(([key]) => key.includes(own)).map(([key, value]) => [key.replace('loopcheck_channel_', ''), value]);
  const oneOf = (name: string, label: string, words: readonly string[], holds: string, more = '') =>
    words.map((word) => [`${name}{${own}${more},${label}="${word}"}`, Number(word === holds)]);
  const tasks = (name: string, automatic: number, manual: number) => [
    [`${name}{${own},task="automatic"}`, automatic],
    [`${name}{${own},task="manual"}`, manual],
  ];
  expect(told).toEqual([
    [`info{${own},channel_id="${clientId}",protocol="modbus-tcp"}`, 1],
    ...oneOf('status', 'status', CHANNEL_STATUSES, 'running'),
    ...QUALITIES.map((quality) => [`points{${own},quality="${quality}"}`, Number(quality === 'good' || quality === 'invalid')]),
    [`requests_total{${own}}`, health.requests],
    [`responses_total{${own}}`, health.responses],
    [`timeouts_total{${own}}`, 0],
    [`refusals_total{${own}}`, health.refusals],
    [`faults_total{${own}}`, 0],
    [`late_responses_total{${own}}`, 0],
    [`reconnects_total{${own}}`, 0],
    [`sent_bytes_total{${own}}`, health.tx_bytes],
    [`received_bytes_total{${own}}`, health.rx_bytes],
    [`clients{${own}}`, 0],
    [`suspended_slaves{${own}}`, 0],
    [`latency_seconds{${own}}`, (health.latency_ms ?? Number.NaN) / 1000],
    ...oneOf('task_state', 'state', TASK_STATES, task.state, ',task="automatic"'),
    ...oneOf('task_state', 'state', TASK_STATES, 'idle', ',task="manual"'),
    ...tasks('task_cycles_total', task.cycle_count, 0),
    [`task_cycle_seconds{${own},task="automatic"}`, (task.last_cycle_ms ?? Number.NaN) / 1000],
    ...tasks('task_failed_points', task.fail, 0),
  ]);
  expect(health.responses).toBeGreaterThan(1);
  const served = [...values].filter(([key]) => key.startsWith('loopcheck_channel_clients{channel="Served'));
  expect(served.map(([, clients]) => clients)).toEqual([1]);
  const gauges = [...types].filter(([, type]) => type === 'gauge').map(([name]) => name);
  expect(gauges.filter((name) => name.startsWith('loopcheck_channel_')).map((name) => name.slice('loopcheck_channel_'.length))).toEqual([
    'info',
    'status',
    'points',
    'clients',
    'suspended_slaves',
    'latency_seconds',
    'task_state',
    'task_cycle_seconds',
    'task_failed_points',
  ]);
});

it('tells slaves that are left out, timeouts and latency of a device that is silent', async () => {
  const running = await startCore();
  closings.push(() => running.close());
  const peer = await silentPeer();
  closings.push(peer.close);
  const { api, url } = running;
  const client = { name: 'Silent', protocol_type: 1, conn_type: 2, port: peer.port, timeout_ms: 20 } as const;
  const { data } = await api.call('addChannel', client);
  await api.call('addPoints', { channel_id: data.id, points: [{ frame_type: 0, code: 'P', address: 0 }] });
  await api.call('startDevice', { channel_id: data.id });
  await api.call('startAutoRead', { device_name: 'Silent', cycle_interval_ms: 100 });
  const metrics = async () => parse(await (await fetch(`${url}/api/metrics`)).text()).values;
  const values = await until(metrics, (now) => now.get('loopcheck_channel_suspended_slaves{channel="Silent"}') === 1);
  expect(values.get('loopcheck_channel_timeouts_total{channel="Silent"}')).toBeGreaterThanOrEqual(3);
  expect(values.has('loopcheck_channel_latency_seconds{channel="Silent"}')).toBe(false);
  expect(values.get('loopcheck_channel_task_state{channel="Silent",task="automatic",state="running"}')).toBe(1);
});

it.each([true, false])('of the service name its version, its start and what is wrong; read-only %s', async (readOnly) => {
  const running = await startCore({ readOnly }, { cpuMs: () => 1500 });
  closings.push(() => running.close());
  const info = (await running.api.call('serviceInfo', {})).data;
  const { types, values } = parse(await (await fetch(`${running.url}/api/metrics`)).text());
  const memory = values.get('process_resident_memory_bytes');
  expect([...values]).toEqual([
    [`loopcheck_build_info{version="${info.version}"}`, 1],
    ['process_cpu_seconds_total', 1.5],
    ['process_resident_memory_bytes', memory],
    ['process_start_time_seconds', Date.parse(info.started_at) / 1000],
    ['loopcheck_read_only', Number(readOnly)],
    ['loopcheck_warnings', info.warnings.length],
    ['loopcheck_events_total', 0],
    ['loopcheck_events_dropped_total', 0],
    ['loopcheck_stream_readers', 0],
    ['loopcheck_stream_missed_total', 0],
    ['loopcheck_stream_disconnected_total', 0],
  ]);
  expect([...types].filter(([, type]) => type === 'counter').map(([name]) => name)).toEqual([
    'process_cpu_seconds_total',
    'loopcheck_events_total',
    'loopcheck_events_dropped_total',
    'loopcheck_stream_missed_total',
    'loopcheck_stream_disconnected_total',
  ]);
});

it('of a project without channels are those of the service', async () => {
  const running = await startCore();
  closings.push(() => running.close());
  const { values } = parse(await (await fetch(`${running.url}/api/metrics`)).text());
  expect([...values.keys()].filter((key) => key.startsWith('loopcheck_channel'))).toEqual([]);
  expect(values.get('loopcheck_stream_readers')).toBe(0);
});
