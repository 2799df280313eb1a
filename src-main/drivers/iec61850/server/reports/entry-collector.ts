/** Makes the entries of one report block: changes gathered for BufTm, and all members at once (IEC 61850-7-2, 17.2.2.3 and 17.2.3). */
import type { CancelTimer, Clock } from '../../../../platform/clock.ts';
import type { VariableSpec } from '../../mms/pdu.ts';
import { resultSize } from '../../mms/sizes.ts';
import type { MmsResult } from '../../mms/types.ts';
import { memberKey } from '../../object-names.ts';
import { TRIGGER } from '../../reports/bits.ts';
import type { ChangeTaker, ChangeWatch } from './change-watch.ts';
import type { EntryMember } from './entry-buffer.ts';

/** What is gathered, and how long. */
export interface Gathering {
  /** Members of the data set, in order. */
  readonly items: readonly VariableSpec[];
  /** Bits `1 << TRIGGER`. */
  readonly triggers: number;
  /** BufTm: milliseconds from the first change of an entry to its end. */
  readonly bufferMs: number;
}

export interface CollectorOptions {
  readonly clock: Clock;
  readonly watch: ChangeWatch;
  read(item: VariableSpec): MmsResult;
  /** An entry is whole. */
  onEntry(members: readonly EntryMember[], octets: number): void;
}

const NOTHING: Gathering = { items: [], triggers: 0, bufferMs: 0 };

export class EntryCollector implements ChangeTaker {
  readonly #options: CollectorOptions;
  #gathering = NOTHING;
  #pending = new Map<number, EntryMember>();
  #cancel: CancelTimer | null = null;
  #cancelPeriod: CancelTimer | null = null;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  get triggers(): number {
    return this.#gathering.triggers;
  }

  /** Gathers from now on, and nothing else any more. What was pending is dropped. */
  start(gathering: Gathering): void {
    this.stop();
    this.#gathering = gathering;
    if (gathering.triggers !== 0) this.#options.watch.add(this, gathering.items.map(memberKey));
  }

  stop(): void {
    this.#options.watch.remove(this);
    this.#gathering = NOTHING;
    this.#drop();
  }

  take(changes: ReadonlyMap<number, number>): void {
    // a member that changes a second time ends the entry, so that both changes are told
    if ([...changes.keys()].some((place) => this.#pending.has(place))) this.flush();
    for (const [place, reasons] of changes) {
      const item = this.#gathering.items[place];
      if (item) this.#pending.set(place, { place, value: this.#options.read(item), reasons });
    }
    const { bufferMs } = this.#gathering;
    if (bufferMs === 0) this.flush();
    else this.#cancel ??= this.#options.clock.after(bufferMs, () => this.flush());
  }

  /** Ends the entry that is being gathered. */
  flush(): void {
    const members = [...this.#pending.values()].sort((one, other) => one.place - other.place);
    this.#drop();
    if (members.length > 0) this.#tell(members);
  }

  /** An entry of all members, behind what is pending. `reason`: bit of TRIGGER. */
  all(reason: number): void {
    this.#options.watch.endTurn();
    this.flush();
    const members = this.#gathering.items.map((item, place) => ({ place, value: this.#options.read(item), reasons: 1 << reason }));
    if (members.length > 0) this.#tell(members);
  }

  /** All members each `periodMs` from now on; 0: no more. */
  repeat(periodMs: number): void {
    this.#cancelPeriod?.();
    const again = () =>
      this.#options.clock.after(periodMs, () => {
        this.#cancelPeriod = again();
        this.all(TRIGGER.integrity);
      });
    this.#cancelPeriod = periodMs > 0 ? again() : null;
  }

  #tell(members: readonly EntryMember[]): void {
    this.#options.onEntry(
      members,
      members.reduce((sum, { value }) => sum + resultSize(value), 0),
    );
  }

  #drop(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#pending = new Map();
  }
}
