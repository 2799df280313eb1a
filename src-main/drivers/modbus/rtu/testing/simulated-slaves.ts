/** Slaves on a half-duplex line, as the standard wants them: a frame ends with silence, what comes while they work is not heard. */
import type { ManualClock } from '../../../../platform/manual-clock.ts';
import { putU16, u8, u16 } from '../../../../protocol-kit/bytes.ts';
import { crc16 } from '../../../../protocol-kit/crc.ts';
import { bitOctets } from '../../codec/checks.ts';
import { encodeRtu } from '../framing.ts';
import type { RtuTiming } from '../timing.ts';

/** Addresses below are fixed by unit and address; the ones from here on can be written; from the last on there are none. */
export const WRITABLE_FROM = 500;
export const NO_ADDRESS_FROM = 1000;

/** What a fixed register of a unit holds: another number for every unit and address. */
export function fixedRegister(unitId: number, address: number): number {
  return (Math.imul(address + 1, 40_503) + unitId * 9973) & 0xffff;
}

export function fixedBit(unitId: number, address: number): number {
  return (fixedRegister(unitId, address) >> 3) & 1;
}

export interface SlaveSettings {
  readonly unitId: number;
  /** From the end of the request to the first octet of the answer; asked for each answer. */
  turnRoundMs(): number;
}

/** A value that a writable register took, and when. */
interface Held {
  readonly value: number;
  readonly from: number;
}

export class SimulatedSlaves {
  /** Writes that were carried out, as `unit address value`, with how often. */
  readonly carriedOut = new Map<string, number>();
  readonly #clock: ManualClock;
  readonly #timing: RtuTiming;
  readonly #slaves: ReadonlyMap<number, SlaveSettings>;
  readonly #send: (bytes: Uint8Array) => void;
  readonly #registers = new Map<string, Held[]>();
  #heard: number[] = [];
  #cancelSilence: () => void = () => undefined;
  #isBusy = false;

  constructor(clock: ManualClock, timing: RtuTiming, slaves: readonly SlaveSettings[], send: (bytes: Uint8Array) => void) {
    this.#clock = clock;
    this.#timing = timing;
    this.#slaves = new Map(slaves.map((slave) => [slave.unitId, slave]));
    this.#send = send;
  }

  /** Octets from the master; they take their time on the line. */
  hear(chunk: Uint8Array): void {
    if (this.#isBusy) return;
    this.#heard.push(...chunk);
    this.#cancelSilence();
    const { octetMs, gapMs } = this.#timing;
    this.#cancelSilence = this.#clock.after(chunk.length * octetMs + gapMs, () => this.#onSilence());
  }

  /** True when a writable register held this value at some moment since `since`. */
  heldSince(unitId: number, address: number, value: number, since: number): boolean {
    const history = this.#registers.get(`${unitId} ${address}`) ?? [];
    if (history.length === 0) return value === 0;
    return history.some((held, index) => held.value === value && (history[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= since);
  }

  #onSilence(): void {
    const frame = Uint8Array.from(this.#heard);
    this.#heard = [];
    const slave = this.#slaves.get(u8(frame, 0));
    if (!slave || frame.length < 4 || crc16(frame) !== 0) return;
    const pdu = this.#answer(slave.unitId, frame.subarray(1, -2));
    const answer = encodeRtu(slave.unitId, pdu);
    this.#isBusy = true;
    this.#clock.after(slave.turnRoundMs() + answer.length * this.#timing.octetMs, () => {
      this.#isBusy = false;
      this.#send(answer);
    });
  }

  #answer(unitId: number, pdu: Uint8Array): Uint8Array {
    const functionCode = u8(pdu, 0);
    const start = u16(pdu, 1);
    const quantity = functionCode === 6 ? 1 : u16(pdu, 3);
    if (start + quantity > NO_ADDRESS_FROM) return Uint8Array.of(functionCode | 0x80, 2);
    switch (functionCode) {
      case 1: {
        const data = new Uint8Array(2 + bitOctets(quantity));
        data.set([1, bitOctets(quantity)]);
        for (let at = 0; at < quantity; at++) data[2 + (at >> 3)] = u8(data, 2 + (at >> 3)) | (fixedBit(unitId, start + at) << (at & 7));
        return data;
      }
      case 3: {
        const data = new Uint8Array(2 + 2 * quantity);
        data.set([3, 2 * quantity]);
        for (let at = 0; at < quantity; at++) putU16(data, 2 + 2 * at, this.#register(unitId, start + at));
        return data;
      }
      case 6:
        this.#write(unitId, start, u16(pdu, 3));
        return pdu.slice();
      case 16:
        for (let at = 0; at < quantity; at++) this.#write(unitId, start + at, u16(pdu, 6 + 2 * at));
        return pdu.slice(0, 5);
      default:
        return Uint8Array.of(functionCode | 0x80, 1);
    }
  }

  #register(unitId: number, address: number): number {
    if (address < WRITABLE_FROM) return fixedRegister(unitId, address);
    return this.#registers.get(`${unitId} ${address}`)?.at(-1)?.value ?? 0;
  }

  #write(unitId: number, address: number, value: number): void {
    const key = `${unitId} ${address}`;
    const history = this.#registers.get(key) ?? [];
    history.push({ value, from: this.#clock.monotonicMs() });
    this.#registers.set(key, history);
    const done = `${key} ${value}`;
    this.carriedOut.set(done, (this.carriedOut.get(done) ?? 0) + 1);
  }
}
