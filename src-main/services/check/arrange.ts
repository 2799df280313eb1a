import { type CheckArranged, MOST_MISFITS } from '#shared/contract/check-order.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import type { StoredCheckItem } from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectSession } from '../ports.ts';
import type { CheckBook } from './check-book.ts';

const ITEMS_A_LOOK = 200;
const DIGITS = 15;

/** What a file says of the items with one code. */
export interface Rule {
  /** Of the file, from 1. */
  readonly row: number;
  /** Empty: the code alone says which item it is. */
  readonly channel: string;
  readonly code: string;
  /** Type that the item has to have; left out: any. */
  readonly frameType?: FrameType;
  readonly change: Partial<Pick<StoredCheckItem, 'group' | 'expectation'>>;
}

/**
 * Gives items what the rules of a file say, in its order; those that it does not name stay as they are, behind the others. Only items of `channelId` where it is given.
 * Within `changing`.
 */
export async function arrange(
  session: ProjectSession,
  book: CheckBook,
  id: number,
  rules: readonly Rule[],
  channelId: number | undefined,
): Promise<CheckArranged> {
  const turns = new Turns();
  const all = book.items(id);
  const byCode = new Map<string, StoredCheckItem[]>();
  for (const item of all) {
    if (channelId !== undefined && (item.service !== '' || item.channelId !== channelId)) continue;
    const same = byCode.get(item.code);
    if (same) same.push(item);
    else byCode.set(item.code, [item]);
  }
  const taken = new Map<string, StoredCheckItem>();
  const misfits: CheckArranged['misfits'] = [];
  for (const [at, rule] of rules.entries()) {
    if (at % ITEMS_A_LOOK === 0) await turns.breathe();
    const meant = meantBy(session, rule, byCode.get(rule.code) ?? [], channelId !== undefined);
    const right = meant.filter(({ frameType }) => rule.frameType === undefined || frameType === rule.frameType);
    const free = right.filter(({ uuid }) => !taken.has(uuid));
    for (const item of free) taken.set(item.uuid, { ...item, ...rule.change });
    const why = meant.length === 0 ? 'unknown' : right.length === 0 ? 'other_type' : 'twice';
    if (free.length === 0) misfits.push({ row: rule.row, channel: rule.channel, code: rule.code, why });
  }
  const left = all.filter(({ uuid }) => !taken.has(uuid));
  const changed = await putInOrder(book, id, [...taken.values(), ...left]);
  return { changed, left: left.length, misfits: misfits.slice(0, MOST_MISFITS), misfit_count: misfits.length };
}

/** Items that a rule speaks of: the channel decides only between several of the same code. */
function meantBy({ channels }: ProjectSession, { channel }: Rule, same: StoredCheckItem[], isOneChannel: boolean): StoredCheckItem[] {
  if (isOneChannel || channel === '' || same.length < 2) return same;
  return same.filter((item) => (channels.get(item.channelId)?.settings.name ?? item.channel) === channel);
}

/** Gives items their places in this order, and keeps what is otherwise than before. Answers how many. Within `changing`. */
export async function putInOrder(book: CheckBook, id: number, items: readonly StoredCheckItem[]): Promise<number> {
  const turns = new Turns();
  const changed: StoredCheckItem[] = [];
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_A_LOOK === 0) await turns.breathe();
    const before = book.item(id, item.uuid);
    const placed = { ...item, place: at + 1 };
    if (isOther(before, placed)) changed.push(placed);
  }
  await book.putItems(id, changed);
  return changed.length;
}

function isOther(before: StoredCheckItem, after: StoredCheckItem): boolean {
  if (before.place !== after.place || before.group !== after.group) return true;
  return before.expectation !== after.expectation && JSON.stringify(before.expectation) !== JSON.stringify(after.expectation);
}

/** Items in an order; those that are the same in it stay as they are. */
export function inOrder(items: readonly StoredCheckItem[], by: 'table' | 'group' | 'code'): Promise<StoredCheckItem[]> {
  return sortedByText(items, (item) => keyOf(item, by));
}

/** Sorts a long list by a text of each, in slices; equal ones stay as they are. */
export async function sortedByText<Item>(items: readonly Item[], textOf: (item: Item) => string, isDown = false): Promise<Item[]> {
  const turns = new Turns();
  const keyed: { readonly key: string; readonly item: Item }[] = [];
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_A_LOOK === 0) await turns.breathe();
    keyed.push({ key: textOf(item), item });
  }
  await turns.breathe();
  const up = isDown ? -1 : 1;
  return keyed.sort((one, other) => (one.key < other.key ? -up : one.key > other.key ? up : 0)).map(({ item }) => item);
}

/** Text by which an item is ordered. What names nothing comes last. */
function keyOf({ channelId, pointId, group, code }: StoredCheckItem, by: 'table' | 'group' | 'code'): string {
  if (by === 'code') return natural(code);
  if (by === 'group') return group === '' ? '\uFFFF' : natural(group);
  const number = (value: number) => String(value || Number.MAX_SAFE_INTEGER).padStart(DIGITS + 1, '0');
  return `${number(channelId)} ${number(pointId)}`;
}

/** A text whose order is the natural one: numbers in it by their size, capitals like others. */
export function natural(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(DIGITS, '0'));
}
