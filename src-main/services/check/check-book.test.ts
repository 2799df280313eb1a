import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckEntry } from '#shared/contract/check.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { openProject } from '../../persistence/index.ts';
import type { ProjectStore } from '../../persistence/repositories.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { ServiceDeps } from '../ports.ts';
import { entryDigest, headDigest, type NewEntry } from './chain.ts';
import { CheckBook } from './check-book.ts';
import { ITEM } from './testing/site.ts';

let folder: string;
let store: ProjectStore;
let clock: ManualClock;
let ids: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-book-'));
  store = openProject(join(folder, 'p.loopcheck'), { create: true, holder: 'test', wallMs: () => 0 });
  clock = new ManualClock();
  ids = 0;
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const item = (place: number): StoredCheckItem => ({ ...ITEM, uuid: uuid(place), place, code: `P${place}` });
/** Names of parts: later ones stand in front of earlier ones. */
const partOf = (number: number) => 900_100 - number;
const full = new AppError('STATE_STORE_FULL', quoted('The disk is full.'));

/** The book of a project that was opened now: another run of the program has another one. `changes`: what the file does otherwise. */
function opened(changes: Partial<ProjectStore['checks']> = {}, logged: unknown[] = []): CheckBook {
  const session = { store: { ...store, checks: { ...store.checks, ...changes } } };
  const logger = { info: (fields: unknown) => void logged.push(fields), error: (fields: unknown) => void logged.push(fields) };
  const facts = { newId: () => uuid(partOf(++ids)), computer: 'laptop', version: '1.2.3' };
  return CheckBook.of({ clock, logger, facts, projects: { current: () => session } } as unknown as ServiceDeps);
}
function aCheck(items = 3): StoredCheck {
  const check = store.checks.add({ uuid: uuid(500_000 + store.checks.list().length), name: 'Visit', createdAt: '', cover: {} });
  store.checks.putItems(
    check.id,
    Array.from({ length: items }, (_, at) => item(at + 1)),
  );
  return check;
}
function found(place: number, verdict: NewEntry['verdict'] = 'passed', more: Partial<NewEntry> = {}): NewEntry {
  return {
    ...{
      item: uuid(place),
      verdict,
      way: 'by_hand',
      operator: 'Li',
      remark: '',
      findings: [],
      took_ms: 1,
      seen: [],
      frames: [],
      audit_ids: [],
    },
    ...{ expectation: { kind: 'values', references: [] }, point: {}, channel: {}, mapping: {}, ...more },
  };
}
const bodies = (check: StoredCheck) =>
  store.checks.entriesBehind(check.id, 0, 1000).map(({ entry }) => JSON.parse(entry.body) as CheckEntry);
const verdicts = async (book: CheckBook, check: StoredCheck) =>
  [...(await book.marks(check.id))].map(([id, { verdict }]) => [Number(id.slice(-6)), verdict]);

describe('the sessions and items of a project', () => {
  it('are found by their numbers, and what is not there is told', () => {
    const check = aCheck();
    const book = opened();
    expect([book.list(), book.find(check.id)]).toEqual([[check], check]);
    expect(book.items(check.id).map(({ code }) => code)).toEqual(['P1', 'P2', 'P3']);
    expect(book.item(check.id, uuid(2)).code).toBe('P2');
    expect(() => book.find(99)).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
    expect(() => book.item(check.id, uuid(4))).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
  });

  it('are added in slices, in their order, and changed where they are there', async () => {
    const check = aCheck(0);
    const slices: number[] = [];
    const book = opened({
      putItems(id, items) {
        slices.push(items.length);
        store.checks.putItems(id, items);
      },
    });
    expect(book.items(check.id)).toEqual([]);
    await book.putItems(
      check.id,
      Array.from({ length: 1201 }, (_, at) => item(at + 1)),
    );
    expect(slices).toEqual([500, 500, 201]);
    expect(book.items(check.id)).toEqual(store.checks.items(check.id));
    await book.putItems(check.id, [{ ...item(7), name: 'other' }]);
    expect([book.item(check.id, uuid(7)).name, book.items(check.id).length]).toEqual(['other', 1201]);
    expect(book.items(check.id)).toEqual(store.checks.items(check.id));
  });

  it('are those in the file where only some slices could be added', async () => {
    const check = aCheck(0);
    const book = opened({
      putItems(id, items) {
        if (items.length < 500) throw full;
        store.checks.putItems(id, items);
      },
    });
    expect(book.items(check.id)).toEqual([]);
    await expect(
      book.putItems(
        check.id,
        Array.from({ length: 501 }, (_, at) => item(at + 1)),
      ),
    ).rejects.toBe(full);
    expect(book.items(check.id)).toHaveLength(500);
  });

  it('take no result once they are being taken out; those with results stay', async () => {
    const check = aCheck();
    const book = opened();
    book.append(check, found(3));
    const going = book.removeItems(check.id, [item(1)]);
    expect(() => book.append(check, found(1))).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
    await going;
    expect(book.items(check.id).map(({ code }) => code)).toEqual(['P2', 'P3']);
    await expect(book.removeItems(check.id, [item(3)])).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    expect(book.items(check.id).map(({ code }) => code)).toEqual(['P2', 'P3']);
    expect(store.checks.items(check.id).map(({ code }) => code)).toEqual(['P2', 'P3']);
  });

  it('are at rest while no check of their session is under way', () => {
    const check = aCheck();
    const book = opened();
    expect(() => book.requireAtRest(check.id)).not.toThrow();
    book.inRun = () => check.id;
    expect(() => book.requireAtRest(check.id)).toThrow(expect.objectContaining({ code: 'STATE_CONFLICT' }));
    expect(() => book.requireAtRest(check.id + 1)).not.toThrow();
  });

  it('are changed one change behind the other', async () => {
    const book = opened();
    const order: string[] = [];
    const slow = book.changing(1, async () => {
      await clock.until(100);
      order.push('first');
    });
    const next = book.changing(1, async () => void order.push('second'));
    const other = book.changing(2, async () => void order.push('other session'));
    await clock.advance(100);
    await Promise.all([slow, next, other]);
    expect(order).toEqual(['other session', 'first', 'second']);
  });
});

