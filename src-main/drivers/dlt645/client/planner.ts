/** Which identifiers a round asks of which meter, and with which block identifiers it asks for several at once. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig, PointFailure, ReadBatch } from '../../spi/index.ts';
import { readOctets } from '../link/line-time.ts';
import { recordSelection } from '../load-records.ts';
import { type MeterPoint, meterPoint } from '../meter-point.ts';
import type { MeterTarget } from '../meter-request.ts';

/** A point in the reply that is asked for; `index` is its element of a block, null in a reply of its own. */
interface BatchItem {
  readonly meter: MeterPoint;
  readonly index: number | null;
}

/** One identifier asked of one meter. */
export interface MeterBatch extends ReadBatch {
  readonly slaveId: number;
  readonly target: MeterTarget;
  readonly di: number;
  readonly isBlock: boolean;
  /** Which load records are meant; empty for everything else. */
  readonly selection: Uint8Array;
  /** Octets of the value as far as they are known. */
  readonly valueOctets: number;
  readonly items: readonly BatchItem[];
}

/** What a connection has learnt of the blocks of its meters. */
export class LearnedBlocks {
  readonly #blocks = new Map<string, { isMissing: boolean; silences: number; elements: number | null }>();
  #version = 0;

  /** Grows when plans should be made anew. */
  get version(): number {
    return this.#version;
  }

  /** The meter has no such block. */
  missing(target: MeterTarget, di: number): void {
    this.#of(target, di).isMissing = true;
    this.#version += 1;
  }

  /** The meter said nothing to the block, for the second time: some meters answer what they do not know so. */
  silent(target: MeterTarget, di: number): void {
    const block = this.#of(target, di);
    block.silences += 1;
    if (block.silences >= 2 && block.elements === null) this.missing(target, di);
  }

  /** The block has so many elements. */
  answered(target: MeterTarget, di: number, elements: number): void {
    const block = this.#of(target, di);
    block.silences = 0;
    if (block.elements === elements) return;
    block.elements = elements;
    this.#version += 1;
  }

  isMissing(target: MeterTarget, di: number): boolean {
    return this.#blocks.get(keyOf(target, di))?.isMissing ?? false;
  }

  elements(target: MeterTarget, di: number): number | null {
    return this.#blocks.get(keyOf(target, di))?.elements ?? null;
  }

  #of(target: MeterTarget, di: number) {
    const key = keyOf(target, di);
    let block = this.#blocks.get(key);
    if (!block) {
      block = { isMissing: false, silences: 0, elements: null };
      this.#blocks.set(key, block);
    }
    return block;
  }
}

function keyOf({ address, edition }: MeterTarget, di: number): string {
  return `${address} ${edition} ${di}`;
}

export interface PlannerOptions {
  readonly mode: 'batch' | 'single';
  readonly useBlocks: boolean;
  /** FE octets in front of a request; an answer is reckoned with as many. */
  readonly preambles: number;
  readonly learned: LearnedBlocks;
}

/** Rates that a block is reckoned with before its meter was heard: total and four. */
const USUAL_ELEMENTS = 5;
const NO_SELECTION = new Uint8Array(0);
/** Octets of a reply whose length nobody knows. */
const USUAL_OCTETS = 32;

interface Group {
  readonly target: MeterTarget;
  /** Points by identifier and what else the request says, in table order. */
  readonly items: Map<string, MeterPoint[]>;
}

/** Requests of a round, in the order of the table. Each point is in exactly one of them, or among the excluded ones. */
export function planReads(points: readonly PointConfig[], options: PlannerOptions): { batches: MeterBatch[]; excluded: PointFailure[] } {
  const groups = new Map<string, Group>();
  const batches: MeterBatch[] = [];
  const excluded: PointFailure[] = [];
  for (const point of points) {
    try {
      const meter = meterPoint(point);
      if (meter.item && !meter.item.isReadable) throw new AppError('CONFIG_INVALID', say('dlt645.password_unreadable'));
      if (options.mode === 'single') batches.push(singleBatch(meter.target, [meter]));
      else addTo(groups, meter);
    } catch (thrown) {
      excluded.push({ kind: 'failure', pointId: point.id, error: toAppError(thrown) });
    }
  }
  for (const group of groups.values()) batches.push(...batchesOf(group, options));
  return { batches, excluded };
}

