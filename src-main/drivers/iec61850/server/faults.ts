/** Ways in which the simulated device misbehaves on purpose, for tests and demonstrations. */
import type { DriverLine } from '../../spi/index.ts';
import type { ControlFault } from './control/control-rules.ts';

/** What to do wrong; what is left out is done right. */
export interface ServerFaults {
  /** Answers come so much later, in milliseconds. */
  readonly delayMs?: number;
  /** Associations are refused: the connection is closed, an AARE refuses, or nothing is ever answered. */
  readonly refuse?: 'close' | 'answer' | 'silent';
  /** After so many answers of MMS the next one is cut in the middle and the connection closed. */
  readonly closeAfterAnswers?: number;
  /** Everything is written in pieces of so many octets. */
  readonly splitOctets?: number;
  /** Added to the invokeID of every answer. */
  readonly invokeIdOffset?: number;
  /** Data sets are read only with `specificationWithResult`, or only without. */
  readonly listSpecification?: 'demanded' | 'refused';
  /** Results of a Read that are answered; further ones are left out. */
  readonly mostResults?: number;
  /** Services that are never answered. */
  readonly silent?: readonly string[];
  /** DataAccessErrors of variables, by key (`LD/LN$FC$DO$DA`). */
  readonly accessErrors?: ReadonlyMap<string, number>;
  /** What control objects do wrong, by key (`LD/LN$CO$DO`). */
  readonly controls?: ReadonlyMap<string, ControlFault>;
}

type Line = Pick<DriverLine, 'write' | 'close'>;

/** A line that writes as the faults want it. `cutNow` makes the next write the last one, and half of it. */
export class FaultyLine implements Line {
  readonly #line: Line;
  readonly #faults: ServerFaults;
  #isCutting = false;

  constructor(line: Line, faults: ServerFaults) {
    this.#line = line;
    this.#faults = faults;
  }

  cutNow(): void {
    this.#isCutting = true;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isCutting) {
      await this.#line.write(bytes.subarray(0, bytes.length >> 1));
      await this.#line.close();
      return;
    }
    const size = this.#faults.splitOctets ?? bytes.length;
    const writes: Promise<void>[] = [];
    for (let at = 0; at < bytes.length; at += size) writes.push(this.#line.write(bytes.subarray(at, at + size)));
    await Promise.all(writes);
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}
