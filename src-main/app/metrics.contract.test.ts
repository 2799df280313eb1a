import { afterEach, expect, it } from 'vitest';
import { startCore, startPair, until } from './testing/running-core.ts';

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

it('of a project without channels are those of the service', async () => {
  const running = await startCore();
  closings.push(() => running.close());
  const { values } = parse(await (await fetch(`${running.url}/api/metrics`)).text());
  expect([...values.keys()].filter((key) => key.startsWith('loopcheck_channel'))).toEqual([]);
  expect(values.get('loopcheck_stream_readers')).toBe(0);
});
