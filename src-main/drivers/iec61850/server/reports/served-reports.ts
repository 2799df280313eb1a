/** The report control blocks of the simulated device, and the sending of what they have. */
import type { CancelTimer, Clock } from '../../../../platform/clock.ts';
import type { Steps } from '../../../../platform/steps.ts';
import type { VariableSpec } from '../../mms/pdu.ts';
import { suits } from '../../mms/type-check.ts';
import type { MmsResult, MmsValue } from '../../mms/types.ts';
import { ACCESS_ERROR } from '../../mms/words.ts';
import type { ModelIndex } from '../../model/places.ts';
import type { DataSets } from '../data-sets.ts';
import { DueBlocks } from '../due-blocks.ts';
import { blocksOf, type ControlBlocks, type ServedImage, type Variable, variableKey } from '../image.ts';
import { BlockAttributes } from './block-attributes.ts';
import { ChangeWatch } from './change-watch.ts';
import { entryIdOf, type KeptBlock } from './lasting-entries.ts';
import type { ReportClient } from './report-client.ts';
import { type BlockSurroundings, ServedBlock } from './served-block.ts';

export interface ServedReportsOptions {
  readonly image: ServedImage;
  readonly dataSets: DataSets;
  readonly clock: Clock;
  read(item: VariableSpec): MmsResult;
  /** See `BlockSurroundings`. */
  onConfigured(keys: readonly string[]): void;
  /** Buffered blocks have other entries. */
  onEntries(): void;
  /** The data set of a block that a client has enabled has other members now; the association is ended. */
  onRenewed(client: ReportClient): void;
}

const CONSTRAINTS = ['RP', 'BR'] as const;
/** Octets that are sent before others get their turn. */
const TURN_OCTETS = 65_536;
/** Octets that wait for the line of one client before its next report is made. */
const MOST_WAITING_OCTETS = 262_144;
/** How soon a line that had too much waiting is looked at again. */
const CROWDED_MS = 20;
/** Octets that the entries of all blocks may take together, and those of one at most and at least. */
const ALL_BUFFERS_OCTETS = 8_000_000;
const MOST_BUFFER_OCTETS = 200_000;
const LEAST_BUFFER_OCTETS = 10_000;
/** Characters that the entries of all blocks may take together as the project stores them. */
const KEPT_CHARACTERS = 256_000;

