import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Clock } from '../platform/clock.ts';

/** A serial port as the system lists it; null where it knows nothing. */
export interface SystemSerialPort {
  /** Name to open it by: `COM3`, `/dev/ttyUSB0`. */
  readonly path: string;
  readonly manufacturer: string | null;
  /** USB vendor and product, four hexadecimal digits. */
  readonly vendorId: string | null;
  readonly productId: string | null;
  readonly serialNumber: string | null;
  /** The socket the adapter is plugged into, in the system's own words; the same for whatever is plugged in there. */
  readonly place: string | null;
}

/** What a listing answers with, as far as it is used. */
export interface ListedPort {
  readonly path: string;
  readonly manufacturer?: string | undefined;
  readonly vendorId?: string | undefined;
  readonly productId?: string | undefined;
  readonly serialNumber?: string | undefined;
  readonly locationId?: string | undefined;
}

/** COM9 before COM10, ttyUSB2 before ttyUSB10. */
const byPath = new Intl.Collator('en', { numeric: true });

const SYS_TTY = '/sys/class/tty';
/** `type` of a UART that the kernel made room for and did not find. */
const NO_UART = '0';
const USB_LEVELS = 5;

async function listBySystem(): Promise<readonly ListedPort[]> {
  if (process.platform === 'linux') return listBySysfs();
  // Loaded at the first use: a native module that cannot be loaded costs the list, not the start of the service.
  const { autoDetect } = await import('@serialport/bindings-cpp');
  return autoDetect().list();
}

/** Linux: the kernel's own table. It costs a few reads and no process, so that a page may ask every second. */
export async function listBySysfs(root = SYS_TTY): Promise<ListedPort[]> {
  const found = await Promise.all((await readdir(root)).map((name) => sysfsPort(root, name)));
  return found.filter((port) => port !== null);
}

async function sysfsPort(root: string, name: string): Promise<ListedPort | null> {
  const device = await realpath(join(root, name, 'device')).catch(() => null);
  if (device === null || (await textOf(join(root, name, 'type'))) === NO_UART) return null;
  const path = `/dev/${name}`;
  // the descriptors of a USB adapter lie some folders up: …/1-4/1-4:1.0/ttyUSB0
  let inner = device;
  for (let folder = dirname(device), level = 0; level < USB_LEVELS; inner = folder, folder = dirname(folder), level++) {
    const vendorId = await textOf(join(folder, 'idVendor'));
    if (vendorId === undefined) continue;
    return {
      path,
      vendorId,
      productId: await textOf(join(folder, 'idProduct')),
      manufacturer: await textOf(join(folder, 'manufacturer')),
      serialNumber: await textOf(join(folder, 'serial')),
      locationId: basename(inner),
    };
  }
  return { path };
}

async function textOf(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim() || undefined;
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
    throw new AppError('TRANSPORT_PERMISSION', say('transport.ports_not_listed', { reason }), { cause: error });
  }
  return ports
    .map((port) => ({
      path: port.path,
      manufacturer: port.manufacturer ?? null,
      vendorId: port.vendorId?.toUpperCase() ?? null,
      productId: port.productId?.toUpperCase() ?? null,
      serialNumber: port.serialNumber ?? null,
      place: port.locationId ?? null,
    }))
    .sort((a, b) => byPath.compare(a.path, b.path));
}

/** Answers younger than this are given again: several pages ask every second or two. */
const FRESH_MS = 1000;

/** A listing for many askers: one runs at a time, and what is not older than a second is not looked up anew. */
export function createPortLister(
  clock: Clock,
  list: () => Promise<SystemSerialPort[]> = listSerialPorts,
): () => Promise<SystemSerialPort[]> {
  let running: Promise<SystemSerialPort[]> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;
  return () => {
    if (running && clock.monotonicMs() < freshUntil) return running;
    const asked = list();
    running = asked;
    freshUntil = Number.POSITIVE_INFINITY;
    asked.then(
      () => {
        freshUntil = clock.monotonicMs() + FRESH_MS;
      },
      () => {
        running = null;
      },
    );
    return asked;
  };
}
