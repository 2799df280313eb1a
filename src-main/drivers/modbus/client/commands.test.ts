import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import type { Command, DriverCommandResult, ExchangeContext, PointConfig } from '../../spi/index.ts';
import { testPoint } from '../../testing/points.ts';
import { clientSettings } from '../../testing/settings.ts';
import { exchangeContext, TestFrames, TestHealth, TestSink } from '../../testing/sinks.ts';
import { spoken } from '../../testing/spoken.ts';
import { modbusTcpDriver } from '../driver.ts';
import { encodeMbap } from '../link/mbap.ts';
import { TestLine } from '../testing/line.ts';
import { octets } from '../vectors/load.ts';

/**
 * Runs one command against a device that gives `answers` (PDUs as hex, `=` repeats the request, '' is silence) in order. `sent` are
 * the PDUs that were sent.
 */
async function command(point: PointConfig, value: number, answers: readonly string[], context: Partial<ExchangeContext> = {}) {
  const run = await start(point, context);
  let next = 0;
  run.line.onWrite = (bytes) => {
    const script = answers[next++] ?? '';
    if (script === '') return;
    const pdu = script === '=' ? Uint8Array.from(bytes.subarray(7)) : octets(script);
    run.line.receive(encodeMbap(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0), bytes[6] ?? 0, pdu));
  };
  return run.finish(value);
}

async function start(point: PointConfig, context: Partial<ExchangeContext> = {}) {
  const clock = new ManualClock();
  const line = new TestLine();
  const io = {
    clock,
    settings: clientSettings(),
    points: [point],
    sink: new TestSink(),
    frames: new TestFrames(),
    health: new TestHealth(),
    line,
  };
  const client = await modbusTcpDriver.connect(io, new AbortController().signal);
  const finish = async (value: number | undefined, changes: Partial<Command> = {}) => {
    const done = client.execute({ point, step: 'operate', value, options: {}, ...changes }, exchangeContext({ retries: 3, ...context }));
    let result: DriverCommandResult | undefined;
    done.then(
      (value_) => {
        result = value_;
      },
      () => {},
    );
    await settle();
    if (!result) await clock.advance(10_000);
    return {
      result: await done,
      sent: line.sent.map((bytes) => bytes.subarray(7)),
      stages: (await done).stages.map((stage) => stage.name),
    };
  };
  return { line, clock, finish };
}

const coil = testPoint({ address: 0xac, frame_type: FrameType.yk, func_code: 5 });
const setpoint = testPoint({ address: 1, frame_type: FrameType.yt, func_code: 6, decode: '0x20', mul_coe: 0.1 });
const wide = testPoint({ address: 1, frame_type: FrameType.yt, func_code: 16, decode: '0x42' });
const bit = testPoint({ address: 4, frame_type: FrameType.yk, func_code: 6, decode: '0x20', bit: 3 });

describe('Modbus commands, accepted', () => {
  it('sends a YK by function 5', async () => {
    const { result, sent, stages } = await command(coil, 1, ['=']);
    expect(result).toMatchObject({ outcome: 'accepted', refusal: null, failure: null });
    expect(sent).toEqual([octets('05 00 AC FF 00')]);
    expect(stages).toEqual(['sent', 'confirmed']);
  });

  it('sends a YK by function 15 where the point says so', async () => {
    const { result, sent } = await command({ ...coil, func_code: 15 }, 1, ['0F 00 AC 00 01']);
    expect(result.outcome).toBe('accepted');
    expect(sent).toEqual([octets('0F 00 AC 00 01 01 01')]);
  });

  it('sends a YT of one register by function 6, rounded: 0.3 at a scale of 0.1 is 3', async () => {
    const { sent } = await command(setpoint, 0.3, ['=']);
    expect(sent).toEqual([octets('06 00 01 00 03')]);
  });

  it('sends a YT of one register by function 16 where the point says so', async () => {
    const { sent } = await command({ ...setpoint, func_code: 16 }, 0.3, ['10 00 01 00 01']);
    expect(sent).toEqual([octets('10 00 01 00 01 02 00 03')]);
  });

  it('sends a YT of two registers by function 16', async () => {
    const { result, sent } = await command(wide, 1234.5, ['10 00 01 00 02']);
    expect(result.outcome).toBe('accepted');
    expect(sent).toEqual([octets('10 00 01 00 02 04 44 9A 50 00')]);
  });

  it('sends a bit of a register by function 22', async () => {
    const { sent } = await command(bit, 1, ['=']);
    expect(sent).toEqual([octets('16 00 04 FF F7 00 08')]);
    expect((await command(bit, 0, ['='])).sent).toEqual([octets('16 00 04 FF F7 00 00')]);
  });

  it('exception 5 means accepted and not finished', async () => {
    const { result, stages } = await command(setpoint, 1, ['86 05']);
    expect(result).toMatchObject({ outcome: 'accepted', refusal: null });
    expect(stages).toEqual(['sent', 'acknowledged']);
    expect(spoken(result).stages[1]?.detail).toMatch(/has not finished/);
  });
});

