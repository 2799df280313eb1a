import { z } from 'zod';
import { CheckEntry, CheckFile, CheckPartHead, Expectation } from '#shared/contract/check.ts';
import { FrameTypeSchema, Timestamp } from '#shared/contract/common.ts';
import type { DataOf } from '#shared/contract/index.ts';
import { orderTime } from '#shared/domain/check-order.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type {
  CheckPartEnd,
  StoredCheck,
  StoredCheckEntry,
  StoredCheckItem,
  StoredCheckPart,
} from '../../persistence/check-repositories.ts';
import { Turns } from '../../platform/turns.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { canonical } from './chain.ts';
import { CheckBook, type Mark } from './check-book.ts';
import { fileType } from './file-type.ts';
import { requireFileRoom, takeFiles } from './merge-files.ts';
import { RecordFault } from './record-fault.ts';
import { type RecordPiece, readRecord } from './record-file.ts';
import { sessionRow } from './sessions.ts';

/** Entries that go into the file in one change. */
const ENTRIES_A_CHANGE = 100;
const ITEMS_A_LOOK = 200;

type Merged = DataOf<'mergeCheck'>;

/** What a first reading of a record finds: it is whole, and does not contradict what is here. */
interface Examined {
  readonly facts: RecordFacts;
  readonly items: readonly RecordItem[];
  /** Last deciding result of each item in the record. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** Last entry of each part. */
  readonly last: ReadonlyMap<string, number>;
  /** Digests of the files that entries name. */
  readonly attached: ReadonlySet<string>;
  /** Octets of its files by their digests. */
  readonly sizes: ReadonlyMap<string, number>;
}

/**
 * Takes over what the record of another copy of a session has and this project has not. It is read twice: once to prove it, once to take it. A kill in
 * between leaves whole beginnings of its parts, and merging it again takes the rest. Throws `RecordFault`, and `STATE_CONFLICT` where its files have no room; nothing is taken over
 * then.
 */
export async function mergeRecord(deps: ServiceDeps, path: string): Promise<Merged> {
  const book = CheckBook.of(deps);
  const examined = await examine(book, path);
  const { session } = examined.facts;
  const known = sessionOf(book, examined.facts);
  requireFileRoom(book.store, known?.id ?? null, examined);
  // uploads come one after the other, so no other merge has added it meanwhile
  const check = known ?? book.store.add({ ...session, createdAt: session.created_at });
  return book.changing(check.id, () => takeOver(deps, book, check, path, examined));
}

async function takeOver(deps: ServiceDeps, book: CheckBook, check: StoredCheck, path: string, examined: Examined): Promise<Merged> {
  const session = deps.projects.current();
  const { store } = book;
  const { items, marks, last } = examined;
  const before = new Map(await book.marks(check.id));
  const ends = endsOf(book, check);
  const conflicts = [...(await expectationConflicts(book.items(check.id), items)), ...verdictConflicts(before, marks, ends, last, items)];
  const added = addedItems(session, book.items(check.id), items);
  const here = new Set(book.items(check.id).map(pointKey));
  const services = new Set(deps.facts.remotes.list().map(({ name }) => name));
  await book.putItems(check.id, added);
  for (const item of added) {
    const isKnown = item.service === '' ? item.pointId !== 0 : services.has(item.service);
    const missing = item.service === '' ? 'point_missing' : 'service_missing';
    const what = !isKnown ? missing : here.has(pointKey(item)) ? 'twice' : null;
    if (what) conflicts.push({ item: item.uuid, code: item.code, what });
  }
  const files = await takeFiles(store, check.id, path, examined);
  const taken = await take(
    path,
    (entries, parts) => store.append(check.id, entries, parts),
    ends,
    () => book.merged(check.id),
  );
  if (deps.projects.current() !== session) throw new AppError('STATE_CONFLICT', say('service.expected_project'));
  return { session: await sessionRow(deps, check), items: added.length, files, ...taken, conflicts };
}

function sessionOf(book: CheckBook, { session }: RecordFacts): StoredCheck | undefined {
  return book.list().find(({ uuid }) => uuid === session.uuid);
}

function endsOf(book: CheckBook, { id }: StoredCheck): Map<string, CheckPartEnd> {
  return new Map(book.store.ends(id).map((end) => [end.part, end]));
}

/** Proves a record, and that no entry of it is another one here. */
async function examine(book: CheckBook, path: string): Promise<Examined> {
  const items: RecordItem[] = [];
  const marks = new Map<string, Mark>();
  const last = new Map<string, number>();
  const attached = new Set<string>();
  const sizes = new Map<string, number>();
  let facts: RecordFacts | null = null;
  let check: StoredCheck | undefined;
  let orderAt = '';
  for await (const piece of readRecord(path)) {
    requireShape(piece);
    if (piece.is === 'facts') {
      facts = piece.facts;
      check = sessionOf(book, facts);
    } else if (piece.is === 'item') items.push(piece.item);
    else if (piece.is === 'file') sizes.set(piece.file.sha256, piece.file.size);
    else if (piece.is === 'part') orderAt = piece.head.not_before;
    else if (piece.is === 'entry') {
      const { part, entry, digest } = piece;
      orderAt = orderTime(orderAt, entry);
      last.set(part, entry.seq);
      for (const { sha256 } of entry.attachments ?? []) attached.add(sha256);
      const ours = check && book.store.entry(check.id, part, entry.seq);
      if (ours && ours.digest !== digest) throw new RecordFault(say('check.forked', { part, seq: entry.seq }));
      CheckBook.note(marks, entry.item, { part, seq: entry.seq, orderAt, verdict: entry.verdict, mapping: '' });
    }
  }
  if (!facts) throw new RecordFault(say('check.no_record'));
  return { facts, items, marks, last, attached, sizes };
}

