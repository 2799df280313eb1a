/** One report control block of the simulated device (IEC 61850-7-2, 17.2; IEC 61850-8-1, 17.2): its rules, its entries, its reports. */
import type { Clock } from '../../../../platform/clock.ts';
import type { VariableSpec } from '../../mms/pdu.ts';
import { suits } from '../../mms/type-check.ts';
import type { MmsResult, MmsValue } from '../../mms/types.ts';
import { ACCESS_ERROR } from '../../mms/words.ts';
import { areSameMembers, memberKey } from '../../object-names.ts';
import { TRIGGER } from '../../reports/bits.ts';
import type { ServedImage, Variable } from '../image.ts';
import { variableKey } from '../image.ts';
import { BlockAttributes } from './block-attributes.ts';
import {
  bufferTime,
  integrityPeriod,
  isTrue,
  isWithinBounds,
  normalized,
  numberOf,
  PURGING,
  READ_ONLY,
  triggerMask,
} from './block-settings.ts';
import type { ChangeWatch } from './change-watch.ts';
import { EntryBuffer, type EntryMember } from './entry-buffer.ts';
import { EntryCollector } from './entry-collector.ts';
import { entryMark, entryNumber, type KeptBlock, keptEntries, restoredEntries } from './lasting-entries.ts';
import { ownerOctets, type ReportClient } from './report-client.ts';
import { ReportStream } from './report-stream.ts';
import { Reservation } from './reservation.ts';

/** What a block needs of its device. */
export interface BlockSurroundings {
  readonly image: ServedImage;
  readonly clock: Clock;
  readonly watch: ChangeWatch;
  /** Octets that the entries of one block may take. */
  readonly bufferOctets: number;
  /** Members of a data set as blocks name it, `LD/LN$name` or `@name`; null where there is none. */
  membersOf(dataSet: string, client: ReportClient | null): readonly VariableSpec[] | null;
  read(item: VariableSpec): MmsResult;
  /** Another EntryID each time, greater than the one before. */
  nextEntryId(): Uint8Array;
  /** The block has something to send. */
  onReady(): void;
  /** A buffered block has other entries. */
  onEntries(): void;
  /** A client gave a setting of a buffered block another value; keys of the attributes. */
  onConfigured(keys: readonly string[]): void;
}

const MOST_SECONDS = 32_767;
const ZERO_ENTRY = new Uint8Array(8);
const { temporarilyUnavailable, accessDenied, valueInvalid, attributeInconsistent } = ACCESS_ERROR;

export class ServedBlock {
  /** `LD/LN$FC$name`. */
  readonly key: string;
  readonly isBuffered: boolean;
  readonly #around: BlockSurroundings;
  readonly #attributes: BlockAttributes;
  readonly #reservation: Reservation;
  readonly #buffer: EntryBuffer;
  readonly #collector: EntryCollector;
  /** Members that entries are made of; null where there is no data set. */
  #members: readonly VariableSpec[] | null = null;
  /** The mark of the present members and settings. */
  #marked: { readonly members: readonly VariableSpec[] | null; readonly of: string; readonly mark: string } | null = null;
  readonly #stream: ReportStream;
  /** Who named the entry behind which to go on. */
  #continuing: ReportClient | null = null;
  #isGone = false;

