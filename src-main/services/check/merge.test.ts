import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckPartHead, Expectation } from '#shared/contract/check.ts';
import { CHECK_RECORD_FORMAT, type CheckVerdict, MOST_CHECK_FILE_OCTETS } from '#shared/domain/check.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import type { CheckFileContent, StoredCheck, StoredCheckItem } from '../../persistence/check-repositories.ts';
import { openTestProject, testChannel } from '../../persistence/test-project.ts';
import { silentLogger } from '../../platform/logger.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { ColumnPointStore } from '../../runtime/values/point-store.ts';
import { Endings } from '../endings.ts';
import type { ProjectSession, ServiceDeps } from '../ports.ts';
import { canonical, entryDigest, headDigest, type NewEntry } from './chain.ts';
import { CheckBook } from './check-book.ts';
import { fileRow } from './files.ts';
import { mergeRecord } from './merge.ts';
import { RecordFault } from './record-fault.ts';
import { type RecordSource, recordLines } from './record-lines.ts';

let folder: string;
let copies: Copy[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-merge-'));
  copies = [];
});
afterEach(() => {
  for (const { store } of copies) store.close();
  rmSync(folder, { recursive: true, force: true });
});

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const SESSION = uuid(1);
const CREATED = '2026-01-01T00:00:00.000Z';
const PASSES: Expectation = { kind: 'values', references: [{ value: 5, tolerance: 0, percent: 0 }] };

/** The item of the point with this code; its number makes its uuid. */
function anItem(number: number, code: string, change: Partial<StoredCheckItem> = {}): StoredCheckItem {
  const place = { service: '', channelId: 0, pointId: 0, channel: 'PCS 1', code };
  return { uuid: uuid(100 + number), place: number, frameType: 0, name: code, group: '', expectation: PASSES, ...place, ...change };
}

function anEntry(item: string, verdict: CheckVerdict, rest: Partial<NewEntry> = {}): NewEntry {
  return {
    ...{ item, verdict, way: 'by_hand' as const, operator: 'Wang', remark: '', findings: [], expectation: PASSES, seen: [], frames: [] },
    ...{ point: {}, channel: {}, mapping: {}, audit_ids: [], took_ms: null },
    ...rest,
  };
}

/** A file of a result; its text makes its digest. */
function aFile(text: string, size = Buffer.byteLength(text)): CheckFileContent {
  const octets = Buffer.from(text);
  const sha256 = createHash('sha256').update(octets).digest('hex');
  return { kind: 'attachment', sha256, name: `${text}.txt`, mediaType: 'text/plain', size, octets };
}

/** A copy of a session, in a project of its own on another computer: one channel with points A, B and D of type 0. */
class Copy {
  readonly clock = new ManualClock();
  readonly store;
  readonly deps: ServiceDeps;
  session: ProjectSession;
  readonly #name: string;
  #ids = 0;

