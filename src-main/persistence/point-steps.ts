import { MessageSchema } from '#shared/contract/common.ts';
import type { CallSource } from '#shared/contract/points-edit.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { RemovedRows } from './removed-rows.ts';
import type { PointLoad, StepEntry, StepFacts, StepLimits, StepRepository, StepSide, StoredStep } from './repositories.ts';
import { packedParts, unpackPart } from './step-parts.ts';
import { storedObject, toStoreError } from './store-error.ts';
import type { StoreFile } from './store-file.ts';

/** What the journal of a project keeps: a change of 100,000 points has some millions of octets. */
export const STEP_LIMITS: StepLimits = { steps: 100, octets: 16 * 1024 * 1024 };

/** Points of a step, and their octets unpacked, beyond which none was written by us: the memory must hold it. */
const MOST_POINTS = 400_000;
const MOST_UNPACKED = 512 * 1024 * 1024;
/** Of the name of a step, as JSON. */
const LONGEST_NAME = 10_000;

interface StepRow {
  readonly id: number;
  readonly at: string;
  readonly source: CallSource;
  readonly name: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly octets: number;
  readonly state: number;
  readonly channels: string;
}

const COLUMNS = `id, at, source, name, added, changed, removed, octets, state,
  (SELECT json_group_array(channel_id) FROM point_step_channels WHERE step_id = point_steps.id) AS channels`;

/**
 * The journal of the point tables: what each change took away and brought, so that it can be taken back exactly. Steps of a channel are undone from the
 * latest on; a new change forgets those that were undone.
 */
export class PointSteps implements StepRepository {
  readonly limits: StepLimits;
  readonly #file: StoreFile;
  readonly #removedRows: RemovedRows;
  readonly #statements;

