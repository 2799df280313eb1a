import { describe, expect, it } from 'vitest';
import { listSerialPorts } from './serial-ports.ts';

describe('serial port list', () => {
  it('is in natural order, with null for what the system does not know', async () => {
    const ports = await listSerialPorts(async () => [
      { path: 'COM10', manufacturer: 'FTDI', vendorId: '0403', productId: '6001', serialNumber: 'A1' },
      { path: 'COM9' },
    ]);
    expect(ports).toEqual([
      { path: 'COM9', manufacturer: null, vendorId: null, productId: null, serialNumber: null },
      { path: 'COM10', manufacturer: 'FTDI', vendorId: '0403', productId: '6001', serialNumber: 'A1' },
    ]);
  });

  it('tells why the system does not list its ports', async () => {
    await expect(listSerialPorts(() => Promise.reject(new Error('spawn udevadm ENOENT')))).rejects.toMatchObject({
      code: 'TRANSPORT_PERMISSION',
      message: expect.stringContaining('udevadm'),
    });
  });

  it('answers on this computer, with or without ports', async () => {
    const answer = await listSerialPorts().catch((error: unknown) => error);
    expect(Array.isArray(answer) || (answer instanceof Error && answer.message.includes('did not list'))).toBe(true);
  });
});
