/** What our server knows about itself beside its registers: counters and events of each unit, files, queues (V1.1b3, 6.7 to 6.10, 6.13 to 6.15, 6.18). */
import { concatBytes, u16 } from '../../../protocol-kit/bytes.ts';
import { EXCEPTION_BIT } from '../codec/functions.ts';
import {
  Diagnostics,
  encodeServiceResponse,
  FILE_RECORDS,
  type FileRange,
  type FileRecords,
  MOST_QUEUED,
  type ServiceRequest,
} from '../codec/service-functions.ts';
import type { ReadFunction } from '../point-rules.ts';
import type { Identity } from './identity.ts';
import type { ImageArea } from './image-area.ts';

type Areas = ReadonlyMap<ReadFunction, ImageArea>;

const COILS = 1;
const HOLDING_REGISTERS = 3;
/** Outputs of Read Exception Status. */
const STATUS_OUTPUTS = 8;
const MOST_EVENTS = 64;
const MOST_QUEUES = 1024;
const RUNNING = 0xff;
const CLEAR_LOG = 0xff00;

/** Bits of the events in the log (V1.1b3, 6.10). */
const RECEIVED = 0x80;
const SENT = 0x40;
const LISTENING = 0x20;
const READ_EXCEPTION = 0x01;
const ABORT_EXCEPTION = 0x02;
const ENTERED_LISTENING = 0x04;
const RESTARTED = 0x00;

interface UnitState {
  /** Values by sub-function of Diagnostics. */
  readonly counts: Map<number, number>;
  /** Requests that were carried out. */
  events: number;
  /** The latest first. */
  log: number[];
  isListening: boolean;
}

/** What the answer to a service request is; null: none is sent, as the function has it. `address`: there is no such file or register. */
type Outcome = { readonly pdu: Uint8Array | null } | 'address' | 'value';

export class ServedDevice {
  readonly #identity: Identity;
  readonly #files: number;
  readonly #units = new Map<number, UnitState>();
  /** Files that were written to; the others hold zeros. */
  readonly #written = new Map<number, Uint8Array>();
  /** Values that clients wrote to holding registers, the latest last, by unit and address. */
  readonly #queues = new Map<number, number[]>();

  /** `files`: how many files there are, numbered from 1. */
  constructor(identity: Identity, files: number) {
    this.#identity = identity;
    this.#files = files;
  }

  get identity(): Identity {
    return this.#identity;
  }

  /** A request came for this unit. True while the unit listens only: nothing is carried out, and nothing answered, but for a restart. */
  received(unitId: number, isRestart: boolean): boolean {
    const unit = this.#unit(unitId);
    count(unit, Diagnostics.busMessageCount);
    count(unit, Diagnostics.serverMessageCount);
    if (!unit.isListening || isRestart) {
      note(unit, RECEIVED | (unit.isListening ? LISTENING : 0));
      return false;
    }
    note(unit, RECEIVED | LISTENING);
    count(unit, Diagnostics.noResponseCount);
    return true;
  }

  /** This answer is going out; null: none is. */
  answering(unitId: number, functionCode: number, pdu: Uint8Array | null): void {
    const unit = this.#unit(unitId);
    if (pdu === null) {
      count(unit, Diagnostics.noResponseCount);
      return;
    }
    const exception = ((pdu[0] ?? 0) & EXCEPTION_BIT) === 0 ? 0 : (pdu[1] ?? 0);
    if (exception !== 0) count(unit, Diagnostics.exceptionErrorCount);
    else if (functionCode !== 11) unit.events = (unit.events + 1) & 0xffff;
    note(unit, SENT | (exception === 0 ? 0 : exception < 4 ? READ_EXCEPTION : ABORT_EXCEPTION));
  }

