/** Captures of IEC 104 that another stack made become recorded values, and a controlling station of ours gets them from the served replay. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DataOf } from '#shared/contract/index.ts';
import { isCounterType } from '../drivers/iec104/point-types.ts';
import { qualityFlags } from '../drivers/iec104/quality.ts';
import { readCaptures, readVectors } from '../drivers/iec104/testing/captures.ts';
import { goldenAsdu } from '../drivers/iec104/testing/vector-objects.ts';
import { plainValue } from '../drivers/iec104/values.ts';
import { createLazyDrivers } from './lazy-drivers.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

const running: RunningCore[] = [];
afterEach(async () => {
  for (const core of running.splice(0)) await core.close();
});

const fileOf = (name: string) => new File([readFileSync(join(import.meta.dirname, `../capture/vectors/${name}.pcap`))], `${name}.pcap`);

/** `S1_O7 = 1 IV NT`, for each change of an object by the golden fields, in their order. A number that is none keeps the one before. */
function changes(name: string): string[] {
  const vectors = new Map(readVectors().map(({ bytes, asdu }) => [Buffer.from(bytes).toString('hex'), asdu]));
  const events = readCaptures().find((each) => each.name === name)?.events ?? [];
  // what a station serves before it was told anything
  const had = new Map<string, { value: number; text: string }>();
  return events.flatMap(({ bytes }) => {
    const fields = vectors.get(Buffer.from(bytes).toString('hex'));
    // counters are sent when they are asked for
    if (!fields || fields.type > 37 || isCounterType(fields.type) || fields.negative || fields.test) return [];
    return goldenAsdu(fields).objects.flatMap((object) => {
      if (!('value' in object)) return [];
      const code = `S${fields.ca}_O${object.address}`;
      const before = had.get(code) ?? { value: 0, text: `${code} = 0 ` };
      const isNumber = Number.isFinite(object.value);
      const quality = ('quality' in object ? object.quality : 0) | (isNumber ? 0 : 0x80);
      const value = isNumber ? plainValue(object.kind, object.value) : before.value;
      const text = `${code} = ${value} ${qualityFlags(quality).join(' ')}`;
      had.set(code, { value, text });
      return text === before.text ? [] : [text];
    });
  });
}

type Taken = DataOf<'takeCapture'>;

/** A served channel and a client of it, both of the points of a capture; it begins when the client is there. */
async function replay(name: string, speed: number): Promise<{ core: RunningCore; taken: Taken; serverId: number; clientId: number }> {
  const core = await startCore({}, { drivers: createLazyDrivers() });
  running.push(core);
  const { api } = core;
  const taken = (await api.call('takeCapture', { file: fileOf(name), once: 'true' })).data;
  const port = await freePort();
  const channel = { protocol_type: 3, ip: '127.0.0.1', port } as const;
  const protocol = { time_zone: 'UTC' };
  const server = (await api.call('addChannel', { ...channel, name: 'Replay', conn_type: 1, protocol })).data;
  await api.call('addPoints', { channel_id: server.id, points: taken.points });
  await api.call('setSimulation', { channel_id: server.id, is_on: false, speed, period_ms: 50 });
  await api.call('startDevice', { channel_id: server.id });
  const client = (await api.call('addChannel', { ...channel, name: 'Client', conn_type: 2, protocol })).data;
  const asked = taken.points.map((point) => ({ ...point, protocol: { type_id: point.protocol?.type_id } }));
  await api.call('addPoints', { channel_id: client.id, points: asked });
  await api.call('startDevice', { channel_id: client.id });
  const table = () => api.call('pointTable', { channel_id: client.id, page: 1, page_size: 10 });
  await until(table, ({ data }) => data.items.some(({ quality }) => quality === 'good'));
  await api.call('setSimulation', { channel_id: server.id, is_on: true, anew: true });
  return { core, taken, serverId: server.id, clientId: client.id };
}

/** The same of what the client has logged; the bits that one message brought are put together again. */
async function seen(core: RunningCore, channel_id: number): Promise<string[]> {
  const { items } = (await core.api.call('listEvents', { channel_id, limit: 2000 })).data;
  const told: { code: string; value: number; flags: string }[] = [];
  const bits = new Set<string>();
  for (const { kind, code: point, value, flags } of items) {
    if (kind !== 'change') continue;
    const [, code = point, bit] = /^(S\d+_O\d+)_(\d+)$/.exec(point) ?? [];
    const last = told.at(-1);
    const number = (value ?? 0) * 2 ** Number(bit ?? 0);
    const isSameMessage = bit !== undefined && last?.code === code && !bits.has(point);
    if (!isSameMessage) bits.clear();
    bits.add(point);
    if (isSameMessage && last) last.value += number;
    else told.push({ code, value: number, flags: flags.join(' ') });
  }
  return told.map(({ code, value, flags }) => `${code} = ${value} ${flags}`);
}

describe('a capture of IEC 104', () => {
  it.each([
    ['32_monitor_cp56', 1],
    ['34_quality_flags', 1],
    ['91_chinese_profile', 5],
  ])('of another stack is served again: all values with their quality, in their order: %s', { timeout: 60_000 }, async (name, speed) => {
    const { core, taken, clientId, serverId } = await replay(name, speed);
    expect(taken).toMatchObject({ protocol_type: 3, protocol: {} });
    const expected = changes(name);
    expect(expected.length).toBeGreaterThan(15);
    await expect.poll(() => seen(core, clientId), { timeout: 40_000 }).toEqual(expected);
    const { faults } = (await core.api.call('simulation', { channel_id: serverId })).data;
    expect(faults).toEqual([]);
  });
});