function addTo(groups: Map<string, Group>, meter: MeterPoint): void {
  const key = `${meter.target.address} ${meter.target.edition}`;
  const group = groups.get(key) ?? { target: meter.target, items: new Map<string, MeterPoint[]>() };
  groups.set(key, group);
  const item = `${meter.point.address} ${recordSelection(meter.point).join(' ')}`;
  const same = group.items.get(item);
  if (same) same.push(meter);
  else group.items.set(item, [meter]);
}

function batchesOf({ target, items }: Group, options: PlannerOptions): MeterBatch[] {
  const blocks = new Map<number, MeterPoint[][]>();
  for (const meters of items.values()) {
    const block = blockFor(meters, options);
    if (block !== null) blocks.set(block, [...(blocks.get(block) ?? []), meters]);
  }
  const batches: MeterBatch[] = [];
  const done = new Set<number>();
  for (const [, meters] of items) {
    const block = blockFor(meters, options);
    const together = block === null ? [] : (blocks.get(block) ?? []);
    if (block === null || !isWorth(together, target, block, options)) batches.push(singleBatch(target, meters));
    else if (!done.has(block)) {
      done.add(block);
      batches.push(blockBatch(target, block, together.flat(), options));
    }
  }
  return batches;
}

/** The block that all of these points, which share an identifier, can be read with; null where there is none. */
function blockFor(meters: readonly MeterPoint[], { useBlocks, learned }: PlannerOptions): number | null {
  const [first] = meters;
  if (!useBlocks || !first?.block || !meters.every(({ block }) => block !== null)) return null;
  const { blockDi, index } = first.block;
  const elements = learned.elements(first.target, blockDi);
  return learned.isMissing(first.target, blockDi) || (elements !== null && index >= elements) ? null : blockDi;
}

/** True when one block is shorter on the line than its items one by one. */
function isWorth(together: readonly MeterPoint[][], target: MeterTarget, blockDi: number, options: PlannerOptions): boolean {
  if (together.length < 2) return false;
  const { preambles } = options;
  const block = readOctets(target.edition, blockOctets(together.flat(), target, blockDi, options), preambles);
  const singles = together.reduce((sum, [meter]) => sum + readOctets(target.edition, octetsOf(meter), preambles), 0);
  return block < singles;
}

function blockOctets(meters: readonly MeterPoint[], target: MeterTarget, blockDi: number, { learned }: PlannerOptions): number {
  const [first] = meters;
  const highest = Math.max(...meters.map(({ block }) => block?.index ?? 0));
  const elements = learned.elements(target, blockDi) ?? first?.block?.elements ?? Math.max(USUAL_ELEMENTS, highest + 1);
  return elements * (first?.format.size ?? 0);
}

function octetsOf(meter: MeterPoint | undefined): number {
  return meter?.octets ?? meter?.format.size ?? USUAL_OCTETS;
}

function singleBatch(target: MeterTarget, meters: readonly MeterPoint[]): MeterBatch {
  const [first] = meters;
  const selection = first ? recordSelection(first.point) : NO_SELECTION;
  return {
    slaveId: target.slaveId,
    target,
    di: first?.point.address ?? 0,
    isBlock: false,
    selection,
    valueOctets: octetsOf(first) + selection.length,
    pointIds: meters.map(({ point }) => point.id),
    items: meters.map((meter) => ({ meter, index: null })),
  };
}

function blockBatch(target: MeterTarget, di: number, meters: readonly MeterPoint[], options: PlannerOptions): MeterBatch {
  return {
    slaveId: target.slaveId,
    target,
    di,
    isBlock: true,
    selection: NO_SELECTION,
    valueOctets: blockOctets(meters, target, di, options),
    pointIds: meters.map(({ point }) => point.id),
    items: meters.map((meter) => ({ meter, index: meter.block?.index ?? 0 })),
  };
}

/** The items of a block, each to be asked for by itself; items of one identifier stay together. */
export function oneByOne(batch: MeterBatch, items: readonly BatchItem[]): MeterBatch[] {
  const byDi = new Map<number, MeterPoint[]>();
  for (const { meter } of items) {
    const same = byDi.get(meter.point.address);
    if (same) same.push(meter);
    else byDi.set(meter.point.address, [meter]);
  }
  return [...byDi.values()].map((meters) => singleBatch(batch.target, meters));
}