  /** A client wrote these registers, from `start` on. */
  queued(unitId: number, start: number, octets: Uint8Array): void {
    for (let at = 0; at < octets.length / 2; at++) {
      const key = unitId * 0x1_0000 + start + at;
      const queue = this.#queues.get(key) ?? [];
      this.#queues.delete(key);
      this.#queues.set(key, [...queue.slice(1 - MOST_QUEUED), u16(octets, 2 * at)]);
    }
    for (const oldest of this.#queues.keys()) {
      if (this.#queues.size <= MOST_QUEUES) break;
      this.#queues.delete(oldest);
    }
  }

  answer(request: ServiceRequest, unitId: number, areas: Areas): Outcome {
    const unit = this.#unit(unitId);
    switch (request.functionCode) {
      case 7:
        return { pdu: encodeServiceResponse({ kind: 'status', functionCode: 7, status: statusOf(areas.get(COILS)) }) };
      case 8:
        return this.#diagnose(unit, request.subFunction, request.octets);
      case 11:
        return { pdu: encodeServiceResponse({ kind: 'events', functionCode: 11, status: 0, events: unit.events }) };
      case 12: {
        const { events, log, counts } = unit;
        const messages = counts.get(Diagnostics.busMessageCount) ?? 0;
        return { pdu: encodeServiceResponse({ kind: 'log', functionCode: 12, status: 0, events, messages, octets: Uint8Array.from(log) }) };
      }
      case 17:
        return { pdu: encodeServiceResponse({ kind: 'server-id', functionCode: 17, octets: this.#serverId() }) };
      case 20: {
        const parts = request.ranges.map((range) => this.#fileRead(range));
        const isThere = parts.every((part) => part !== null);
        return isThere
          ? { pdu: encodeServiceResponse({ kind: 'file', functionCode: 20, parts: parts as { octets: Uint8Array }[] }) }
          : 'address';
      }
      case 21: {
        if (request.records.some((record) => !this.#hasFile(record))) return 'address';
        for (const record of request.records) this.#fileWrite(record);
        return { pdu: encodeServiceResponse({ kind: 'file-written', functionCode: 21, records: request.records }) };
      }
      case 24: {
        if (!areas.get(HOLDING_REGISTERS)?.view(request.address, 1)) return 'address';
        const values = this.#queues.get(unitId * 0x1_0000 + request.address) ?? [];
        const octets = Uint8Array.from(values.flatMap((value) => [value >> 8, value & 0xff]));
        return { pdu: encodeServiceResponse({ kind: 'fifo', functionCode: 24, octets }) };
      }
    }
  }

  #diagnose(unit: UnitState, subFunction: number, octets: Uint8Array): Outcome {
    const data = u16(octets, 0);
    const echo = { pdu: encodeServiceResponse({ kind: 'diagnostics', functionCode: 8, subFunction, octets }) };
    const tell = (value: number): Outcome => {
      const told = Uint8Array.of(value >> 8, value & 0xff);
      return { pdu: encodeServiceResponse({ kind: 'diagnostics', functionCode: 8, subFunction, octets: told }) };
    };
    switch (subFunction) {
      case Diagnostics.returnQueryData:
        return echo;
      case Diagnostics.restartCommunications: {
        if (data !== 0 && data !== CLEAR_LOG) return 'value';
        // a unit that listened only is back, and says nothing yet
        const wasListening = unit.isListening;
        unit.counts.clear();
        unit.events = 0;
        unit.isListening = false;
        if (data === CLEAR_LOG) unit.log = [];
        note(unit, RESTARTED);
        return wasListening ? { pdu: null } : echo;
      }
      case Diagnostics.forceListenOnly:
        if (data !== 0) return 'value';
        unit.isListening = true;
        note(unit, ENTERED_LISTENING);
        return { pdu: null };
      case Diagnostics.clearCounters:
        if (data !== 0) return 'value';
        unit.counts.clear();
        unit.events = 0;
        return echo;
      case Diagnostics.clearOverrun:
        if (data !== 0) return 'value';
        unit.counts.delete(Diagnostics.overrunCount);
        return echo;
      case Diagnostics.returnDiagnosticRegister:
        return data === 0 ? tell(0) : 'value';
      case Diagnostics.changeDelimiter:
        return 'value';
      default:
        if (subFunction < Diagnostics.busMessageCount || subFunction > Diagnostics.overrunCount) return 'value';
        return data === 0 ? tell(unit.counts.get(subFunction) ?? 0) : 'value';
    }
  }

  /** Vendor, product and revision as text, and the run indicator behind it. */
  #serverId(): Uint8Array {
    const blank = Uint8Array.of(0x20);
    const parts = this.#identity.flatMap(({ value }, at) => (at === 0 ? [value] : [blank, value]));
    return concatBytes(...parts, Uint8Array.of(RUNNING));
  }

  #hasFile({ file, record, ...part }: FileRange | FileRecords): boolean {
    const length = 'length' in part ? part.length : part.octets.length / 2;
    return file <= this.#files && record + length <= FILE_RECORDS;
  }

  #fileRead(range: FileRange): { octets: Uint8Array } | null {
    if (!this.#hasFile(range)) return null;
    const { file, record, length } = range;
    const octets = this.#written.get(file)?.subarray(2 * record, 2 * (record + length));
    return { octets: octets ?? new Uint8Array(2 * length) };
  }

  #fileWrite({ file, record, octets }: FileRecords): void {
    const content = this.#written.get(file) ?? new Uint8Array(2 * FILE_RECORDS);
    this.#written.set(file, content);
    content.set(octets, 2 * record);
  }

  #unit(unitId: number): UnitState {
    const known = this.#units.get(unitId);
    if (known) return known;
    const unit: UnitState = { counts: new Map(), events: 0, log: [], isListening: false };
    this.#units.set(unitId, unit);
    return unit;
  }
}

function count({ counts }: UnitState, subFunction: number): void {
  counts.set(subFunction, ((counts.get(subFunction) ?? 0) + 1) & 0xffff);
}

function note(unit: UnitState, event: number): void {
  unit.log.unshift(event);
  if (unit.log.length > MOST_EVENTS) unit.log.pop();
}

/** The first eight coils, those that have no point as 0. */
function statusOf(coils: ImageArea | undefined): number {
  let status = 0;
  for (let at = 0; at < STATUS_OUTPUTS; at++) status |= (coils?.view(at, 1)?.[0] ?? 0) << at;
  return status;
}
