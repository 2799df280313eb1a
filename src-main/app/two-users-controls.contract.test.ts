/** Two users, a window and a script, at one control object at once: what the device was told to do, what each of them was told, and what the audit has. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { freePort, type RunningCore, startCore, until } from './testing/running-core.ts';

const ROUNDS = 12;
const CONTROL = 'LD0/CSWI1.Pos[CO]';

let running: RunningCore;
let served = 0;
let client = 0;
let point = 0;

beforeAll(async () => {
  running = await startCore({}, { drivers: createDriverRegistry([iec61850Driver]) });
  const { api } = running;
  const port = await freePort();
  const add = async (name: string, conn_type: 1 | 2, protocol: Record<string, unknown>) =>
    (await api.call('addChannel', { protocol_type: 5, port, name, conn_type, protocol, timeout_ms: 10_000 })).data.id;
  served = await add('Bay', 1, { refuse_reached_position: false });
  client = await add('Centre', 2, {});
  const control = { frame_type: 2, code: 'CB', reference: CONTROL, protocol: { control_model: 4 } } as const;
  const position = { frame_type: 1, code: 'POS', reference: 'LD0/CSWI1.Pos.stVal[ST]' } as const;
  for (const channel_id of [served, client]) {
    const { items } = (await api.call('addPoints', { channel_id, points: [control, position] })).data;
    if (channel_id === client) point = items[0]?.id ?? 0;
    await api.call('startDevice', { channel_id });
  }
  await until(
    async () => (await api.call('deviceModel', { channel_id: client })).data,
    ({ state, source }) => state === 'known' && source === 'device',
  );
});
afterAll(() => running.close());

type Step = 'operate' | 'select' | 'execute' | 'cancel';

/** Outcome and audit entry of a step; the status of one that was refused here. */
async function ask(step: Step, value: number) {
  const body = { channel_id: client, point_id: point, frame_type: 2, step, ...(step === 'cancel' ? {} : { value }) };
  const { status, body: answer } = await running.send({ method: 'POST', url: '/api/device/command', body });
  const { data } = answer as { data: { outcome: string; audit_id: number } | null };
  return { step, status, outcome: status === 200 ? data?.outcome : null, audit: status === 200 ? data?.audit_id : null };
}

describe('two users at one control', () => {
  it('each command is carried out once at most, told as it was, and audited once', async () => {
    const steps: readonly (readonly [Step, Step])[] = [
      ['operate', 'operate'],
      ['select', 'operate'],
      ['execute', 'cancel'],
      ['operate', 'cancel'],
      ['select', 'select'],
      ['cancel', 'execute'],
    ];
    const told = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [one, other] of steps) told.push(...(await Promise.all([ask(one, round % 2), ask(other, (round + 1) % 2)])));
    }
    expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { items, total } = (await running.api.call('listAudit', { channel_id: client, page_size: 1000 })).data;
    expect(total).toBe(told.length);
    const outcomes = new Map(items.map(({ id, step, outcome }) => [id, { step, outcome }]));
    for (const { step, status, outcome, audit } of told) if (status === 200) expect(outcomes.get(audit ?? 0)).toEqual({ step, outcome });
    expect(items.filter(({ outcome }) => outcome === 'failed')).toHaveLength(told.filter(({ status }) => status === 409).length);
    expect(items.filter(({ outcome }) => outcome === 'open' || outcome === 'unknown')).toEqual([]);
    const carriedOut = told.filter(({ step, outcome }) => outcome === 'accepted' && (step === 'operate' || step === 'execute'));
    const { items: events } = (await running.api.call('listEvents', { channel_id: served, limit: 2000 })).data;
    const commands = events.filter((event) => 'code' in event && event.code === 'CB');
    expect(carriedOut.length).toBeGreaterThan(ROUNDS);
    expect(commands).toHaveLength(carriedOut.length);
  });
});