const Facts = z.object({
  session: z.object({
    uuid: z.uuid(),
    name: z.string(),
    created_at: Timestamp,
    cover: z.record(z.string(), z.string()),
    logo: z.string().optional(),
  }),
});
const Item = z.object({
  uuid: z.uuid(),
  place: z.number(),
  frameType: FrameTypeSchema,
  service: z.string().min(1).max(40).optional(),
  channel: z.string(),
  code: z.string(),
  name: z.string(),
  group: z.string(),
  expectation: Expectation,
});

/** Whoever can make digests can make any text: what does not have the shape of a record would stay in the project for good. */
function requireShape(piece: RecordPiece): void {
  const isRight =
    piece.is === 'facts'
      ? Facts.safeParse(piece.facts).success
      : piece.is === 'item'
        ? Item.safeParse(piece.item).success
        : piece.is === 'part'
          ? CheckPartHead.safeParse(piece.head).success
          : piece.is === 'entry'
            ? CheckEntry.safeParse(piece.entry).success
            : piece.is !== 'file' || (CheckFile.safeParse(piece.file).success && fileType(piece.octets) === piece.file.media_type);
  if (!isRight) throw new RecordFault(say('check.no_shape'));
}

/** Items that are not here yet, each with the point of its channel and code, behind all others. */
function addedItems(session: ProjectSession, here: readonly StoredCheckItem[], theirs: readonly RecordItem[]): StoredCheckItem[] {
  const known = new Set(here.map(({ uuid }) => uuid));
  let place = here.at(-1)?.place ?? 0;
  return theirs
    .filter(({ uuid }) => !known.has(uuid))
    .map(({ isUnknown: _, ...item }) => {
      const { service = '' } = item;
      place += 1;
      if (service !== '') return { ...item, service, place, channelId: 0, pointId: 0 };
      const channel = session.channels.byName(item.channel);
      const id = channel?.points.byCode(item.code);
      const isThere = channel !== undefined && id !== undefined && channel.points.config(id)?.frame_type === item.frameType;
      return { ...item, service, place, channelId: isThere ? channel.id : 0, pointId: isThere ? id : 0 };
    });
}

const pointKey = ({ service, channel, code, channelId, pointId }: StoredCheckItem) =>
  service === '' ? `${channelId} ${pointId}` : `${service}\n${channel}\n${code}`;

async function expectationConflicts(here: readonly StoredCheckItem[], theirs: readonly RecordItem[]): Promise<Merged['conflicts']> {
  const turns = new Turns();
  const ours = new Map(here.map((item) => [item.uuid, item.expectation]));
  const conflicts: Merged['conflicts'] = [];
  for (const [at, { uuid, code, expectation }] of theirs.entries()) {
    if (at % ITEMS_A_LOOK === 0) await turns.breathe();
    const our = ours.get(uuid);
    if (our && !isEqual(our, expectation)) conflicts.push({ item: uuid, code, what: 'expectation' });
  }
  return conflicts;
}

/** Equal texts are equal data, which is most of it; the names of others may only be in another order. */
function isEqual(one: Expectation, other: Expectation): boolean {
  return JSON.stringify(one) === JSON.stringify(other) || canonical(one) === canonical(other);
}

/** Items that each copy decided otherwise without knowing of the other's result. */
function verdictConflicts(
  ours: ReadonlyMap<string, Mark>,
  theirs: ReadonlyMap<string, Mark>,
  ends: ReadonlyMap<string, CheckPartEnd>,
  last: ReadonlyMap<string, number>,
  items: readonly RecordItem[],
): Merged['conflicts'] {
  const codes = new Map(items.map(({ uuid, code }) => [uuid, code]));
  return [...theirs]
    .filter(([item, their]) => {
      const our = ours.get(item);
      if (!our || our.verdict === their.verdict) return false;
      const isTheirsHere = (ends.get(their.part)?.seq ?? 0) >= their.seq;
      const isOursThere = (last.get(our.part) ?? 0) >= our.seq;
      return !isTheirsHere && !isOursThere;
    })
    .map(([item]) => ({ item, code: codes.get(item) ?? item, what: 'verdict' as const }));
}

/** Takes parts and entries that are not here, in slices; each part from its beginning on. `onTaken`: something was. */
async function take(
  path: string,
  append: (entries: readonly StoredCheckEntry[], parts: readonly StoredCheckPart[]) => void,
  ends: ReadonlyMap<string, CheckPartEnd>,
  onTaken: () => void,
): Promise<Pick<Merged, 'parts' | 'entries'>> {
  const turns = new Turns();
  const taken = { parts: 0, entries: 0 };
  let parts: StoredCheckPart[] = [];
  let entries: StoredCheckEntry[] = [];
  let orderAt = '';
  const put = async () => {
    if (parts.length + entries.length > 0) {
      append(entries, parts);
      onTaken();
    }
    taken.parts += parts.length;
    taken.entries += entries.length;
    [parts, entries] = [[], []];
    await turns.breathe();
  };
  for await (const piece of readRecord(path)) {
    if (piece.is === 'part') {
      orderAt = piece.head.not_before;
      if (!ends.has(piece.head.id)) parts.push({ head: piece.head, digest: piece.digest });
    } else if (piece.is === 'entry') {
      const { part, entry, body, digest } = piece;
      const { item, verdict, seq } = entry;
      orderAt = orderTime(orderAt, entry);
      if (seq <= (ends.get(part)?.seq ?? 0)) continue;
      entries.push({ part, seq, orderAt, item, verdict, mapping: canonical(entry.mapping), body, digest });
      if (entries.length >= ENTRIES_A_CHANGE) await put();
    }
  }
  await put();
  return taken;
}