describe('Modbus commands, refused or without an outcome', () => {
  it('exception 6 is a rejection', async () => {
    const { result, sent } = await command(setpoint, 1, ['86 06']);
    expect(spoken(result)).toMatchObject({
      outcome: 'rejected',
      refusal: { kind: 'exception', detail: expect.stringMatching(/exception 6 \(Server Device Busy\)/) },
    });
    expect(sent).toHaveLength(1);
  });

  it('exception 11 leaves the outcome open: a gateway heard nothing', async () => {
    const { result } = await command(setpoint, 1, ['86 0B']);
    expect(result).toMatchObject({ outcome: 'unknown', failure: { code: 'DEVICE_EXCEPTION' } });
  });

  it('no answer: unknown, sent once although reads would be repeated', async () => {
    const { result, sent, stages } = await command(setpoint, 1, ['', '=']);
    expect(result).toMatchObject({ outcome: 'unknown', failure: { code: 'TIMEOUT_RESPONSE' } });
    expect(sent).toHaveLength(1);
    expect(stages).toEqual(['sent', 'unanswered']);
  });

  it('an echo of another value: unknown, and the stage tells what came back', async () => {
    const { result } = await command(setpoint, 0.3, ['06 00 01 00 04']);
    expect(result).toMatchObject({ outcome: 'unknown', failure: { code: 'PROTOCOL_MISMATCH' } });
    expect(spoken(result).stages[1]?.detail).toMatch(/06 00 01 00 04 came back/);
  });

  it('a line that ends while the answer is awaited: unknown', async () => {
    const { line, finish } = await start(setpoint);
    line.onWrite = () => line.end({ kind: 'peer' });
    expect((await finish(1)).result).toMatchObject({ outcome: 'unknown', failure: { code: 'TRANSPORT_LOST' } });
  });
});

describe('Modbus commands that are not sent', () => {
  it('a value outside the raw range is refused before anything is sent', async () => {
    const { line, finish } = await start(setpoint);
    await expect(finish(7000)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
    expect(line.sent).toEqual([]);
  });

  it('steps that Modbus has not are refused', async () => {
    const { line, finish } = await start(setpoint);
    await expect(finish(1, { step: 'select' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(finish(undefined)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(line.sent).toEqual([]);
  });

  it('a missing connection is thrown', async () => {
    const { line, finish } = await start(setpoint);
    line.writeError = new AppError('TRANSPORT_NOT_CONNECTED', quoted('No connection.'));
    await expect(finish(1)).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
  });

  it('an address below the address base is refused', async () => {
    const { finish } = await start({ ...setpoint, address: -1 });
    await expect(finish(1)).rejects.toMatchObject({ code: 'CONFIG_RANGE' });
  });
});

describe('Modbus bit writes without function 22', () => {
  it('after exception 1: reads, changes the one bit, writes by 6, and says that this is not atomic', async () => {
    const { result, sent, stages } = await command(bit, 1, ['96 01', '03 02 F0 F0', '=']);
    expect(result.outcome).toBe('accepted');
    expect(sent).toEqual([octets('16 00 04 FF F7 00 08'), octets('03 00 04 00 01'), octets('06 00 04 F0 F8')]);
    expect(stages).toEqual(['sent', 'fallback', 'sent', 'read', 'sent', 'confirmed']);
    expect(spoken(result).stages[1]?.detail).toMatch(/not atomic/);
  });

  it('writes back by 16 where the point says so', async () => {
    const { sent } = await command({ ...bit, func_code: 16 }, 0, ['96 01', '03 02 F0 F8', '10 00 04 00 01']);
    expect(sent[2]).toEqual(octets('10 00 04 00 01 02 F0 F0'));
  });

  it.each([
    ['another exception than 1', ['96 02'], 'rejected', 1],
    ['silence', [''], 'unknown', 1],
    ['a register that cannot be read', ['96 01', '83 02'], 'rejected', 2],
    ['a read without answer', ['96 01', ''], 'rejected', 2],
    ['a write without answer', ['96 01', '03 02 00 00', ''], 'unknown', 3],
  ] as const)('%s', async (_name, answers, outcome, requests) => {
    const { result, sent } = await command(bit, 1, answers);
    expect(result.outcome).toBe(outcome);
    expect(sent).toHaveLength(requests);
  });

  it('sends no further frame once a stop was requested', async () => {
    const { result, sent } = await command(bit, 1, ['96 01', '03 02 00 00', '='], { isStopping: () => true });
    expect(result.outcome).toBe('rejected');
    expect(sent).toHaveLength(1);
  });
});