  constructor(file: StoreFile, removedRows: RemovedRows, limits: StepLimits) {
    const { db } = file;
    this.limits = limits;
    this.#file = file;
    this.#removedRows = removedRows;
    this.#statements = {
      begin: db.prepare<[string, string, string, number, number, number, number]>(
        'INSERT INTO point_steps (at, source, name, added, changed, removed, octets, state) VALUES (?, ?, ?, ?, ?, ?, 0, ?)',
      ),
      link: db.prepare<[number, number]>('INSERT INTO point_step_channels (step_id, channel_id) VALUES (?, ?)'),
      write: db.prepare<[number, number, number, Buffer]>(
        'INSERT INTO point_step_parts (step_id, part, channel_id, change) VALUES (?, ?, ?, ?)',
      ),
      dropParts: db.prepare<[number]>('DELETE FROM point_step_parts WHERE step_id = ?'),
      weigh: db.prepare<[number, number]>('UPDATE point_steps SET octets = ? WHERE id = ?'),
      setState: db.prepare<[number, number]>('UPDATE point_steps SET state = ? WHERE id = ?'),
      all: db.prepare<[], StepRow>(`SELECT ${COLUMNS} FROM point_steps WHERE state IN (1, 2) ORDER BY id`),
      part: db.prepare<[number, number], { channel_id: number; change: Buffer }>(
        'SELECT channel_id, change FROM point_step_parts WHERE step_id = ? AND part = ?',
      ),
      forgetOpen: db.prepare<[]>('UPDATE point_steps SET state = -1 WHERE state = 0'),
    };
    this.#recover();
  }

  all(): StoredStep[] {
    return this.#file.read(() => this.#statements.all.all().map(fromRow));
  }

  record(facts: StepFacts, sides: readonly StepSide[]): void {
    const id = this.#begin(facts, sides, 1);
    let part = 0;
    let octets = 0;
    for (const side of sides) {
      for (const packed of packedParts(side)) {
        this.#statements.write.run(id, part, side.channelId, packed);
        part += 1;
        octets += packed.length;
      }
    }
    if (octets > this.limits.octets) this.#statements.dropParts.run(id);
    this.#settle(id, octets);
    facts.onEntered?.(id);
  }

  async prepare(
    facts: StepFacts,
    sides: readonly StepSide[],
    breathe: () => Promise<void>,
    loads: readonly PointLoad[] = [],
  ): Promise<StepEntry> {
    const id = this.#file.changeLoosely(() => this.#begin(facts, sides, 0));
    const discard = () => {
      this.#file.change(() => this.#statements.setState.run(-1, id));
      void this.#removedRows.sweep();
    };
    try {
      const octets = await this.#write(id, sides, loads, breathe);
      if (octets > this.limits.octets) this.#file.changeLoosely(() => this.#statements.dropParts.run(id));
      return {
        confirm: () => {
          this.#statements.setState.run(1, id);
          this.#settle(id, octets);
          facts.onEntered?.(id);
        },
        discard,
      };
    } catch (thrown) {
      discard();
      throw thrown;
    }
  }

  /** Writes the parts of a step until they are more than it may have; answers their octets. */
  async #write(id: number, sides: readonly StepSide[], loads: readonly PointLoad[], breathe: () => Promise<void>): Promise<number> {
    let part = 0;
    let octets = 0;
    for (const [index, side] of sides.entries()) {
      for (const packed of packedParts(side, loads[index]?.addedTexts())) {
        octets += packed.length;
        if (octets > this.limits.octets) return octets;
        this.#file.changeLoosely(() => this.#statements.write.run(id, part, side.channelId, packed));
        part += 1;
        await breathe();
      }
    }
    return octets;
  }

  mark(id: number, isUndone: boolean): void {
    this.#statements.setState.run(isUndone ? 2 : 1, id);
  }

  async sides(id: number, breathe: () => Promise<void>): Promise<StepSide[]> {
    let [count, octets] = [0, 0];
    const sides = new Map<number, { [Key in 'removed' | 'changed' | 'added']: StepSide[Key][number][] }>();
    for (let part = 0; ; part++) {
      const row = this.#file.read(() => this.#statements.part.get(id, part));
      if (!row) break;
      const found = await this.#unpacked(row, breathe);
      if (found) {
        count += found.removed.length + found.changed.length + found.added.length;
        octets += found.octets;
      }
      if (!found || count > MOST_POINTS || octets > MOST_UNPACKED) throw new AppError('STATE_CONFLICT', say('edit.huge', { step: id }));
      const side = sides.get(row.channel_id) ?? { removed: [], changed: [], added: [] };
      side.removed.push(...found.removed);
      side.changed.push(...found.changed);
      side.added.push(...found.added);
      sides.set(row.channel_id, side);
      await breathe();
    }
    if (sides.size === 0) throw new AppError('CONFIG_NOT_FOUND', say('edit.no_step', { step: id }));
    return [...sides].map(([channelId, side]) => ({ channelId, ...side }));
  }

  /** As `unpackPart`; a damaged part is told as damage of the file. */
  async #unpacked(row: { readonly channel_id: number; readonly change: Buffer }, breathe: () => Promise<void>) {
    try {
      return await unpackPart(row.channel_id, row.change, breathe);
    } catch (thrown) {
      throw toStoreError(this.#file.path, thrown);
    }
  }

  #recover(): void {
    const open = this.#file.db.prepare<[], number>('SELECT count(*) FROM point_steps WHERE state = 0').pluck();
    // where they cannot be forgotten now, they are not listed all the same
    if (this.#file.read(() => open.get())) this.#file.tidy(() => this.#file.change(() => this.#statements.forgetOpen.run()));
    void this.#removedRows.sweep();
  }

  #begin({ at, source, name }: StepFacts, sides: readonly StepSide[], state: number): number {
    const { begin, link } = this.#statements;
    const count = (key: 'added' | 'changed' | 'removed') => sides.reduce((sum, side) => sum + side[key].length, 0);
    const row = begin.run(at, source, JSON.stringify(name), count('added'), count('changed'), count('removed'), state);
    const id = Number(row.lastInsertRowid);
    for (const { channelId } of sides) link.run(id, channelId);
    return id;
  }

  /** What a new step means for those that are there. */
  #settle(id: number, octets: number): void {
    const isKept = octets <= this.limits.octets;
    this.#statements.weigh.run(isKept ? octets : 0, id);
    const steps = this.#statements.all.all().map(fromRow);
    const channels = steps.find((step) => step.id === id)?.channels ?? [];
    const gone = undoneBehind(
      steps.filter((step) => step.id !== id),
      new Map(channels.map((channel) => [channel, 0])),
    );
    // nobody comes to what lies before a step that cannot be undone
    if (!isKept) for (const step of steps) if (step.id < id && step.channels.every((each) => channels.includes(each))) gone.add(step.id);
    this.#trim(steps, gone);
    for (const each of gone) this.#statements.setState.run(-1, each);
    if (gone.size > 0) void this.#removedRows.sweep();
  }

  /** The oldest fall out until the rest is within the bounds; the newest stays. */
  #trim(steps: readonly StoredStep[], gone: Set<number>): void {
    for (const step of steps.slice(0, -1)) {
      const left = steps.filter(({ id }) => !gone.has(id));
      const octets = left.reduce((sum, each) => sum + each.octets, 0);
      if (left.length <= this.limits.steps && octets <= this.limits.octets) return;
      gone.add(step.id);
      if (!step.isUndone) continue;
      for (const id of undoneBehind(steps, new Map(step.channels.map((channel) => [channel, step.id])))) gone.add(id);
    }
  }
}

/**
 * Steps that cannot be done again any more: undone ones of these channels from a step on, and of the channels they moved points from or to.
 */
function undoneBehind(steps: readonly StoredStep[], from: Map<number, number>): Set<number> {
  const gone = new Set<number>();
  const undone = steps.filter((step) => step.isUndone);
  for (let known = -1; known < gone.size; ) {
    known = gone.size;
    for (const { id, channels } of undone) {
      if (!channels.some((channel) => id >= (from.get(channel) ?? Number.POSITIVE_INFINITY))) continue;
      gone.add(id);
      for (const channel of channels) from.set(channel, Math.min(id, from.get(channel) ?? id));
    }
  }
  return gone;
}

/** A name is shown before anybody takes the step, so what is none must not break the list. */
function nameOf(json: string): Message {
  const name = json.length <= LONGEST_NAME ? MessageSchema.safeParse(storedObject(json)).data : undefined;
  return name ?? say('edit.no_name');
}

function fromRow({ name, channels, state, ...row }: StepRow): StoredStep {
  return {
    ...row,
    name: nameOf(name),
    channels: storedObject<number[]>(channels),
    isUndone: state === 2,
    isKept: row.octets > 0,
  };
}
