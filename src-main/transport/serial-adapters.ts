/** Which adapter a channel means: the one that was opened under its port name, wherever it is plugged in now. */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { missingPort } from './serial-errors.ts';
import type { SystemSerialPort } from './serial-ports.ts';

/** Windows writes one port as COM10, com10 and \\.\COM10; the binding puts the prefix there by itself. */
export function plainPath(path: string): string {
  const plain = path.trim().replace(/^\\\\\.\\/, '');
  return /^com\d+$/i.test(plain) ? plain.toUpperCase() : plain;
}

/** Adapters by the port name they were opened under, for the life of the process. */
export class AdapterMemory {
  readonly #known = new Map<string, SystemSerialPort>();

  /** Notes which adapter stands behind a name that was opened. Ports that are no USB adapter keep their name anyway. */
  remember(wanted: string, port: SystemSerialPort): void {
    if (port.vendorId !== null) this.#known.set(wanted, port);
  }

  /**
   * The port to open for a name: its own, or where its adapter is now. Throws `TRANSPORT_PORT_MISSING` when neither is there, or when
   * two ports fit and only a person can say which one.
   */
  find(wanted: string, ports: readonly SystemSerialPort[], isTaken: (path: string) => boolean): string {
    const there = ports.find((port) => plainPath(port.path) === wanted);
    const known = this.#known.get(wanted);
    if (!known || (there && isSame(there, known))) return wanted;
    const fitting = ports.filter((port) => port.vendorId === known.vendorId && port.productId === known.productId && !isTaken(port.path));
    const chosen = only(fitting.filter((port) => isSame(port, known)));
    // another adapter took the name: it is followed by its number only, since a person may have changed a broken one
    if (there) return known.serialNumber !== null && chosen ? chosen.path : wanted;
    if (chosen) return chosen.path;
    // an adapter with a number is found by its number alone; one without is never one that has a number
    const anonymous = known.serialNumber === null ? fitting.filter((port) => port.serialNumber === null) : [];
    const last = only(anonymous);
    if (last) return last.path;
    if (anonymous.length > 1) throw ambiguous(wanted, known, anonymous);
    throw missingPort(wanted, namesOf(ports));
  }
}

/** The same adapter: by its number, or where it has none by the socket it is plugged into. */
function isSame(port: SystemSerialPort, known: SystemSerialPort): boolean {
  if (port.vendorId !== known.vendorId || port.productId !== known.productId) return false;
  if (known.serialNumber !== null || port.serialNumber !== null)
    return port.serialNumber === known.serialNumber && sameInterface(port, known);
  return known.place !== null && port.place === known.place;
}

/** Adapters with several ports have one number: the interface (`1-4:1.1`) tells them apart, where the system names it. */
function sameInterface(port: SystemSerialPort, known: SystemSerialPort): boolean {
  const number = (place: string | null) => /:\d+\.(\d+)$/.exec(place ?? '')?.[1];
  return number(port.place) === number(known.place);
}

function only<Item>(items: readonly Item[]): Item | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}

/** Names of the ports, as they are told. */
export function namesOf(ports: readonly SystemSerialPort[]): string[] {
  return ports.map((port) => port.path);
}

function ambiguous(wanted: string, known: SystemSerialPort, fitting: readonly SystemSerialPort[]): AppError {
  const kind = `${known.vendorId ?? ''}:${known.productId ?? ''}`;
  const names = namesOf(fitting);
  return new AppError('TRANSPORT_PORT_MISSING', say('transport.adapters_alike', { port: wanted, names, kind }));
}
