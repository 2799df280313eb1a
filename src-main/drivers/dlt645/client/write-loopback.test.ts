import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { DriverCommandResult, PointConfig } from '../../spi/index.ts';
import type { OperationResult } from '../../spi/operations.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { spoken } from '../../testing/spoken.ts';
import { type BenchOptions, bench, finish, pointsOf } from '../testing/bench.ts';
import { OPERATIONS } from './operations.ts';

const METER = '000012345678';
const SECRETS = { password_02: '000000', password_04: '000000', operator_code: '00000001' };
const POINTS = pointsOf([
  { address: 0x04000503, slave_id: Number(METER), frame_type: FrameType.yx, bit: 4 },
  { address: 0, slave_id: Number(METER), frame_type: FrameType.yk },
  { address: 0x04000103, slave_id: Number(METER), frame_type: FrameType.yt },
  { address: 0x00010000, slave_id: Number(METER) },
  { address: 0x01010000, slave_id: Number(METER) },
  { address: 0x04000102, slave_id: Number(METER) },
  { address: 0x05010101, slave_id: Number(METER) },
  { address: 0xc111, slave_id: 97, frame_type: FrameType.yt, protocol: { edition: 1997 } },
  { address: 0xa010, slave_id: 97, protocol: { edition: 1997 } },
]);
const [, YK, YT, , , , , YT97] = POINTS as [
  PointConfig,
  PointConfig,
  PointConfig,
  PointConfig,
  PointConfig,
  PointConfig,
  PointConfig,
  PointConfig,
];

