import { AppError } from '#shared/domain/errors.ts';

/** A serial port as the system lists it; null where it knows nothing. */
export interface SystemSerialPort {
  /** Name to open it by: `COM3`, `/dev/ttyUSB0`. */
  readonly path: string;
  readonly manufacturer: string | null;
  /** USB vendor and product, four hexadecimal digits. */
  readonly vendorId: string | null;
  readonly productId: string | null;
  readonly serialNumber: string | null;
}

/** What the listing of the serialport package answers with, as far as it is used. */
interface ListedPort {
  readonly path: string;
  readonly manufacturer?: string | undefined;
  readonly vendorId?: string | undefined;
  readonly productId?: string | undefined;
  readonly serialNumber?: string | undefined;
}

/** COM9 before COM10, ttyUSB2 before ttyUSB10. */
const byPath = new Intl.Collator('en', { numeric: true });

async function listBySystem(): Promise<readonly ListedPort[]> {
  // Loaded at the first use: a native module that cannot be loaded costs the list, not the start of the service.
  const { SerialPort } = await import('serialport');
  return SerialPort.list();
}

/**
 * Serial ports of this computer, in natural order of their names. Opens no port.
 * Throws `TRANSPORT_PERMISSION` with the system's words when the system does not list them.
 */
export async function listSerialPorts(list: () => Promise<readonly ListedPort[]> = listBySystem): Promise<SystemSerialPort[]> {
  let ports: readonly ListedPort[];
  try {
    ports = await list();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError('TRANSPORT_PERMISSION', `The system did not list its serial ports: ${reason}`, { cause: error });
  }
  return ports
    .map((port) => ({
      path: port.path,
      manufacturer: port.manufacturer ?? null,
      vendorId: port.vendorId ?? null,
      productId: port.productId ?? null,
      serialNumber: port.serialNumber ?? null,
    }))
    .sort((a, b) => byPath.compare(a.path, b.path));
}
