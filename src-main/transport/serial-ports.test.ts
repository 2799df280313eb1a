import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/manual-clock.ts';
import { createPortLister, listBySysfs, listSerialPorts } from './serial-ports.ts';

describe('serial port list', () => {
  it('is in natural order, with null for what the system does not know', async () => {
    const ports = await listSerialPorts(async () => [
      { path: 'COM10', manufacturer: 'FTDI', vendorId: '0403', productId: '6001', serialNumber: 'A1', locationId: 'Port_#0003' },
      { path: 'COM9' },
    ]);
    expect(ports).toEqual([
      { path: 'COM9', manufacturer: null, vendorId: null, productId: null, serialNumber: null, place: null },
      { path: 'COM10', manufacturer: 'FTDI', vendorId: '0403', productId: '6001', serialNumber: 'A1', place: 'Port_#0003' },
    ]);
  });

  it('tells why the system does not list its ports', async () => {
    await expect(listSerialPorts(() => Promise.reject(new Error('spawn udevadm ENOENT')))).rejects.toMatchObject({
      code: 'TRANSPORT_PERMISSION',
      message: expect.stringContaining('udevadm'),
    });
  });

  it('reads USB adapters out of the table of a Linux kernel, and leaves out UARTs that are not there', async () => {
    const root = mkdtempSync(join(tmpdir(), 'loopcheck-sysfs-'));
    const usb = join(root, 'devices/usb1/1-4');
    const folder = join(usb, '1-4:1.1/ttyUSB0');
    for (const path of [
      folder,
      join(root, 'class/ttyUSB0'),
      join(root, 'class/ttyS0'),
      join(root, 'class/ttyS1'),
      join(root, 'class/tty1'),
    ])
      mkdirSync(path, { recursive: true });
    const files = { idVendor: '1a86', idProduct: '7523', manufacturer: 'QinHeng' };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(usb, name), `${text}\n`);
    symlinkSync(folder, join(root, 'class/ttyUSB0/device'));
    mkdirSync(join(root, 'devices/pnp'));
    for (const [name, type] of [
      ['ttyS0', '4'],
      ['ttyS1', '0'],
    ] as const) {
      symlinkSync(join(root, 'devices/pnp'), join(root, 'class', name, 'device'));
      writeFileSync(join(root, 'class', name, 'type'), `${type}\n`);
    }
    expect(await listSerialPorts(() => listBySysfs(join(root, 'class')))).toEqual([
      { path: '/dev/ttyS0', manufacturer: null, vendorId: null, productId: null, serialNumber: null, place: null },
      { path: '/dev/ttyUSB0', manufacturer: 'QinHeng', vendorId: '1A86', productId: '7523', serialNumber: null, place: '1-4:1.1' },
    ]);
    rmSync(root, { recursive: true });
  });

  it('is looked up once for many askers, and anew after a second', async () => {
    const clock = new ManualClock();
    let lookups = 0;
    const list = createPortLister(clock, async () => {
      lookups += 1;
      return [];
    });
    await Promise.all([list(), list(), list()]);
    expect(lookups).toBe(1);
    await clock.advance(999);
    await list();
    expect(lookups).toBe(1);
    await clock.advance(1);
    await list();
    expect(lookups).toBe(2);
  });

  it('asks again at once after a failure', async () => {
    let lookups = 0;
    const list = createPortLister(new ManualClock(), async () => {
      lookups += 1;
      if (lookups === 1) throw new Error('no');
      return [];
    });
    await expect(list()).rejects.toThrow('no');
    expect(await list()).toEqual([]);
  });

  it('answers on this computer, with or without ports', async () => {
    const answer = await listSerialPorts().catch((error: unknown) => error);
    expect(Array.isArray(answer) || (answer instanceof Error && answer.message.includes('did not list'))).toBe(true);
  });
});