  constructor(name: string) {
    this.#name = name;
    this.store = openTestProject(join(folder, `${name}.loopcheck`));
    copies.push(this);
    const settings = this.store.channels.add(testChannel('PCS 1'));
    const points = new ColumnPointStore();
    points.add(['A', 'B', 'D'].map((code, at) => testPoint({ id: at + 1, code, frame_type: 0 })));
    const channel = { id: settings.id, settings, points, driver: modbusTcpDriver } as unknown as ChannelRuntime;
    const channels = {
      get: (id: number) => (id === channel.id ? channel : undefined),
      byName: (wanted: string) => (wanted === 'PCS 1' ? channel : undefined),
    };
    this.session = { store: this.store, channels, endings: new Endings(this.clock) } as unknown as ProjectSession;
    const newId = () => uuid(1000 * copies.indexOf(this) + 10_000 + this.#ids++);
    this.deps = {
      clock: this.clock,
      logger: silentLogger,
      projects: { current: () => this.session },
      facts: { newId, computer: name, version: '1.0.0', remotes: { list: () => [{ name: 'Cabinet 7' }] } },
    } as unknown as ServiceDeps;
  }

  get book(): CheckBook {
    return CheckBook.of(this.deps);
  }

  get check(): StoredCheck {
    return this.book.list()[0] ?? expect.fail('no session');
  }

  /** Begins the session with these items. */
  async begin(...items: readonly StoredCheckItem[]): Promise<void> {
    const { id } = this.store.checks.add({ uuid: SESSION, name: 'Site', createdAt: CREATED, cover: {} });
    await this.book.putItems(id, items);
  }

  /** Somebody finds something out, that many seconds later than what was found out before. */
  async enter(item: string, verdict: CheckVerdict, rest: Partial<NewEntry> = {}, files: readonly CheckFileContent[] = []): Promise<void> {
    await this.clock.advance(1000);
    this.book.append(this.check, anEntry(item, verdict, { ...rest, ...(files.length > 0 && { attachments: files.map(fileRow) }) }), files);
  }

  /** The record of this copy, of which a forger may change something; its digests are right nevertheless. */
  record(forge: (source: RecordSource) => RecordSource = (source) => source): string {
    const { checks } = this.store;
    const { id, createdAt, cover, name } = this.check;
    const logo = checks.logo(id);
    const facts: RecordFacts = {
      format: CHECK_RECORD_FORMAT,
      version: 1,
      session: { uuid: this.check.uuid, name, created_at: createdAt, cover, ...(logo && { logo: logo.sha256 }) },
      ...{ project: this.#name, program: '1.0.0', utc_offset_min: 0, devices: [] },
    };
    const items = this.book.items(id).map(({ channelId: _, pointId: __, service, ...item }): RecordItem => {
      return { ...item, ...(service !== '' && { service }), changed: [], isThere: true };
    });
    const ends = new Map(checks.ends(id).map((end) => [end.part, end]));
    const entries = (part: string) =>
      Array.from({ length: ends.get(part)?.seq ?? 0 }, (_, at) => checks.entry(id, part, at + 1) ?? expect.fail());
    const parts = checks.parts(id).map(({ head, digest }) => ({ head, digest, end: ends.get(head.id)?.digest ?? digest }));
    const files = [...new Set(checks.files(id).map(({ sha256 }) => sha256))].map((sha256) => {
      const found = checks.file(id, sha256) ?? expect.fail();
      return { file: fileRow(found), octets: found.octets };
    });
    const path = join(folder, `${this.#name}.json`);
    writeFileSync(path, [...recordLines(forge({ facts, items, files, parts, entries }))].join(''));
    return path;
  }

  /** Takes over what another copy has. */
  merge(from: Copy, forge?: (source: RecordSource) => RecordSource) {
    return this.take(from.record(forge));
  }

  async take(record: string) {
    const { session: _, ...told } = await mergeRecord(this.deps, record);
    return told;
  }

  /** Deciding results by the names of their items. */
  async verdicts(): Promise<Record<string, string>> {
    const marks = await this.book.marks(this.check.id);
    return Object.fromEntries(
      this.book.items(this.check.id).flatMap(({ uuid: item, name }) => {
        const mark = marks.get(item);
        return mark ? [[name, mark.verdict]] : [];
      }),
    );
  }

  get results(): number {
    return this.store.checks.count(this.check.id);
  }
}

const [A, B] = [anItem(1, 'A'), anItem(2, 'B')];

/** Two copies of one session with items of A and B, which know the same. */
async function twoCopies(): Promise<[Copy, Copy]> {
  const [one, other] = [new Copy('one'), new Copy('other')];
  await one.begin(A, B);
  await other.merge(one);
  return [one, other];
}

describe('the record of another copy', () => {
  it('brings its session where there is none, with its items at the points of their channels', async () => {
    const [one, other] = await twoCopies();
    expect(other.check).toMatchObject({ uuid: SESSION, name: 'Site', createdAt: CREATED });
    expect(other.book.items(other.check.id).map(({ code, place, pointId }) => [code, place, pointId])).toEqual([
      ['A', 1, 1],
      ['B', 2, 2],
    ]);
    expect(await other.merge(one)).toEqual({ items: 0, files: 0, parts: 0, entries: 0, conflicts: [] });
  });

  it('brings what is not here yet, once, and the later result decides, whichever copy it comes from', async () => {
    const [one, other] = await twoCopies();
    await one.enter(A.uuid, 'passed');
    await one.enter(B.uuid, 'failed');
    await other.clock.advance(60_000);
    await other.enter(B.uuid, 'passed', { remark: 'wired again' });
    await one.enter(SESSION, 'remark', { remark: 'rain' });
    expect(await other.merge(one)).toMatchObject({ items: 0, parts: 1, entries: 3 });
    expect(await other.verdicts()).toEqual({ A: 'passed', B: 'passed' });
    await one.enter(A.uuid, 'failed');
    expect(await other.merge(one)).toMatchObject({ parts: 0, entries: 1 });
    expect(await one.merge(other)).toMatchObject({ parts: 1, entries: 1 });
    expect([await one.verdicts(), await other.verdicts()]).toEqual([
      { A: 'failed', B: 'passed' },
      { A: 'failed', B: 'passed' },
    ]);
  });

  it('is behind what is appended from then on, in a part that names all ends that were known', async () => {
    const [one, other] = await twoCopies();
    await other.enter(A.uuid, 'passed');
    await one.clock.advance(3_600_000);
    await one.enter(A.uuid, 'failed');
    await other.merge(one);
    const ends = other.book.heads(other.check.id);
    // the clock of this computer is an hour behind
    await other.enter(A.uuid, 'accepted', { remark: 'seen' });
    const heads = other.store.checks.parts(other.check.id).map(({ head }) => head);
    expect(heads).toHaveLength(3);
    expect(heads.find(({ parents }) => parents.length === 2)?.parents).toEqual(ends);
    expect(await other.verdicts()).toEqual({ A: 'accepted' });
    expect(await one.merge(other)).toMatchObject({ conflicts: [] });
    expect(await one.verdicts()).toEqual({ A: 'accepted' });
  });

  it('that is long comes in slices: what fails on a full disk leaves a beginning, and the next time brings the rest', async () => {
    const [one, other] = await twoCopies();
    for (let times = 0; times < 250; times++) await one.enter(times === 249 ? B.uuid : A.uuid, 'passed');
    const { checks } = other.store;
    const append = checks.append.bind(checks);
    const sizes: number[] = [];
    const full = new Error('no space');
    checks.append = (...slice) => {
      sizes.push(slice[1].length);
      if (sizes.length === 2) throw full;
      append(...slice);
    };
    await expect(other.merge(one)).rejects.toBe(full);
    expect(other.results).toBe(100);
    // what is appended now comes behind the beginning
    await other.enter(B.uuid, 'failed');
    const last = checks.parts(other.check.id).find(({ head }) => head.computer === 'other');
    expect(last?.head.parents).toHaveLength(1);
    expect(await other.merge(one)).toMatchObject({ parts: 0, entries: 150 });
    expect(sizes).toEqual([100, 100, 1, 100, 50]);
    expect(other.results).toBe(251);
  });

  it('into a project that is left meanwhile is told as that: what was taken is in the project that was open', async () => {
    const [one, other] = await twoCopies();
    await one.enter(A.uuid, 'passed');
    const { checks } = other.store;
    const append = checks.append.bind(checks);
    checks.append = (...slice) => {
      append(...slice);
      other.session = { ...other.session };
    };
    await expect(other.merge(one)).rejects.toMatchObject({ code: 'STATE_CONFLICT', said: { code: 'service.expected_project' } });
    expect(other.results).toBe(1);
  });

  it('of which an entry is another one here is refused, and nothing of it is taken', async () => {
    const [one, other] = await twoCopies();
    await one.enter(A.uuid, 'passed');
    await other.merge(one);
    await one.enter(B.uuid, 'passed');
    const [part] = one.store.checks.parts(one.check.id);
    const forged = other.merge(one, (source) => chain(source, ({ entry, seq }) => (seq === 1 ? { ...entry, operator: 'Li' } : entry)));
    await expect(forged).rejects.toThrow(RecordFault);
    await expect(forged).rejects.toMatchObject({ said: { code: 'check.forked', params: { part: part?.head.id, seq: 1 } } });
    expect(other.results).toBe(1);
  });
});

describe('items that each copy decided otherwise', () => {
  const verdict = (item: StoredCheckItem) => ({ item: item.uuid, code: item.code, what: 'verdict' });

  it('without knowing of the other’s result are told', async () => {
    const [one, other] = await twoCopies();
    await one.enter(A.uuid, 'passed');
    await one.enter(B.uuid, 'passed');
    await other.enter(A.uuid, 'failed');
    await other.enter(B.uuid, 'passed');
    const record = other.record();
    expect((await other.merge(one)).conflicts).toEqual([verdict(A)]);
    expect((await other.merge(one)).conflicts, 'known from now on').toEqual([]);
    expect((await one.take(record)).conflicts).toEqual([verdict(A)]);
  });

  it('by a remark alone are none', async () => {
    const [one, other] = await twoCopies();
    await one.enter(A.uuid, 'passed');
    await other.enter(A.uuid, 'remark');
    expect((await other.merge(one)).conflicts).toEqual([]);
  });

  it('one of them after the other are none', async () => {
    const [one, other] = await twoCopies();
    await one.enter(A.uuid, 'failed');
    await other.merge(one);
    await other.enter(A.uuid, 'passed');
    expect((await one.merge(other)).conflicts, 'of one that knew').toEqual([]);
    await one.enter(A.uuid, 'failed');
    expect((await one.merge(other)).conflicts, 'of one that is known').toEqual([]);
    expect((await other.merge(one)).conflicts).toEqual([]);
  });
});

describe('items of the other copy', () => {
  it('whose expectation is another one are told; one that is written in another order is the same', async () => {
    const [one, other] = await twoCopies();
    await one.book.putItems(one.check.id, [
      { ...A, expectation: { references: [{ tolerance: 0, percent: 0, value: 5 }], kind: 'values' } },
      { ...B, expectation: { kind: 'values', references: [] } },
    ]);
    expect((await other.merge(one)).conflicts).toEqual([{ item: B.uuid, code: 'B', what: 'expectation' }]);
    expect(other.book.item(other.check.id, B.uuid).expectation, 'the own one stays').toEqual(PASSES);
  });

  it('stand behind the own ones, and those that have no point here, or one that has an item already, are told', async () => {
    const [one, other] = await twoCopies();
    const come = [
      anItem(3, 'C'),
      anItem(4, 'A', { channel: 'nobody' }),
      anItem(5, 'A', { frameType: 3, expectation: { kind: 'setpoint', value: null, tolerance: 0, percent: 0, restore: true } }),
      anItem(6, 'B', { name: 'B again' }),
      anItem(7, 'P', { service: 'Cabinet 7', channel: 'Feeder 1' }),
      anItem(8, 'P', { service: 'Cabinet 8', channel: 'Feeder 1' }),
    ];
    await one.book.putItems(one.check.id, come);
    const told = await other.merge(one);
    expect(told.items).toBe(6);
    expect(told.conflicts.map(({ item, code, what }) => `${Number(item.slice(-3)) - 100} ${code} ${what}`)).toEqual([
      '3 C point_missing',
      '4 A point_missing',
      '5 A point_missing',
      '6 B twice',
      '8 P service_missing',
    ]);
    const items = other.book.items(other.check.id);
    expect(items.map(({ place }) => place)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(items.slice(2).map(({ channelId, pointId, service }) => [channelId > 0, pointId, service])).toEqual([
      [false, 0, ''],
      [false, 0, ''],
      [false, 0, ''],
      [true, 2, ''],
      [false, 0, 'Cabinet 7'],
      [false, 0, 'Cabinet 8'],
    ]);
    // a point of another service is found by its names
    await one.book.putItems(one.check.id, [anItem(9, 'P', { service: 'Cabinet 7', channel: 'Feeder 1' })]);
    await one.book.putItems(one.check.id, [anItem(10, 'P', { service: 'Cabinet 7', channel: 'Feeder 2' })]);
    await one.book.putItems(one.check.id, [anItem(11, 'D')]);
    expect((await other.merge(one)).conflicts).toMatchObject([{ item: uuid(109), what: 'twice' }]);
    expect(other.book.items(other.check.id).slice(8)).toMatchObject([
      { uuid: uuid(109), place: 9, pointId: 0 },
      { uuid: uuid(110), place: 10, pointId: 0 },
      { uuid: uuid(111), place: 11, pointId: 3 },
    ]);
  });
});

describe('files of the other copy', () => {
  it('come once, with the results that name them, and a logo where there is none', async () => {
    const [one, other] = await twoCopies();
    const [photo, notes, logo] = [aFile('photo'), aFile('notes'), aFile('logo')];
    await one.enter(A.uuid, 'remark', {}, [photo]);
    await other.enter(A.uuid, 'remark', {}, [photo]);
    await one.enter(A.uuid, 'remark', {}, [notes]);
    one.store.checks.setLogo(one.check.id, { ...logo, kind: 'logo' });
    expect((await other.merge(one)).files).toBe(2);
    const { id } = other.check;
    expect(other.store.checks.logo(id)?.sha256).toBe(logo.sha256);
    expect(other.store.checks.files(id)).toHaveLength(3);
    expect(Buffer.from(other.store.checks.file(id, notes.sha256)?.octets ?? []).toString()).toBe('notes');
    const mine = aFile('my logo');
    other.store.checks.setLogo(id, { ...mine, kind: 'logo' });
    expect((await other.merge(one)).files).toBe(0);
    expect(other.store.checks.logo(id)?.sha256).toBe(mine.sha256);
  });

  it('that nobody names stay out', async () => {
    const [one, other] = await twoCopies();
    const stray = aFile('stray');
    one.store.checks.addAttachments(one.check.id, [stray]);
    const taken = await other.merge(one).then(
      ({ files }) => files,
      () => 0,
    );
    expect([taken, other.store.checks.files(other.check.id)]).toEqual([0, []]);
  });

  it('that would be too many with those that are here are refused before anything is taken', async () => {
    const [one, other] = await twoCopies();
    const photo = aFile('photo');
    await one.enter(A.uuid, 'remark', {}, [photo]);
    const { checks } = other.store;
    const files = checks.files.bind(checks);
    const fill = (size: number) => {
      checks.files = () => [{ ...aFile('large'), size }];
    };
    fill(MOST_CHECK_FILE_OCTETS - photo.size + 1);
    await expect(other.merge(one)).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      said: { code: 'check.merge_files_full', params: { there: 200, more: 1, most: 200 } },
    });
    expect(other.results).toBe(0);
    fill(MOST_CHECK_FILE_OCTETS - photo.size);
    expect((await other.merge(one)).files).toBe(1);
    checks.files = files;
    expect(checks.files(other.check.id)).toHaveLength(1);
  });
});

/** The record with other entries or heads, all digests of it made anew. */
function chain(
  source: RecordSource,
  change: (of: { entry: object; seq: number }) => object,
  head: (head: CheckPartHead) => object = (same) => same,
): RecordSource {
  const made = source.parts.map(({ head: old }) => {
    const forged = head(old) as CheckPartHead;
    let digest = headDigest(forged);
    const entries = [...source.entries(old.id)].map(({ body }, at) => {
      const text = canonical(change({ entry: JSON.parse(body) as object, seq: at + 1 }));
      digest = entryDigest(digest, text);
      return { body: text, digest };
    });
    return { head: forged, digest: headDigest(forged), end: digest, entries };
  });
  return { ...source, parts: made, entries: (part) => made.find(({ head: { id } }) => id === part)?.entries ?? [] };
}

describe('what has right digests and not the shape of a record', () => {
  const items = (change: object) => (source: RecordSource) => ({
    ...source,
    items: [...source.items].map((item) => ({ ...item, ...change })),
  });
  const session = (change: object) => (source: RecordSource) => ({
    ...source,
    facts: { ...source.facts, session: { ...source.facts.session, ...change } },
  });
  it.each<[string, (source: RecordSource) => RecordSource]>([
    ['a name that is none', session({ name: 7 })],
    ['a cover that is no texts', session({ cover: { site: 7 } })],
    ['a time that is none', session({ created_at: 'yesterday' })],
    ['an item of an unknown type', items({ frameType: 9 })],
    ['an item that expects nothing that can be', items({ expectation: { kind: 'luck' } })],
    ['an item of a service without a name', items({ service: '' })],
    [
      'a head without a computer',
      (source) =>
        chain(
          source,
          ({ entry }) => entry,
          ({ computer: _, ...head }) => head,
        ),
    ],
    ['a verdict that is none', (source) => chain(source, ({ entry }) => ({ ...entry, verdict: 'nearly' }))],
    [
      'a file that is called another thing than it is',
      (source) => ({
        ...source,
        files: [...source.files].map(({ file, octets }) => ({ file: { ...file, media_type: 'image/png' }, octets })),
      }),
    ],
  ])('is refused: %s', async (_, forge) => {
    const [one, other] = await twoCopies();
    await one.enter(A.uuid, 'remark', {}, [aFile('photo')]);
    await expect(other.merge(one, forge)).rejects.toMatchObject({ said: { code: 'check.no_shape' } });
    expect(other.results).toBe(0);
  });
});
