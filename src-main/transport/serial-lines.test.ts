import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../platform/manual-clock.ts';
import { createTransports } from './index.ts';
import { serialOpenError } from './serial-errors.ts';
import { SerialLines } from './serial-lines.ts';
import { adapter, FakeBinding } from './testing/fake-serial.ts';
import { codeOf, never, RecordedEvents } from './testing/line-conformance.ts';
import { tcpLine } from './testing/transport-conformance.ts';
import type { LineSettings } from './types.ts';

function setUp(...plugged: ReturnType<typeof adapter>[]) {
  const clock = new ManualClock();
  const binding = new FakeBinding();
  binding.plugged = plugged;
  const transports = createTransports(clock, new SerialLines(clock, binding, () => binding.list()));
  const line = (comPort: string, changes: Partial<LineSettings> = {}) =>
    transports.connector(tcpLine(0, { kind: 'serial', comPort, connectTimeoutMs: 3000, ...changes }));
  /** Opens a port and answers its line and what it is told. */
  const open = async (comPort: string, changes: Partial<LineSettings> = {}) => {
    const events = new RecordedEvents();
    const opened = line(comPort, changes);
    await opened.open(events, never());
    return { line: opened, events, handle: binding.last };
  };
  return { clock, binding, line, open };
}

describe('opening serial ports', () => {
  it('passes the settings on, and takes every spelling of COM10 and above', async () => {
    const { binding, open } = setUp(adapter('COM10'));
    for (const name of ['COM10', 'com10', '\\\\.\\COM10']) {
      const { line } = await open(name, { baudRate: 19_200, parity: 'E', stopBits: 2, dataBits: 7 });
      expect(line.label).toBe('COM10 19200 7E2');
      await line.close();
    }
    expect(binding.opened[2]?.options).toEqual({ path: 'COM10', baudRate: 19_200, dataBits: 7, stopBits: 2, parity: 'even', hupcl: true });
  });

  it('opens one port at a time', async () => {
    const { binding, open } = setUp(adapter('COM3'), adapter('COM4'), adapter('COM5'));
    await Promise.all([open('COM3'), open('COM4'), open('COM5')]);
    expect(binding.mostRunning).toBe(1);
    expect(binding.opened.map((item) => item.options.path)).toEqual(['COM3', 'COM4', 'COM5']);
  });

  it('gives up a driver that hangs in its open, lets the next port open, and closes what comes up after all', async () => {
    const { clock, binding, line, open } = setUp(adapter('COM3'), adapter('COM4'));
    binding.hangs.add('COM3');
    const hung = expect(line('COM3').open(new RecordedEvents(), never())).rejects.toMatchObject({
      code: 'TIMEOUT_CONNECT',
      message: expect.stringMatching(/COM3.*3000 ms/),
    });
    const next = open('COM4');
    await clock.advance(3000);
    await hung;
    await next;
    binding.hanging.get('COM3')?.();
    await settle();
    expect(binding.opened.map((item) => [item.options.path, item.handle.log.at(-1)])).toEqual([
      ['COM4', 'dtr on rts on'],
      ['COM3', 'close'],
    ]);
  });

  it('ends a wait for its turn at once when it is cancelled', async () => {
    const { binding, line } = setUp(adapter('COM3'), adapter('COM4'));
    binding.hangs.add('COM3');
    const hung = line('COM3').open(new RecordedEvents(), never());
    hung.catch(() => undefined);
    const controller = new AbortController();
    const waiting = codeOf(line('COM4').open(new RecordedEvents(), controller.signal));
    await settle();
    controller.abort();
    expect(await waiting).toBe('CANCELLED');
  });

  it('needs a port name', async () => {
    const { line } = setUp();
    expect(await codeOf(line('').open(new RecordedEvents(), never()))).toBe('STATE_CONFLICT');
  });

  it('says in words why a port does not open', () => {
    const told = (words: string) => serialOpenError(new Error(words), '/dev/ttyUSB0', ['/dev/ttyS0']);
    expect(told('Error: No such file or directory, cannot open /dev/ttyUSB0')).toMatchObject({
      code: 'TRANSPORT_PORT_MISSING',
      message: expect.stringContaining('There are: /dev/ttyS0.'),
    });
    expect(told('Error: Permission denied, cannot open /dev/ttyUSB0')).toMatchObject({
      code: 'TRANSPORT_PERMISSION',
      message: expect.stringContaining('dialout'),
    });
    expect(told('Error Resource temporarily unavailable Cannot lock port').code).toBe('TRANSPORT_PORT_TAKEN');
    expect(told('Opening COM3: Access denied').code).toBe('TRANSPORT_PORT_TAKEN');
    expect(told('Error baud rate of 12345 is not supported on your platform').message).toContain('baud rate');
    expect(told('Error: Inappropriate ioctl for device').message).toContain('no serial port');
    expect(told('Opening COM3: Unknown error code 31').code).toBe('TRANSPORT_UNREACHABLE');
  });
});

