import { describe, expect, it } from 'vitest';
import { ConnType } from '#shared/domain/enums.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import { encodeRead } from '../modbus/codec/request.ts';
import { modbusRtuDriver } from '../modbus/rtu/driver.ts';
import { encodeRtu } from '../modbus/rtu/framing.ts';
import { TestLine } from '../modbus/testing/line.ts';
import { octets } from '../modbus/vectors/load.ts';
import { testPoint } from '../testing/points.ts';
import { clientSettings } from '../testing/settings.ts';
import { TestFrames, TestHealth, TestSink } from '../testing/sinks.ts';

const asked = encodeRtu(1, encodeRead(3, 0, 2));
const answer = encodeRtu(1, octets('03 04 00 07 00 08'));
const POINTS = [0, 1].map((address) => testPoint({ id: address + 1, slave_id: 1, address }));

async function listener() {
  const clock = new ManualClock();
  const [line, sink, frames, health] = [new TestLine(), new TestSink(), new TestFrames(), new TestHealth()];
  const protocol = modbusRtuDriver.descriptor.channelSettings.parse({ listen_only: 'on', heard_limit_s: 10 });
  const settings = clientSettings({ connType: ConnType.rtuMaster, protocol });
  const io = { clock, line, sink, frames, health, settings, points: POINTS, memory: new Map() };
  const connection = await modbusRtuDriver.connect(io, new AbortController().signal);
  const told = () => sink.applied.flatMap(({ readings }) => [...readings]);
  return { clock, line, sink, frames, health, connection, told };
}

describe('a connection that only listens', () => {
  it('refuses to read and write, and has nothing to ask in any plan', async () => {
    const { line, connection } = await listener();
    const context = { signal: new AbortController().signal, retries: 3, isStopping: () => false };
    const plan = connection.plan(POINTS, { mode: 'batch', skipKnownHoles: false });
    expect(plan.batches).toEqual([]);
    expect(plan.excluded).toMatchObject([{ error: { code: 'STATE_CONFLICT' } }, { error: { code: 'STATE_CONFLICT' } }]);
    await expect(connection.read({ slaveId: 1, pointIds: [1] }, context)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    const command = { point: testPoint({}), step: 'operate' as const, value: 1, options: {} };
    await expect(connection.execute(command, context)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(connection.diagnostics).toBeUndefined();
    expect(connection.operate).toBeUndefined();
    expect(line.sent).toEqual([]);
  });

  it('has refused points where a slave cannot answer the other master, and not where it refuses an address of several', async () => {
    const { line, told } = await listener();
    line.receive(asked);
    line.receive(encodeRtu(1, octets('83 02')));
    expect(told()).toEqual([]);
    line.receive(encodeRtu(1, encodeRead(3, 1, 1)));
    line.receive(encodeRtu(1, octets('83 02')));
    expect(told()).toMatchObject([{ kind: 'failure', pointId: 2, error: { code: 'DEVICE_EXCEPTION' } }]);
    line.receive(asked);
    line.receive(encodeRtu(1, octets('83 04')));
    expect(told().slice(1)).toMatchObject([
      { kind: 'failure', pointId: 1, error: { code: 'DEVICE_EXCEPTION' } },
      { kind: 'failure', pointId: 2, error: { code: 'DEVICE_EXCEPTION' } },
    ]);
    line.receive(asked);
    line.receive(answer);
    expect(told().slice(3)).toMatchObject([
      { kind: 'value', pointId: 1, value: 7 },
      { kind: 'value', pointId: 2, value: 8 },
    ]);
  });

  it('tells once that a value was not heard any more, and takes it again', async () => {
    const { clock, line, told } = await listener();
    line.receive(asked);
    line.receive(answer);
    expect(told()).toMatchObject([
      { kind: 'value', pointId: 1, value: 7 },
      { kind: 'value', pointId: 2, value: 8 },
    ]);
    await clock.advance(9_000);
    expect(told()).toHaveLength(2);
    await clock.advance(2_000);
    expect(told().slice(2)).toMatchObject([
      { kind: 'failure', pointId: 1, error: { code: 'TIMEOUT_RESPONSE' } },
      { kind: 'failure', pointId: 2, error: { code: 'TIMEOUT_RESPONSE' } },
    ]);
    await clock.advance(60_000);
    expect(told()).toHaveLength(4);
    line.receive(asked);
    line.receive(answer);
    expect(told()).toHaveLength(6);
  });

  it('takes a last answer without waiting for the next request, and a changed table at once', async () => {
    const { clock, line, connection, told } = await listener();
    const one = encodeRtu(1, encodeRead(3, 1, 1));
    line.receive(one);
    line.receive(encodeRtu(1, octets('03 02 00 05')));
    await clock.advance(300);
    expect(told()).toMatchObject([{ pointId: 2, value: 5 }]);
    connection.pointsChanged([testPoint({ id: 9, slave_id: 1, address: 1 })]);
    line.receive(asked);
    line.receive(answer);
    expect(told().slice(1)).toMatchObject([{ pointId: 9, value: 8 }]);
    connection.pointsEdited?.({ before: [testPoint({ id: 9, slave_id: 1, address: 1 })], after: [] });
    line.receive(asked);
    line.receive(answer);
    await clock.advance(60_000);
    expect(told()).toHaveLength(2);
  });

  it('tells a command of the other master, a silent slave and two devices with one address', async () => {
    const { clock, line, sink, health, frames } = await listener();
    const write = encodeRtu(1, octets('10 00 01 00 02 04 00 0A 01 02'));
    line.receive(write);
    line.receive(encodeRtu(1, octets('10 00 01 00 02')));
    line.receive(asked);
    await clock.advance(20_000);
    line.receive(asked);
    line.receive(answer);
    line.receive(answer);
    await clock.advance(20_000);
    expect(sink.notices.join('\n')).toMatch(/a command of another master to slave 1, .*address 1: 10 258/);
    expect(sink.notices.join('\n')).toMatch(/two devices may have the same address/);
    expect(health).toMatchObject({ timeouts: 1, responses: 2 });
    expect(frames.of('tx')).toEqual([]);
    const [request, confirmation] = frames.of('rx');
    expect(confirmation?.link).toBe(request?.seq);
  });
});