  constructor(block: Variable, around: BlockSurroundings) {
    this.key = variableKey(block);
    this.isBuffered = block.path[0] === 'BR';
    this.#around = around;
    this.#attributes = new BlockAttributes(around.image, block);
    this.#buffer = new EntryBuffer(around.bufferOctets, this.isBuffered);
    this.#stream = new ReportStream({
      buffer: this.#buffer,
      isBuffered: this.isBuffered,
      onSequence: (sequence) => void this.#attributes.putNumber('SqNum', sequence),
    });
    const lasts = this.#attributes.typeOf('ResvTms') !== null;
    this.#reservation = new Reservation({ clock: around.clock, lasts, onChanged: () => this.#tellReservation() });
    this.#collector = new EntryCollector({
      clock: around.clock,
      watch: around.watch,
      read: (item) => around.read(item),
      onEntry: (members, octets) => this.#onEntry(members, octets),
    });
    this.#resolve(null);
  }

  /** Who has the block enabled; null where nobody has. */
  get client(): ReportClient | null {
    return this.#stream.client;
  }

  /** Whose association holds the block; null where none does. */
  get holder(): ReportClient | null {
    return this.#reservation.holder;
  }

  /** `LD/LN$name`; empty where the block has none. */
  get dataSet(): string {
    return this.#attributes.text('DatSet');
  }

  /** True where a report waits for its turn. */
  get isReady(): boolean {
    return this.#stream.isReady;
  }

  /** Keys of the members that entries are made of. */
  get members(): readonly string[] {
    return this.#members?.map(memberKey) ?? [];
  }

  /** Carries out what a client writes; the value suits the type of the attribute. Answers the error, or null. */
  write(name: string, value: MmsValue, client: ReportClient): number | null {
    if (READ_ONLY.has(name)) return accessDenied;
    if (this.#reservation.isOfOther(client)) return temporarilyUnavailable;
    if (name === 'RptEna') return isTrue(value) ? this.#enable(client) : this.#disable();
    if (name === 'GI') return this.#interrogate(value);
    if (this.client) return temporarilyUnavailable;
    if (name === 'Resv') return this.#reserve(client, isTrue(value) ? 1 : 0);
    if (name === 'ResvTms') return this.#reserve(client, numberOf(value));
    const error = this.#change(name, value, client);
    // a buffered block of edition 1 has no reservation: it is its client's only while it is enabled
    const isReservable = this.#attributes.typeOf('Resv') !== null || this.#attributes.typeOf('ResvTms') !== null;
    if (error === null && isReservable) this.#reservation.takeByUse(client);
    return error;
  }

  /** The association of a client has ended. */
  left(client: ReportClient): void {
    if (this.client === client) this.#stop();
    this.#reservation.left(client);
  }

  /** Sends the next report, in as many segments as the client needs; answers about how many octets it took. */
  sendNext(): number {
    const attributes = this.#attributes;
    return this.#stream.sendNext({
      reportId: attributes.text('RptID') || this.key,
      options: attributes.bits('OptFlds'),
      dataSet: this.dataSet,
      revision: attributes.number('ConfRev'),
      references: this.members,
    });
  }

  /** True where the data set has others than the members that entries are made of. */
  hasOtherMembers(): boolean {
    const members = (this.dataSet === '' ? null : this.#around.membersOf(this.dataSet, this.client)) ?? [];
    return !areSameMembers(members, this.#members ?? []);
  }

  /** The data set has other members: what was gathered means nothing any more. */
  renew(): void {
    this.#stop();
    this.#reservation.release();
    this.#attributes.putNumber('ConfRev', this.#attributes.number('ConfRev') + 1);
    this.#resolve(null);
    this.#purge();
  }

  /** What is to be kept of the entries of a buffered block; null where there are none. */
  kept(mostCharacters: number): KeptBlock | null {
    if (!this.isBuffered || this.#buffer.newest === null) return null;
    const head = { block: this.key, mark: this.#mark(), entries: [] };
    return { ...head, entries: keptEntries(this.#buffer.entries, mostCharacters - JSON.stringify(head).length) };
  }

  /** Takes entries back that were made by the same settings; answers the number of the newest, 0 where none was taken. */
  restore({ mark, entries }: KeptBlock): number {
    if (!this.isBuffered || mark !== this.#mark()) return 0;
    for (const entry of restoredEntries(entries, (place, value) => this.#isOfMember(place, value))) this.#buffer.add(entry);
    const { newest } = this.#buffer;
    if (!newest) return 0;
    this.#attributes.putOctets('EntryID', newest.entryId);
    this.#attributes.putTime('TimeofEntry', newest.timeMs);
    return entryNumber(newest.entryId);
  }

  /** Ends the entry that is being gathered. */
  flush(): void {
    this.#around.watch.endTurn();
    this.#collector.flush();
  }

  /** What the entries of the block mean: its data set and what a change of empties the buffer. */
  #mark(): string {
    const attributes = this.#attributes;
    const texts = ['RptID', 'DatSet'].map((name) => attributes.text(name));
    const numbers = ['ConfRev', 'IntgPd', 'BufTm'].map((name) => String(attributes.number(name)));
    const head = [...texts, ...numbers, attributes.bits('TrgOps').join()];
    const of = JSON.stringify(head);
    // a mark over thousands of members takes long, and they hardly ever change
    if (this.#marked?.members !== this.#members || this.#marked.of !== of)
      this.#marked = { members: this.#members, of, mark: entryMark([...head, ...this.members]) };
    return this.#marked.mark;
  }

  #isOfMember(place: number, value: MmsResult): boolean {
    const item = this.#members?.[place];
    const variable = item && this.#around.image.find(item.name);
    return (
      variable !== null && variable !== undefined && (value.kind === 'failure' || item?.access !== null || suits(variable.type, value))
    );
  }

  /** The model has the block no longer: it makes no entries from now on, and is ended in a turn of its own. */
  gone(): void {
    this.#isGone = true;
  }

  /** The block is there no longer. */
  end(): void {
    this.#stop();
    this.#reservation.release();
    this.#collector.stop();
  }

  #enable(client: ReportClient): number | null {
    if (this.client) return temporarilyUnavailable;
    this.#resolve(client);
    if (!this.#members) return attributeInconsistent;
    this.#around.watch.endTurn();
    this.#reservation.takeByUse(client);
    const goesOn = this.#continuing === client;
    this.#continuing = null;
    if (!this.isBuffered) this.#buffer.purge();
    else if (!goesOn) this.#buffer.rewind();
    this.#stream.begin(client, this.isBuffered && !goesOn);
    this.#attributes.putBoolean('RptEna', true);
    if (this.isBuffered) this.#attributes.putOctets('EntryID', this.#buffer.newest?.entryId ?? ZERO_ENTRY);
    else this.#gather();
    const isPeriodic = (this.#triggers & (1 << TRIGGER.integrity)) !== 0;
    this.#collector.repeat(isPeriodic ? integrityPeriod(this.#attributes.number('IntgPd')) : 0);
    if (this.isReady) this.#around.onReady();
    return null;
  }

  #disable(): null {
    if (!this.client) return null;
    this.#stop();
    this.#reservation.disabled();
    return null;
  }

  #stop(): void {
    if (!this.client) return;
    this.#collector.repeat(0);
    if (!this.isBuffered) {
      this.#collector.stop();
      this.#buffer.purge();
    }
    this.#stream.end();
    this.#attributes.putBoolean('RptEna', false);
  }

  #interrogate(value: MmsValue): number | null {
    if (!this.client || (this.#triggers & (1 << TRIGGER.general_interrogation)) === 0) return temporarilyUnavailable;
    if (isTrue(value)) this.#collector.all(TRIGGER.general_interrogation);
    return null;
  }

  /** `seconds` 0 gives the block free. */
  #reserve(client: ReportClient, seconds: number): number | null {
    if (seconds < 0 || seconds > MOST_SECONDS) return valueInvalid;
    if (seconds === 0) this.#reservation.release();
    else this.#reservation.take(client, seconds);
    return null;
  }

  #change(name: string, value: MmsValue, client: ReportClient): number | null {
    if (name === 'PurgeBuf') {
      if (isTrue(value)) this.#purge();
      return null;
    }
    if (name === 'EntryID') return value.kind === 'octet-string' ? this.#continue(value.octets, client) : valueInvalid;
    const setting = normalized(name, value);
    if (!this.#isPossible(name, setting, client)) return valueInvalid;
    if (this.#attributes.has(name, setting)) return null;
    const keys = [this.#attributes.put(name, setting)];
    if (name === 'DatSet') keys.push(this.#attributes.putNumber('ConfRev', this.#attributes.number('ConfRev') + 1));
    if (this.isBuffered) this.#around.onConfigured(keys.filter((key) => key !== null));
    if (name === 'DatSet') this.#resolve(client);
    if (PURGING.has(name)) this.#purge();
    return null;
  }

  #isPossible(name: string, value: MmsValue, client: ReportClient): boolean {
    if (name === 'DatSet' && value.kind === 'visible-string') {
      const isShared = !(this.isBuffered && value.text.startsWith('@'));
      return value.text === '' || (isShared && this.#around.membersOf(value.text, client) !== null);
    }
    return isWithinBounds(name, value);
  }

  /** An entry that is not there is no place to go on from; zeros mean none. */
  #continue(entryId: Uint8Array, client: ReportClient): number | null {
    const isNone = entryId.every((octet) => octet === 0);
    if (!isNone && !this.#buffer.continueAfter(entryId)) return valueInvalid;
    if (isNone) this.#buffer.rewind();
    this.#continuing = isNone ? null : client;
    this.#attributes.putOctets('EntryID', new Uint8Array(entryId));
    return null;
  }

  #purge(): void {
    this.#around.watch.endTurn();
    this.#buffer.purge();
    if (this.isBuffered) this.#around.onEntries();
    this.#continuing = null;
    this.#gather();
    this.#attributes.putOctets('EntryID', ZERO_ENTRY);
  }

  /** Looks the data set up. */
  #resolve(client: ReportClient | null): void {
    const before = this.#members;
    const members = this.dataSet === '' ? null : this.#around.membersOf(this.dataSet, client);
    this.#members = members && members.length > 0 ? members : null;
    if (this.isBuffered && before === null && this.#members !== null) this.#gather();
  }

  /** Gathers by the settings as they are now: a buffered block always, the other while it is enabled. */
  #gather(): void {
    const isWanted = this.#members !== null && (this.isBuffered || this.client !== null);
    if (isWanted && this.#members) {
      const bufferMs = bufferTime(this.#attributes.number('BufTm'));
      this.#collector.start({ items: this.#members, triggers: this.#triggers, bufferMs });
    } else this.#collector.stop();
  }

  get #triggers(): number {
    return triggerMask(this.#attributes.bits('TrgOps'));
  }

  #onEntry(members: readonly EntryMember[], octets: number): void {
    if (this.#isGone) return;
    const entryId = this.#around.nextEntryId();
    const timeMs = this.#around.clock.wallMs();
    this.#buffer.add({ members, timeMs, entryId, octets });
    if (this.isBuffered) {
      this.#around.onEntries();
      this.#attributes.putOctets('EntryID', entryId);
      this.#attributes.putTime('TimeofEntry', timeMs);
    }
    if (this.client) this.#around.onReady();
  }

  #tellReservation(): void {
    const { address, seconds } = this.#reservation;
    this.#attributes.putBoolean('Resv', address !== null);
    this.#attributes.putNumber('ResvTms', seconds);
    this.#attributes.putOctets('Owner', address === null ? new Uint8Array(0) : ownerOctets(address));
  }
}
