/** One log control block of the simulated device (IEC 61850-7-2, 17.3; IEC 61850-8-1, 17.3): its rules, and the entries that it makes. */
import type { Clock } from '../../../../platform/clock.ts';
import type { JournalVariable, VariableSpec } from '../../mms/pdu.ts';
import type { MmsResult, MmsValue } from '../../mms/types.ts';
import { ACCESS_ERROR } from '../../mms/words.ts';
import { areSameMembers, memberKey } from '../../object-names.ts';
import { TRIGGER } from '../../reports/bits.ts';
import type { ServedImage, Variable } from '../image.ts';
import { BlockAttributes } from '../reports/block-attributes.ts';
import { integrityPeriod, isTrue, isWithinBounds, normalized, triggerMask } from '../reports/block-settings.ts';
import type { ChangeWatch } from '../reports/change-watch.ts';
import type { EntryMember } from '../reports/entry-buffer.ts';
import { EntryCollector } from '../reports/entry-collector.ts';
import { reasonBits } from '../reports/report-pdus.ts';
import { type Journal, REASON_TAG } from './journal.ts';

/** What a block needs of its device. */
export interface LogSurroundings {
  readonly image: ServedImage;
  readonly clock: Clock;
  readonly watch: ChangeWatch;
  membersOf(dataSet: string): readonly VariableSpec[] | null;
  read(item: VariableSpec): MmsResult;
  /** The log of a reference, `LD/LN$name`; null where there is none. */
  journalOf(logRef: string): Journal | null;
  /** A block has members to enter into its log. */
  enter(logRef: string, variables: readonly JournalVariable[]): void;
  /** A client gave a setting another value; keys of the attributes. */
  onConfigured(keys: readonly string[]): void;
}

/** What only the device sets. */
const READ_ONLY: ReadonlySet<string> = new Set(['OldEntrTm', 'NewEntrTm', 'OldEntr', 'NewEntr']);
const ZERO_ENTRY = new Uint8Array(8);
const { temporarilyUnavailable, accessDenied, valueInvalid, attributeInconsistent } = ACCESS_ERROR;

export class LogBlock {
  readonly #around: LogSurroundings;
  readonly #attributes: BlockAttributes;
  readonly #collector: EntryCollector;
  /** Members that are entered while it is enabled. */
  #items: readonly VariableSpec[] = [];
  #isGone = false;

  constructor(block: Variable, around: LogSurroundings) {
    this.#around = around;
    this.#attributes = new BlockAttributes(around.image, block);
    this.#collector = new EntryCollector({
      clock: around.clock,
      watch: around.watch,
      read: (item) => around.read(item),
      onEntry: (members) => this.#onEntry(members),
    });
    if (this.#isEnabled) this.#begin();
  }

  /** `LD/LN$name` of its log. */
  get logRef(): string {
    return this.#attributes.text('LogRef');
  }

  /** `LD/LN$name`; empty where the block has none. */
  get dataSet(): string {
    return this.#attributes.text('DatSet');
  }

  /** Carries out what a client writes; the value suits the type of the attribute. Answers the error, or null. */
  write(name: string, value: MmsValue): number | null {
    if (READ_ONLY.has(name)) return accessDenied;
    if (name === 'LogEna') return this.#enable(isTrue(value));
    if (this.#isEnabled) return temporarilyUnavailable;
    const setting = normalized(name, value);
    if (!this.#isPossible(name, setting)) return valueInvalid;
    if (!this.#attributes.has(name, setting)) this.#configured(this.#attributes.put(name, setting));
    return null;
  }

  /** The oldest and the newest entry of its log are these now. */
  tell(journal: Journal): void {
    const { oldest, newest } = journal;
    this.#attributes.putTime('OldEntrTm', oldest?.timeMs ?? 0);
    this.#attributes.putTime('NewEntrTm', newest?.timeMs ?? 0);
    this.#attributes.putOctets('OldEntr', oldest?.entry.id ?? ZERO_ENTRY);
    this.#attributes.putOctets('NewEntr', newest?.entry.id ?? ZERO_ENTRY);
  }

  /** False where it enters the members of a data set, or into a log, that are others now. */
  goesOn(): boolean {
    if (!this.#isEnabled) return true;
    const items = this.#around.membersOf(this.dataSet);
    return items !== null && areSameMembers(items, this.#items) && this.#around.journalOf(this.logRef) !== null;
  }

  /** The model has the block no longer: it enters nothing from now on, and is ended in a turn of its own. */
  gone(): void {
    this.#isGone = true;
  }

  /** Gathers no more. */
  end(): void {
    this.#collector.repeat(0);
    this.#collector.stop();
  }

  get #isEnabled(): boolean {
    return this.#attributes.is('LogEna');
  }

  #enable(isWanted: boolean): number | null {
    if (isWanted === this.#isEnabled) return null;
    if (!isWanted) this.end();
    else if (!this.#begin()) return attributeInconsistent;
    this.#configured(this.#attributes.put('LogEna', { kind: 'boolean', value: isWanted }));
    return null;
  }

  /** False where it has no data set or no log; a block that a file has enabled is disabled then. */
  #begin(): boolean {
    const items = this.#around.membersOf(this.dataSet);
    if (!items || items.length === 0 || !this.#around.journalOf(this.logRef)) {
      this.#attributes.putBoolean('LogEna', false);
      return false;
    }
    this.#items = items;
    const triggers = triggerMask(this.#attributes.bits('TrgOps'));
    this.#collector.start({ items, triggers, bufferMs: 0 });
    const isPeriodic = (triggers & (1 << TRIGGER.integrity)) !== 0;
    this.#collector.repeat(isPeriodic ? integrityPeriod(this.#attributes.number('IntgPd')) : 0);
    return true;
  }

  #isPossible(name: string, value: MmsValue): boolean {
    const text = value.kind === 'visible-string' ? value.text : '';
    if (name === 'DatSet') return text === '' || (!text.startsWith('@') && this.#around.membersOf(text) !== null);
    if (name === 'LogRef') return this.#around.journalOf(text) !== null;
    return isWithinBounds(name, value);
  }

  #configured(key: string | null): void {
    if (key !== null) this.#around.onConfigured([key]);
  }

  /** A member that cannot be read has no place in a log. */
  #onEntry(members: readonly EntryMember[]): void {
    const items = this.#items;
    const variables = members.flatMap(({ place, value, reasons }) => {
      const item = items[place];
      return item && value.kind !== 'failure'
        ? [
            { tag: memberKey(item), value },
            { tag: REASON_TAG, value: reasonBits(reasons) },
          ]
        : [];
    });
    if (variables.length > 0 && !this.#isGone) this.#around.enter(this.logRef, variables);
  }
}