describe('control lines', () => {
  it('take the state that is asked for at open', async () => {
    const { open } = setUp(adapter('COM3'));
    const { handle } = await open('COM3', { serial: { dtrAtOpen: 'off', rtsAtOpen: 'off', rtsDirection: 'none' } });
    expect(handle.log).toEqual(['dtr off rts off']);
  });

  it('turn the driver of the line on for a block and off behind its last octet', async () => {
    const { clock, open } = setUp(adapter('COM3'));
    const { line, handle } = await open('COM3', { serial: { dtrAtOpen: 'on', rtsAtOpen: 'on', rtsDirection: 'high_to_send' } });
    const written = line.write(Uint8Array.of(1, 2, 3));
    await settle();
    // three octets of ten bits at 9600 baud take 3.1 ms
    expect(handle.log).toEqual(['dtr on rts off', 'dtr on rts on', 'write 010203', 'drain']);
    await clock.advance(3.2);
    await written;
    expect(handle.log.at(-1)).toBe('dtr on rts off');
  });
});

describe('an adapter that is pulled', () => {
  it('ends its line at once, even when the close of its port never returns', async () => {
    const { clock, open } = setUp(adapter('COM3'));
    const { line, events, handle } = await open('COM3');
    handle.hangsOnClose = true;
    handle.pull();
    await settle();
    expect(events.causes).toMatchObject([{ kind: 'failed', error: { code: 'TRANSPORT_LOST', message: expect.stringContaining('COM3') } }]);
    const closed = line.close();
    await clock.advance(1000);
    await closed;
    expect(events.causes).toHaveLength(1);
  });

  it('is noticed by asking the driver when its read does not end', async () => {
    const { clock, open } = setUp(adapter('COM3'));
    const { events, handle } = await open('COM3');
    handle.probeError = new Error('Error: Input/output error, cannot get');
    await clock.advance(1000);
    expect(events.causes).toMatchObject([{ kind: 'failed' }]);
    expect(clock.pending).toBe(0);
  });

  const STATUS = 'Getting control settings on COM port (GetCommModemStatus)';
  it.each([
    ['ERROR_INVALID_FUNCTION', `${STATUS}: Unknown error code 1`],
    ['ERROR_NOT_SUPPORTED', `${STATUS}: Unknown error code 50`],
    ['ERROR_GEN_FAILURE', `${STATUS}: Unknown error code 31`],
    ['ERROR_ACCESS_DENIED', `${STATUS}: Access denied`],
    ['ERROR_OPERATION_ABORTED', `${STATUS}: Operation aborted`],
    ['ERROR_INVALID_PARAMETER', `${STATUS}: The parameter is incorrect`],
    ['no terminal', 'Error: Inappropriate ioctl for device, cannot get'],
  ])('is no driver without modem status (%s): its port stands until the system does not list it any more', async (_name, words) => {
    const { clock, binding, open } = setUp(adapter('COM9', { vendorId: null, productId: null }));
    const { line, events, handle } = await open('COM9');
    handle.probeError = new Error(words);
    await clock.advance(3_600_000);
    expect(events.causes).toEqual([]);
    await line.write(Uint8Array.of(1));
    binding.plugged = [];
    await clock.advance(3000);
    binding.plugged = [adapter('COM9')];
    await clock.advance(30_000);
    expect(events.causes).toEqual([]);
    binding.plugged = [];
    await clock.advance(6000);
    expect(events.causes).toMatchObject([{ kind: 'failed', error: { code: 'TRANSPORT_LOST', message: expect.stringContaining('COM9') } }]);
    expect(clock.pending).toBe(0);
  });

  it('is told at once where its modem status was there before', async () => {
    const { clock, open } = setUp(adapter('COM3'));
    const { events, handle } = await open('COM3');
    await clock.advance(5000);
    handle.probeError = new Error(`${STATUS}: Unknown error code 22`);
    await clock.advance(1000);
    expect(events.causes).toMatchObject([{ kind: 'failed' }]);
  });

  it('is not guessed of a port that the system never listed, nor while it lists none', async () => {
    const { clock, binding, line, open } = setUp(adapter('COM3'));
    const { events, handle } = await open('COM3');
    handle.probeError = new Error(`${STATUS}: Unknown error code 1`);
    binding.listError = new Error('no list');
    await clock.advance(60_000);
    expect(events.causes).toEqual([]);
    const unlisted = new RecordedEvents();
    binding.hidden = [adapter('CNCA0')];
    const hidden = line('CNCA0');
    await hidden.open(unlisted, never());
    binding.last.probeError = handle.probeError;
    binding.listError = null;
    await clock.advance(60_000);
    expect(unlisted.causes).toEqual([]);
    binding.last.pull();
    await settle();
    expect(unlisted.causes).toMatchObject([{ kind: 'failed' }]);
  });

  it('is noticed by a write that fails', async () => {
    const { open } = setUp(adapter('COM3'));
    const { line, events, handle } = await open('COM3');
    handle.writeError = new Error('EIO: i/o error, write');
    expect(await codeOf(line.write(Uint8Array.of(1)))).toBe('TRANSPORT_LOST');
    expect(events.causes).toHaveLength(1);
  });

  it('blocks a new open of its port only until the deadline while the old close hangs', async () => {
    const { clock, line, open } = setUp(adapter('COM3'));
    const first = await open('COM3');
    first.handle.hangsOnClose = true;
    const closed = first.line.close();
    await clock.advance(1000);
    await closed;
    const again = codeOf(line('COM3').open(new RecordedEvents(), never()));
    await clock.advance(3000);
    expect(await again).toBe('TIMEOUT_CONNECT');
  });

  it.each([
    ['by its number', { serialNumber: 'A9', place: '1-1:1.0' }, { serialNumber: 'A9', place: '1-4:1.0' }],
    ['by its place', { place: '1-1:1.0' }, { place: '1-1:1.0' }],
    ['as the only one of its kind', { place: '1-1:1.0' }, { place: '1-7:1.0' }],
  ])('is found again under another name %s', async (_how, before, after) => {
    const { binding, open } = setUp(adapter('/dev/ttyUSB0', before));
    const first = await open('/dev/ttyUSB0');
    await first.line.close();
    binding.plugged = [adapter('/dev/ttyS0', { vendorId: null, productId: null }), adapter('/dev/ttyUSB3', after)];
    const again = await open('/dev/ttyUSB0');
    expect(again.line.label).toBe('/dev/ttyUSB3 9600 8N1');
    expect(again.line.serialPath).toBe('/dev/ttyUSB3');
  });

  it('follows its number when another adapter has taken its name', async () => {
    const { binding, open } = setUp(adapter('COM3', { serialNumber: 'A' }), adapter('COM4', { serialNumber: 'B' }));
    await (await open('COM3')).line.close();
    binding.plugged = [adapter('COM3', { serialNumber: 'B' }), adapter('COM4', { serialNumber: 'A' })];
    expect((await open('COM3')).line.serialPath).toBe('COM4');
  });

  it('may be replaced by another one under the same name', async () => {
    const { binding, open } = setUp(adapter('COM3', { serialNumber: 'A' }));
    await (await open('COM3')).line.close();
    binding.plugged = [adapter('COM3', { serialNumber: 'NEW' })];
    expect((await open('COM3')).line.serialPath).toBe('COM3');
  });

  it('asks which one when two fit, and names both', async () => {
    const { binding, line, open } = setUp(adapter('COM3', { place: 'a' }));
    await (await open('COM3')).line.close();
    binding.plugged = [adapter('COM7', { place: 'b' }), adapter('COM8', { place: 'c' })];
    await expect(line('COM3').open(new RecordedEvents(), never())).rejects.toMatchObject({
      code: 'TRANSPORT_PORT_MISSING',
      message: expect.stringMatching(/COM3.*COM7, COM8.*0403:6001.*com_port/),
    });
  });

  it('is not confused with one that another channel has open, nor with one of another number', async () => {
    const { binding, line, open } = setUp(adapter('COM3', { place: 'a' }), adapter('COM7', { place: 'b' }));
    const other = await open('COM7');
    await (await open('COM3')).line.close();
    binding.plugged = [adapter('COM7', { place: 'b' })];
    expect(await codeOf(line('COM3').open(new RecordedEvents(), never()))).toBe('TRANSPORT_PORT_MISSING');
    await other.line.close();
    binding.plugged = [adapter('COM9', { serialNumber: 'X' })];
    expect(await codeOf(line('COM3').open(new RecordedEvents(), never()))).toBe('TRANSPORT_PORT_MISSING');
  });
});
