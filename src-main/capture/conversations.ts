import type { ReadPacket } from './capture-packet.ts';
import type { Carriage } from './carriage.ts';
import { readPacket } from './read-link.ts';
import { type Stretch, TcpAssembly } from './tcp-assembly.ts';

/** Conversations that are told apart; packets of further ones are only counted. With what waits in each, at most 200 MiB are held. */
const MOST_CONVERSATIONS = 100;
/** Ports that devices are known by: ISO transport over TCP, Modbus, IEC 60870-5-104. */
const DEVICE_PORTS: readonly string[] = ['102', '502', '2404'];

type Carried = Exclude<Carriage, { kind: 'none' }>;

/** One conversation of a capture, so far. */
export interface Conversation {
  readonly carrier: 'tcp' | 'udp' | 'line';
  /** End that asks, `address:port`; empty on a line. */
  readonly master: string;
  /** End that answers; empty on a line. */
  readonly device: string;
  /** Dissector or protocol that an export of a line names; empty in a network. */
  readonly line: string;
  /** What tells the ends apart. `first`: nothing but who spoke first. */
  readonly rolesBy: 'port' | 'opening' | 'export' | 'first';
  readonly packets: number;
  readonly octetsToDevice: number;
  readonly octetsToMaster: number;
  /** Places where octets are missing. */
  readonly gaps: number;
  readonly firstNs: bigint | null;
  readonly lastNs: bigint | null;
}

/**
 * A piece of a conversation; `isToDevice` is null on a line whose export tells no direction. Each direction comes in its order. What stands behind a missing segment
 * comes late, so that between the two directions the times of the packets tell the order.
 */
export interface Said {
  readonly conversation: Conversation;
  readonly isToDevice: boolean | null;
  readonly stretch: Stretch;
}

type Open = { -readonly [Key in keyof Conversation]: Conversation[Key] } & {
  readonly toDevice: TcpAssembly;
  readonly toMaster: TcpAssembly;
};

/**
 * Sorts the packets of a capture into conversations and puts each in order. The end that answers is the one at a known port, else the one that a connection was opened to, else the one that
 * did not speak first. A datagram and a frame of a line are whole as they come; where their end was cut off a gap follows.
 */
export class Conversations {
  readonly #say: (said: Said) => void;
  readonly #open = new Map<string, Open>();
  #passedOver = 0;

  constructor(say: (said: Said) => void) {
    this.#say = say;
  }

  /** In the order of their first packets. */
  get list(): readonly Conversation[] {
    return [...this.#open.values()];
  }

  /** Packets that belong to none: other protocols, fragments, cut headers, or a conversation too many. */
  get passedOver(): number {
    return this.#passedOver;
  }

  push(packet: ReadPacket): void {
    const carried = readPacket(packet);
    const found = carried.kind === 'none' ? null : this.#of(carried);
    if (carried.kind === 'none' || !found) {
      this.#passedOver++;
      return;
    }
    found.packets++;
    found.firstNs ??= packet.timeNs;
    found.lastNs = packet.timeNs ?? found.lastNs;
    const isToDevice = carried.kind === 'line' ? carried.isRequest : carried.to === found.device;
    if (carried.kind === 'tcp') this.#segment(found, carried, packet.timeNs);
    else for (const stretch of wholeOf(carried, packet.timeNs)) this.#tell(found, isToDevice, stretch);
  }

  /** The end of the capture: what still waited for missing segments, a direction of a conversation at each step. */
  *end(): Generator<void> {
    for (const each of this.#open.values()) {
      for (const isToDevice of [true, false]) {
        this.#tellAll(each, isToDevice, sideOf(each, isToDevice).end());
        yield;
      }
    }
  }

  #segment(open: Open, carried: Extract<Carried, { kind: 'tcp' }>, timeNs: bigint | null): void {
    const isToDevice = carried.to === open.device;
    const [own, other] = [sideOf(open, isToDevice), sideOf(open, !isToDevice)];
    const segment = { ...carried, timeNs };
    if (own.isOfAnother(segment)) {
      this.#tellAll(open, isToDevice, own.endConnection());
      this.#tellAll(open, !isToDevice, other.endConnection());
    }
    // who says something has what it acknowledges, so that comes first; an acknowledgement alone may have been recorded too soon
    if (carried.ack !== null && carried.length > 0) {
      // what a device answers it was asked; what a master goes on behind may still be recorded
      this.#tellAll(open, !isToDevice, other.acknowledged(carried.ack, isToDevice));
    }
    if (timeNs !== null) {
      this.#tellAll(open, !isToDevice, other.passed(timeNs));
      this.#tellAll(open, isToDevice, own.passed(timeNs));
    }
    this.#tellAll(open, isToDevice, own.push(segment));
  }

  #of(carried: Carried): Open | null {
    const key = carried.kind === 'line' ? `line ${lineOf(carried)}` : `${carried.kind} ${[carried.from, carried.to].sort().join(' ')}`;
    const known = this.#open.get(key);
    if (known) return known;
    if (this.#open.size >= MOST_CONVERSATIONS) return null;
    const begun = { packets: 0, octetsToDevice: 0, octetsToMaster: 0, gaps: 0, firstNs: null, lastNs: null };
    const made: Open = { carrier: carried.kind, ...begun, ...rolesOf(carried), toDevice: new TcpAssembly(), toMaster: new TcpAssembly() };
    this.#open.set(key, made);
    return made;
  }

  #tellAll(conversation: Open, isToDevice: boolean, stretches: readonly Stretch[]): void {
    for (const stretch of stretches) this.#tell(conversation, isToDevice, stretch);
  }

  #tell(conversation: Open, isToDevice: boolean | null, stretch: Stretch): void {
    if (stretch.kind === 'gap') conversation.gaps++;
    else if (isToDevice === true) conversation.octetsToDevice += stretch.bytes.length;
    // a line that tells no direction counts all of it as said by the device
    else conversation.octetsToMaster += stretch.bytes.length;
    this.#say({ conversation, isToDevice, stretch });
  }
}

function sideOf({ toDevice, toMaster }: Open, isToDevice: boolean): TcpAssembly {
  return isToDevice ? toDevice : toMaster;
}

function wholeOf({ payload, length }: Carried, timeNs: bigint | null): readonly Stretch[] {
  const missing = length - payload.length;
  const whole: Stretch = { kind: 'octets', bytes: payload, timeNs };
  return missing > 0 ? [whole, { kind: 'gap', count: missing }] : [whole];
}

function lineOf({ dissector, protocol }: Extract<Carried, { kind: 'line' }>): string {
  return protocol || dissector;
}

function rolesOf(carried: Carried): Pick<Conversation, 'master' | 'device' | 'line' | 'rolesBy'> {
  if (carried.kind === 'line') return { master: '', device: '', line: lineOf(carried), rolesBy: 'export' };
  const { from, to } = carried;
  const isFromKnown = isDevicePort(from);
  if (isFromKnown !== isDevicePort(to))
    return { master: isFromKnown ? to : from, device: isFromKnown ? from : to, line: '', rolesBy: 'port' };
  // an answer to the opening comes from the device
  if (carried.kind === 'tcp' && carried.isSyn) {
    return { master: carried.isOpening ? from : to, device: carried.isOpening ? to : from, line: '', rolesBy: 'opening' };
  }
  return { master: from, device: to, line: '', rolesBy: 'first' };
}

function isDevicePort(end: string): boolean {
  return DEVICE_PORTS.includes(end.slice(end.lastIndexOf(':') + 1));
}