describe('results', () => {
  it('are a chain, in a part that says who began it, when, and behind what', async () => {
    const check = aCheck();
    await clock.advance(5000);
    const book = opened();
    const first = book.append(check, found(1));
    await clock.advance(1000.4);
    const [second, third] = book.appendAll(check, [found(2, 'failed'), found(3, 'passed', { at: '2026-01-01T00:00:05.500Z' })]);
    const [part, ...others] = store.checks.parts(check.id);
    expect(others).toEqual([]);
    expect(part?.head).toEqual({
      ...{ id: uuid(partOf(1)), session: check.uuid, parents: [], not_before: '', computer: 'laptop', program: '1.2.3' },
      started_at: '2026-01-01T00:00:05.000Z',
    });
    let digest = part ? headDigest(part.head) : '';
    for (const entry of [first, second, third]) {
      digest = entryDigest(digest, entry?.body ?? '');
      expect(entry).toMatchObject({ part: uuid(partOf(1)), digest });
    }
    expect(book.heads(check.id)).toEqual([digest]);
    expect(bodies(check).map(({ seq, at, running_ms, verdict }) => [seq, at, running_ms, verdict])).toEqual([
      [1, '2026-01-01T00:00:05.000Z', 5000, 'passed'],
      [2, '2026-01-01T00:00:06.000Z', 6000, 'failed'],
      [3, '2026-01-01T00:00:05.500Z', 6000, 'passed'],
    ]);
  });

  it('of another run of the program, and those behind a merge, are a part of their own behind all that was there', async () => {
    const check = aCheck();
    opened().append(check, found(1));
    await clock.advance(1000);
    const book = opened();
    const [end] = store.checks.ends(check.id);
    book.append(check, found(2));
    const head = () => store.checks.parts(check.id).find(({ head: { id } }) => id === uuid(partOf(ids)))?.head;
    expect(head()).toMatchObject({ parents: [end?.digest], not_before: end?.orderAt });
    book.append(check, found(3));
    expect([store.checks.parts(check.id).length, store.checks.ends(check.id).length]).toEqual([2, 2]);
    const before = store.checks.ends(check.id).map(({ orderAt }) => orderAt);
    book.merged(check.id);
    book.append(check, found(1));
    expect(store.checks.parts(check.id)).toHaveLength(3);
    expect(head()?.parents).toHaveLength(2);
    expect([head()?.not_before, before[0] !== before[1]]).toEqual([before.toSorted().at(-1), true]);
  });

  it('of an item that is not there are refused, with all that came with them; of the session itself they are taken', () => {
    const check = aCheck();
    const book = opened();
    expect(() => book.appendAll(check, [found(1), found(9)])).toThrow(expect.objectContaining({ code: 'CONFIG_NOT_FOUND' }));
    expect([bodies(check), store.checks.parts(check.id)]).toEqual([[], []]);
    expect(book.append(check, found(0, 'accepted', { item: check.uuid }))).toMatchObject({ seq: 1, item: check.uuid });
  });

  it('that could not be appended leave the chain as it was', () => {
    const check = aCheck();
    let isFull = true;
    const book = opened({
      append(...given) {
        if (isFull) throw full;
        store.checks.append(...given);
      },
    });
    expect(() => book.append(check, found(1))).toThrow(full);
    isFull = false;
    expect(book.append(check, found(1)).seq).toBe(1);
    isFull = true;
    expect(() => book.append(check, found(2))).toThrow(full);
    isFull = false;
    expect(book.append(check, found(2)).seq).toBe(2);
    expect(store.checks.parts(check.id)).toHaveLength(1);
  });

  it('decide by the last of each item, however many there are, and go on from there', async () => {
    const check = aCheck();
    const book = opened();
    expect(await verdicts(book, check)).toEqual([]);
    for (let count = 0; count < 205; count++) book.append(check, found(1 + (count % 2), count < 200 ? 'failed' : 'passed'));
    book.append(check, found(1, 'blocked'));
    expect(await verdicts(book, check)).toEqual([
      [1, 'blocked'],
      [2, 'passed'],
    ]);
    book.append(check, found(2, 'failed'));
    book.append(check, found(2, 'skipped'));
    expect((await verdicts(book, check))[1], 'who skips says nothing').toEqual([2, 'failed']);
    expect(await verdicts(opened(), check)).toEqual(await verdicts(book, check));
  });
});