export class ServedReports {
  readonly #options: ServedReportsOptions;
  readonly #watch: ChangeWatch;
  #blocks = new Map<string, ServedBlock>();
  readonly #due = new DueBlocks(
    (key, block) => this.#look(key, block),
    (block) => this.#entered(block),
  );
  /** Blocks that the model has no longer. */
  readonly #gone: ServedBlock[] = [];
  #around: BlockSurroundings;
  #cancel: CancelTimer | null = null;
  #lastEntry = 0;
  /** Who sent last. */
  #last: ServedBlock | null = null;

  constructor(options: ServedReportsOptions) {
    this.#options = options;
    this.#watch = new ChangeWatch(options.clock, (key) => options.image.writtenTriggers(key));
    options.image.watch(this.#watch);
    this.#watch.precede((key) => this.#due.beforeSet(key));
    this.#around = this.#surroundings(MOST_BUFFER_OCTETS);
  }

  /** Finds what changes of data sets, for whoever else keeps changes. */
  get watch(): ChangeWatch {
    return this.#watch;
  }

  /** Begins anew: all blocks are disabled and empty. */
  *restart(): Steps<void> {
    this.close();
    this.#blocks = new Map();
    this.#take(yield* reportBlocks(this.#options.image.index));
    yield* this.#due.steps();
  }

  /**
   * Takes over the blocks of the model of the image; those that stay keep what they have, unless the members of their data set are others. What a client has enabled is
   * looked at now, the others with `settleSteps`, when a client asks for them or when what they enter is set: each is as it was until then, also behind another model.
   */
  update(blocks: ControlBlocks): void {
    for (const block of this.#gone.splice(0)) block.end();
    this.#take(blocks);
    const sent = new Set<ReportClient>();
    for (const [key, block] of this.#blocks) {
      const isGone = !blocks.has(key);
      if (isGone) this.#blocks.delete(key);
      const { client } = block;
      if (client === null) {
        if (isGone) this.#retire(block);
      } else if (isGone || block.hasOtherMembers()) {
        sent.add(client);
        if (isGone) block.end();
        else block.renew();
      }
    }
    for (const client of sent) this.#options.onRenewed(client);
  }

  /** Looks at the blocks that nobody has asked for since `update`. */
  *settleSteps(): Steps<void> {
    yield* this.#due.steps();
    for (let block = this.#gone.pop(); block; block = this.#gone.pop()) {
      yield;
      block.end();
    }
  }

  /** A client is about to read this, which may be a block or have blocks in it. */
  settle(variable: Variable): void {
    this.#due.settle(variable);
  }

  #retire(block: ServedBlock): void {
    block.gone();
    this.#gone.push(block);
  }

  #take(blocks: ControlBlocks): void {
    const buffered = [...blocks.values()].filter(({ path }) => path[0] === 'BR').length;
    const share = Math.floor(ALL_BUFFERS_OCTETS / Math.max(1, buffered));
    this.#around = this.#surroundings(Math.max(LEAST_BUFFER_OCTETS, Math.min(MOST_BUFFER_OCTETS, share)));
    this.#due.put(blocks);
  }

  #look(key: string, block: Variable): void {
    const known = this.#blocks.get(key);
    if (!known) this.#blocks.set(key, new ServedBlock(block, this.#around));
    else if (known.hasOtherMembers()) known.renew();
  }

  /** What a buffered block enters by the model, also when nobody has it enabled. */
  #entered(block: Variable): readonly VariableSpec[] {
    if (block.path[0] !== 'BR') return [];
    const { image, dataSets } = this.#options;
    return dataSets.named(new BlockAttributes(image, block).text('DatSet'), null)?.items ?? [];
  }

  /** Carries out what a client writes to a member of a block; answers the error, or null. */
  write(variable: Variable, value: MmsValue, client: ReportClient): number | null {
    const [constraint = '', name = '', member, ...more] = variable.path;
    this.#due.settle(variable);
    const block = this.#blocks.get(variableKey({ ...variable, path: [constraint, name] }));
    if (!block || member === undefined || more.length > 0) return ACCESS_ERROR.accessDenied;
    if (!suits(variable.type, value)) return ACCESS_ERROR.typeInconsistent;
    return block.write(member, value, client);
  }

  /** True for a data set, `LD/LN$name` or `@name` of the client's association, that a block names. */
  isUsed(dataSet: string, client: ReportClient): boolean {
    this.#due.settleAll();
    const isShared = !dataSet.startsWith('@');
    return [...this.#blocks.values()].some((block) => block.dataSet === dataSet && (isShared || block.holder === client));
  }

  /** The association of a client has ended. */
  left(client: ReportClient): void {
    for (const block of this.#blocks.values()) block.left(client);
  }

  /** Entries of all blocks as they are kept, with what is being gathered where `whole`. */
  keptEntries(whole: boolean): readonly KeptBlock[] {
    const { blocks, share } = this.#kept();
    if (whole) for (const block of blocks) block.flush();
    return blocks.flatMap((block) => block.kept(share) ?? []);
  }

  /** Writes out what is kept, block by block, so that `keptEntries` finds it written. */
  *keptSteps(): Steps<void> {
    const { blocks, share } = this.#kept();
    for (const block of blocks) {
      block.kept(share);
      yield;
    }
  }

  /** Blocks that keep entries, and the characters that each may take. */
  #kept(): { readonly blocks: readonly ServedBlock[]; readonly share: number } {
    const blocks = [...this.#blocks.values()].filter(({ isBuffered }) => isBuffered);
    return { blocks, share: Math.floor(KEPT_CHARACTERS / Math.max(1, blocks.length)) };
  }

  /** Takes entries back that were kept, where the block means the same still. */
  restoreEntries(kept: readonly KeptBlock[]): void {
    for (const each of kept) this.#lastEntry = Math.max(this.#lastEntry, this.#blocks.get(each.block)?.restore(each) ?? 0);
  }

  /** Sends and gathers no more. */
  close(): void {
    this.#due.put(new Map());
    for (const block of this.#gone.splice(0)) block.end();
    for (const block of this.#blocks.values()) block.end();
    this.#cancel?.();
    this.#cancel = null;
  }

  #surroundings(bufferOctets: number): BlockSurroundings {
    const { image, dataSets, clock, read, onConfigured, onEntries } = this.#options;
    return {
      image,
      clock,
      watch: this.#watch,
      bufferOctets,
      membersOf: (dataSet, client) => dataSets.named(dataSet, client?.dataSets ?? null)?.items ?? null,
      read,
      nextEntryId: () => this.#nextEntryId(),
      onReady: () => this.#wake(0),
      onConfigured,
      onEntries,
    };
  }

  /** Entries are numbered by the time, so that a device that was started anew gives none a second time. */
  #nextEntryId(): Uint8Array {
    this.#lastEntry = Math.max(this.#lastEntry + 1, Math.floor(this.#options.clock.wallMs()));
    return entryIdOf(this.#lastEntry);
  }

  #wake(ms: number): void {
    this.#cancel ??= this.#options.clock.after(ms, () => {
      this.#cancel = null;
      this.#send();
    });
  }

  /** One report of each block in turn, as long as the turn and the lines have room. */
  #send(): void {
    let room = TURN_OCTETS;
    for (let ready = this.#ready(); ready.length > 0 && room > 0; ready = this.#ready()) {
      for (const block of ready) {
        if (room <= 0) break;
        room -= block.sendNext();
        this.#last = block;
      }
    }
    if (room <= 0) this.#wake(0);
    else if ([...this.#blocks.values()].some(({ isReady }) => isReady)) this.#wake(CROWDED_MS);
  }

  /** Blocks that may send, the one behind the last that did first. */
  #ready(): ServedBlock[] {
    const all = [...this.#blocks.values()];
    const behind = this.#last ? all.indexOf(this.#last) + 1 : 0;
    const mayTake = (client: ReportClient | null) => (client?.waitingOctets() ?? 0) < MOST_WAITING_OCTETS;
    return [...all.slice(behind), ...all.slice(0, behind)].filter(({ isReady, client }) => isReady && mayTake(client));
  }
}

/** The blocks of a model, in its order. */
export function reportBlocks(index: ModelIndex): Steps<ControlBlocks> {
  return blocksOf(index, CONSTRAINTS);
}