/** A master and its meters, with what is asked of them one after the other. */
function setUp(options: Partial<BenchOptions> = {}) {
  const parts = bench({ points: POINTS, secrets: SECRETS, ...options });
  const { client, clock, line } = parts;
  const done = async <T>(promise: Promise<T>) => {
    const outcome = await finish(clock, promise);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
  const operate = (name: string, params: Record<string, unknown> = {}): Promise<OperationResult> => {
    const operation = OPERATIONS.find((each) => each.name === name);
    if (!operation) throw new Error(name);
    return done(client.operate(name, operation.params.parse(params), exchangeContext({ retries: 3 })));
  };
  const command = (point: PointConfig, value: number, commandOptions: Record<string, unknown> = {}): Promise<DriverCommandResult> =>
    done(client.execute({ point, step: 'operate', value, options: commandOptions }, exchangeContext({ retries: 3 })));
  const value = async (id: number) => {
    const reading = (await parts.readAll('single')).get(id);
    return reading?.kind === 'value' && reading.quality === 'good' ? reading.value : null;
  };
  const valueText = async (id: number) => {
    const reading = (await parts.readAll('single')).get(id);
    return reading?.kind === 'value' ? reading.valueText : '';
  };
  /** Frames of a function that the master has sent. */
  const sent = (control: number) => line.sent.filter(({ bytes }) => bytes[12] === control);
  return { ...parts, operate, command, value, valueText, sent };
}

describe('points', () => {
  it('YK trips and closes the relay, and the status word shows it', async () => {
    const { command, value, sent, operate } = setUp();
    expect(await value(1)).toBe(0);
    const tripped = await command(YK, 0);
    expect(tripped).toMatchObject({ outcome: 'accepted', refusal: null, failure: null });
    expect(tripped.stages.map(({ name }) => name)).toEqual(['sent', 'confirmed']);
    expect(await value(1)).toBe(1);
    await command(YK, 1);
    expect(await value(1)).toBe(0);
    expect(sent(0x1c)).toHaveLength(2);
    await command({ ...YK, protocol: { relay: 'hold' } }, 1);
    expect(spoken(await command(YK, 0))).toMatchObject({ outcome: 'rejected', refusal: { detail: 'error word 01 (other error)' } });
    expect((await operate('relay_control', { meter: METER, command: 'release' })).outcome).toBe('accepted');
    expect((await command(YK, 0)).outcome).toBe('accepted');
  });

  it('YK that a meter refuses because its clock is ahead names the clock, which is read for that', async () => {
    const { command, operate, sent, clock } = setUp();
    const ahead = new Date(clock.wallMs() + (480 + 20) * 60_000).toISOString().slice(11, 19);
    expect((await operate('write_data', { meter: METER, identifier: '04000102', value: ahead })).outcome).toBe('accepted');
    const refused = await command(YK, 0);
    expect(refused.outcome).toBe('rejected');
    expect(refused.stages.map(({ name }) => name)).toEqual(['sent', 'clock']);
    const words = /The clock of the meter says 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d, and the command was valid until .*valid_minutes/;
    expect(spoken(refused).stages.at(-1)?.detail).toMatch(words);
    expect(spoken(refused).refusal?.detail).toMatch(words);
    expect(sent(0x1c)).toHaveLength(1);
    expect((await operate('relay_control', { meter: METER, command: 'trip' })).stages.map(({ name }) => name)).toContain('clock');
    expect((await command(YK, 0, { valid_minutes: 60 })).outcome).toBe('accepted');
  });

  it('YK that only permits leaves the relay to the key of the meter', async () => {
    const { command, value } = setUp();
    const permit = { ...YK, protocol: { relay: 'permit' } };
    await command(permit, 0);
    await command(permit, 1);
    expect(await value(1)).toBe(1);
  });

  it('YT is written by 14, or by 04 where the meter is of 1997', async () => {
    const { command, value, sent } = setUp();
    expect((await command(YT, 30)).outcome).toBe('accepted');
    expect((await command(YT97, 45)).outcome).toBe('accepted');
    expect([await value(3), await value(8)]).toEqual([30, 45]);
    expect([sent(0x14).length, sent(0x04).length]).toEqual([1, 1]);
  });

  it('a write shows in all points of its meter and in no others, also behind an edit and where the meter has got another number', async () => {
    const { command, operate, server, slave } = setUp();
    const own = POINTS.filter(({ slave_id }) => slave_id === Number(METER)).map(({ id }) => id);
    const told = async (work: Promise<unknown>) => {
      slave.sink.applied.length = 0;
      await work;
      return slave.sink.applied.flatMap(({ readings }) => [...readings].map(({ pointId }) => pointId));
    };
    expect(await told(command(YT, 30))).toEqual(own);
    expect(await told(command(YT97, 45))).toEqual([8, 9]);
    const added = pointsOf([{ address: 0x02010100, slave_id: Number(METER) }]).map((point) => ({ ...point, id: 20 }));
    server.pointsEdited({ before: [YT97], after: added });
    expect(await told(command(YT, 40))).toEqual([...own, 20]);
    expect(await told(command(YT97, 50))).toEqual([9]);
    expect(await told(operate('write_data', { meter: METER, identifier: '04000401', value: '000000000099' }))).toEqual([...own, 20]);
    const renamed = { ...YT, slave_id: 99 };
    expect(await told(command(renamed, 20))).toEqual([...own, 20]);
  });

  it('refuse before anything is sent what cannot be written', async () => {
    const { command, line } = setUp();
    const wrong: [PointConfig, number, RegExp][] = [
      [YK, 2, /takes 0 or 1/],
      [YT, 100, /does not fit/],
      [YT, -1, /does not fit/],
      [{ ...YT, address: 0x00010000 }, 1, /is only read/],
      [{ ...YT, address: 0x04000c03 }, 1, /change_password/],
      [{ ...YT, address: 0x04010000 }, 1, /write_data/],
      [{ ...YT, protocol: { meter_address: 'AAAAAAAAAAAA' } }, 1, /one meter by its number/],
      [{ ...YK, protocol: { edition: 1997 } }, 1, /no relay control/],
    ];
    for (const [point, value, message] of wrong) await expect(command(point, value)).rejects.toThrow(message);
    expect(line.sent).toEqual([]);
  });
});

describe('operations', () => {
  it('read and set the number of the only meter', async () => {
    const { operate, sent } = setUp({ served: POINTS.slice(0, 7) });
    expect(await operate('read_address')).toMatchObject({ outcome: 'accepted', result: { meter: METER } });
    expect((await operate('set_address', { new_meter: '202600000001' })).outcome).toBe('accepted');
    expect(await operate('read_address')).toMatchObject({ result: { meter: '202600000001' } });
    expect((await operate('set_address', { new_meter: METER, meter: '202600000001' })).outcome).toBe('accepted');
    expect(sent(0x15)).toHaveLength(2);
  });

  it('set the number of a meter of 1997', async () => {
    const { operate, sent } = setUp({ served: POINTS.slice(7) });
    expect((await operate('set_address', { new_meter: '000000000098', edition: 1997 })).outcome).toBe('accepted');
    expect((await operate('set_address', { new_meter: '000000000097', meter: '000000000098', edition: 1997 })).outcome).toBe('accepted');
    expect(sent(0x0a)).toHaveLength(2);
  });

  it('set the clock by a frame that nobody answers', async () => {
    const { operate, valueText, sent, master } = setUp();
    const outcome = await operate('broadcast_time', { time: '2026-03-05T15:00:00' });
    expect(outcome.outcome).toBe('unknown');
    expect(spoken(outcome).stages[0]?.detail).toMatch(/No meter answers this/);
    expect(await valueText(6)).toMatch(/^15:00:0\d$/);
    await operate('broadcast_time', { meter: METER });
    expect(await valueText(6)).toMatch(/^14:30:0\d$/);
    expect(sent(0x08)).toHaveLength(2);
    expect(master.health.timeouts).toBe(0);
  });

  it('freeze one meter and all', async () => {
    const { operate, value } = setUp();
    expect((await operate('freeze', { meter: METER })).outcome).toBe('accepted');
    expect(await value(7)).toBe(await value(4));
    expect((await operate('freeze', { meter: METER, when: 'month', day: 1, hour: 0 })).outcome).toBe('accepted');
    expect((await operate('freeze', { meter: '999999999999' })).outcome).toBe('unknown');
  });

  it('write data of every kind', async () => {
    const { operate, valueText } = setUp();
    const write = (params: Record<string, unknown>) => operate('write_data', { meter: METER, ...params });
    expect((await write({ identifier: '04000102', value: '16:20:00' })).outcome).toBe('accepted');
    expect(await valueText(6)).toMatch(/^16:20:0/);
    const accepted = [
      { identifier: '0x04000101', value: 26030605 },
      { identifier: '04000601', value: 5 },
      { identifier: '04000404', value: '220V' },
      { identifier: '04010000', value: ['0101 01', '0701 02'] },
      { identifier: '04000306', value: 40 },
      { identifier: '04000103', value: '15', format: 'NN' },
      { meter: '000000000097', edition: 1997, identifier: 'C010', value: '2026-03-06 05' },
    ];
    for (const params of accepted) expect([params, (await write(params)).outcome]).toEqual([params, 'accepted']);
    await expect(write({ identifier: '04000101', value: '2026-13-06 05' })).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(write({ identifier: '04000103', value: 'x' })).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(write({ identifier: '04000403', value: '中' })).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    await expect(write({ identifier: '04010000', value: Array.from({ length: 14 }, () => '0101 01') })).rejects.toThrow(/50 data octets/);
    await expect(write({ identifier: 'EE000001', value: 1 })).rejects.toThrow(/not in the dictionary/);
    await expect(write({ identifier: '02010100', value: 1 })).rejects.toThrow(/is only read/);
    await expect(write({ identifier: 'C111', value: 1 })).rejects.toThrow(/8 digits/);
    await expect(write({ identifier: '04000C03', value: 1 })).rejects.toThrow(/change_password/);
    expect(await write({ identifier: 'EE000001', value: '01 02', format: 'record' })).toMatchObject({ outcome: 'rejected' });
  });

  it('change baud rate and output', async () => {
    const { operate } = setUp();
    expect((await operate('change_baud_rate', { meter: METER, baud_rate: 9600 })).outcome).toBe('accepted');
    expect((await operate('change_baud_rate', { meter: '000000000097', edition: 1997, baud_rate: 1200 })).outcome).toBe('accepted');
    expect((await operate('set_output', { meter: METER, output: 'slot_switch' })).outcome).toBe('accepted');
  });

  it('change a password from one secret to another', async () => {
    const secrets: Record<string, string> = { ...SECRETS, new_password: '112233' };
    const { operate, command } = setUp({ secrets });
    expect((await operate('change_password', { meter: METER, level: 4 })).outcome).toBe('accepted');
    secrets.password_04 = '112233';
    expect((await command(YT, 20, { level: 4 })).outcome).toBe('accepted');
    expect((await operate('change_password', { meter: '000000000097', edition: 1997, level: 2 })).outcome).toBe('accepted');
  });

  it('clear demands, events and the whole meter', async () => {
    const { operate, value } = setUp();
    expect(await value(5)).toBeGreaterThan(0);
    expect(await value(9)).toBeGreaterThan(0);
    await operate('clear_demand', { meter: METER });
    await operate('clear_demand', { meter: '000000000097', edition: 1997 });
    expect([await value(5), await value(9)]).toEqual([0, 0]);
    expect((await operate('clear_events', { meter: METER })).outcome).toBe('accepted');
    expect((await operate('clear_events', { meter: METER, identifier: '031100FF' })).outcome).toBe('accepted');
    expect(await value(4)).toBeGreaterThan(100);
    await operate('clear_meter', { meter: METER });
    expect(await value(4)).toBeLessThan(1);
  });

  it('say what they do, and that some cannot be undone', () => {
    const summaries = new Map(OPERATIONS.map(({ name, summary }) => [name, summary]));
    for (const name of ['clear_demand', 'clear_meter', 'clear_events']) expect(summaries.get(name)).toMatch(/Cannot be undone\.$/);
    expect(OPERATIONS.filter(({ effect }) => effect !== 'command').map(({ name, effect }) => [name, effect])).toEqual([
      ['read_address', 'repeatable'],
      ['write_blocks', 'query'],
    ]);
  });

  it('take no broadcast and no wildcard where one meter is needed', () => {
    for (const { name, params } of OPERATIONS.filter((each) => 'meter' in each.params.shape)) {
      const meters = ['999999999999', 'AAAAAAAAAAAA', '12345678'].filter((meter) => params.safeParse({ meter, ...NEEDED[name] }).success);
      expect([name, meters]).toEqual([name, name === 'broadcast_time' || name === 'freeze' ? ['999999999999'] : []]);
    }
  });
});

const NEEDED: Readonly<Record<string, Record<string, unknown>>> = {
  write_data: { identifier: '04000103', value: 1 },
  relay_control: { command: 'trip' },
  set_address: { new_meter: METER },
  change_baud_rate: { baud_rate: 9600 },
  change_password: { level: 4 },
  set_output: { output: 'second_pulse' },
};

describe('secrets', () => {
  it('that are missing are named before anything is sent', async () => {
    const { operate, command, line } = setUp({ secrets: {} });
    const missing = async (promise: Promise<unknown>) => {
      const error = await promise.then(
        () => null,
        (thrown: AppError) => thrown,
      );
      expect(error?.code).toBe('CONFIG_INVALID');
      return error?.message;
    };
    expect(await missing(command(YT, 20))).toMatch(
      /^Secrets password_04, operator_code of this channel are not set, so nothing was sent\./,
    );
    expect(await missing(command(YK, 0))).toMatch(/password_02, operator_code/);
    expect(await missing(command(YT97, 20))).toMatch(/^Secret password_04 of this channel is not set/);
    expect(await missing(operate('clear_demand', { meter: METER, level: 3 }))).toMatch(/password_03/);
    expect(await missing(operate('change_password', { meter: METER, level: 2 }))).toMatch(/password_02, new_password/);
    expect(line.sent).toEqual([]);
  });

  it('of a smaller level serve where the usual one is not set', async () => {
    const { command, sent } = setUp({ secrets: { password_02: '000000', operator_code: '00000001' } });
    expect((await command(YT, 20)).outcome).toBe('accepted');
    expect(hexText(sent(0x14)[0]?.bytes.subarray(18, 19) ?? new Uint8Array(0))).toBe('35');
  });
});

describe('a refused password', () => {
  it('blocks writes to that meter until somebody lifts it, whatever the connection', async () => {
    let kept: unknown;
    const lasting = {
      read: () => kept,
      write: (value: unknown) => {
        kept = JSON.parse(JSON.stringify(value));
      },
    };
    const secrets: Record<string, string> = { ...SECRETS, password_04: '999999' };
    const first = setUp({ secrets, lasting });
    const refused = await first.command(YT, 20);
    expect(spoken(refused)).toMatchObject({
      outcome: 'rejected',
      refusal: { kind: 'error_word', detail: 'error word 04 (password wrong or not authorised)' },
    });
    expect(refused.stages.map(({ name }) => name)).toEqual(['sent', 'blocked']);
    expect(JSON.stringify(refused)).not.toContain('999999');
    expect(first.sent(0x14)).toHaveLength(1);
    await expect(first.command(YK, 0)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringMatching(/blocked since 2026-03-05T06:30:00.*lift_write_block/s),
    });
    await expect(first.operate('freeze', { meter: METER })).rejects.toMatchObject({ code: 'STATE_CONFLICT' });

    const second = setUp({ lasting });
    await expect(second.command(YT, 20)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect((await second.command(YT97, 20)).outcome).toBe('accepted');
    expect(second.sent(0x14)).toEqual([]);
    expect(await second.operate('write_blocks')).toMatchObject({
      result: { blocks: [{ meter: METER, since: expect.stringMatching(/^2026/) }] },
    });
    expect(await second.operate('lift_write_block', { meter: METER })).toMatchObject({ result: { was_blocked: true } });
    expect((await second.command(YT, 20)).outcome).toBe('accepted');
    expect(await second.operate('lift_write_block', { meter: METER })).toMatchObject({ result: { was_blocked: false } });
  });

  it('holds for the connection when it cannot be stored', async () => {
    const lasting = {
      read: () => null,
      write: () => {
        throw new Error('the disk is full');
      },
    };
    const { command } = setUp({ secrets: { ...SECRETS, password_04: '999999' }, lasting });
    expect((await command(YT, 20)).outcome).toBe('rejected');
    await expect(command(YT, 20)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('three times locks a simulated meter for a day, also for the right one', async () => {
    const secrets: Record<string, string> = { ...SECRETS, password_04: '999999' };
    const { command, operate, clock } = setUp({ secrets });
    for (let attempt = 0; attempt < 3; attempt++) {
      expect((await command(YT, 20)).outcome).toBe('rejected');
      await operate('lift_write_block', { meter: METER });
    }
    secrets.password_04 = '000000';
    expect((await command(YT, 20)).outcome).toBe('rejected');
    await operate('lift_write_block', { meter: METER });
    await clock.advance(24 * 3_600_000);
    expect((await command(YT, 20)).outcome).toBe('accepted');
  });

  it('is not a matter of other errors', async () => {
    const { command } = setUp();
    expect((await command(YT, 99)).outcome).toBe('rejected');
    expect((await command(YT, 20)).outcome).toBe('accepted');
  });
});

describe('sent once', () => {
  it('with an unknown outcome when nobody answers, whatever the repeats of reads', async () => {
    const { command, operate, line } = setUp({ answerFilter: () => null });
    const writes: (() => Promise<{ outcome: string }>)[] = [
      () => command(YK, 0),
      () => command(YT, 20),
      () => command(YT97, 20),
      ...OPERATIONS.filter(({ name, effect }) => effect === 'command' && name !== 'lift_write_block').map(
        ({ name }) =>
          () =>
            operate(name, { ...(name === 'set_address' ? {} : { meter: METER }), ...NEEDED[name] }),
      ),
    ];
    // a read may go in front of a command, to tell its answer from that of the one before
    const commands = () => line.sent.filter(({ bytes }) => ![0x11, 0x01].includes(bytes[bytes.indexOf(0x68) + 8] ?? 0)).length;
    // password changes need one more secret
    for (const [index, write] of writes.entries()) {
      const before = commands();
      const outcome = await write().catch((error: AppError) => ({ outcome: error.message }));
      if (/new_password/.test(outcome.outcome)) continue;
      expect([index, outcome.outcome, commands() - before]).toEqual([index, 'unknown', 1]);
    }
    expect(commands()).toBe(writes.length - 1);
  });

  it('and not at all once the line has ended', async () => {
    const { command, line } = setUp();
    line.end();
    await expect(command(YT, 20)).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    expect(line.sent).toEqual([]);
  });

  it('an answer that is broken leaves it open', async () => {
    const { command, sent } = setUp({ answerFilter: (bytes) => bytes.with(bytes.length - 2, (bytes.at(-2) ?? 0) ^ 1) });
    const result = await command(YT, 20);
    expect(result).toMatchObject({ outcome: 'unknown', failure: { code: 'FRAME_CHECKSUM' } });
    expect(sent(0x14)).toHaveLength(1);
  });

  it('the number of the only meter may be asked for again', async () => {
    const { operate, sent } = setUp({ answerFilter: () => null });
    expect((await operate('read_address')).outcome).toBe('unknown');
    expect(sent(0x13)).toHaveLength(4);
  });
});