it('a session that is forgotten begins a part of its own again', () => {
  const check = aCheck();
  const book = opened();
  book.append(check, found(1));
  book.forget(check.id);
  book.append(check, found(2));
  expect(store.checks.parts(check.id)).toHaveLength(2);
});

it('a project has one book, whoever asks for it', () => {
  const session = { store };
  const deps = { logger: {}, projects: { current: () => session } } as unknown as ServiceDeps;
  expect(CheckBook.of(deps)).toBe(CheckBook.of(deps));
});

describe('results that had no room in the project', () => {
  it('come into it when it is opened again, each once, with their times', () => {
    const check = aCheck();
    const before = opened();
    expect(before.asideTrouble).toBeNull();
    const [one, two] = [found(1, 'failed', { at: '2026-01-01T00:00:01.000Z' }), found(2)];
    // a kill behind the change: the first one is in the project already
    before.append(check, one);
    before.setAside(check, [one]);
    before.setAside(check, [two]);
    const logged: unknown[] = [];
    const book = opened({}, logged);
    expect(book.asideTrouble).toBeNull();
    expect(bodies(check).map(({ item: id, verdict, at }) => [Number(id.slice(-6)), verdict, at])).toEqual([
      [1, 'failed', '2026-01-01T00:00:01.000Z'],
      [2, 'passed', '2026-01-01T00:00:00.000Z'],
    ]);
    expect([store.aside.read(), logged]).toEqual([null, [{ path: store.aside.path }]]);
  });

  it('come into it behind other results of their item', () => {
    const check = aCheck();
    const before = opened();
    before.append(check, found(1, 'failed'));
    before.setAside(check, [found(1, 'passed')]);
    opened();
    expect(bodies(check).map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
  });

  it('begin no part where all of them are in it already, and nothing is told where none lay there', () => {
    const check = aCheck();
    const logged: unknown[] = [];
    const before = opened({}, logged);
    expect(logged).toEqual([]);
    const entry = found(1, 'failed', { at: '2026-01-01T00:00:00.000Z' });
    before.append(check, entry);
    before.setAside(check, [entry]);
    opened();
    expect([bodies(check).length, store.checks.parts(check.id).length, store.aside.read()]).toEqual([1, 1, null]);
  });

  it('stay beside it where they cannot come in, and that is told', () => {
    const check = aCheck();
    opened().setAside(check, [found(1)]);
    const left = store.aside.read();
    const book = opened({
      append() {
        throw full;
      },
    });
    expect(book.asideTrouble).toEqual({ path: store.aside.path, detail: full.said });
    expect(store.aside.read()).toBe(left);
    expect(opened().asideTrouble).toBeNull();
    expect(bodies(check)).toHaveLength(1);
  });

  it('of a session that is not in it, and a file that is none of ours, stay as well', () => {
    opened().setAside({ ...aCheck(), uuid: uuid(777) }, [found(1)]);
    expect(opened().asideTrouble?.detail.code).toBe('check.no_session');
    store.aside.write('{}');
    expect(opened().asideTrouble?.detail.code).toBe('check.aside_damaged');
    expect(store.aside.read()).toBe('{}');
  });
});
