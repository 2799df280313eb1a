import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckEntry, CheckPartHead } from '#shared/contract/check.ts';
import { CHECK_RECORD_FORMAT, CHECK_RECORD_VERSION } from '#shared/domain/check.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import { canonical, digestOf, entryDigest, headDigest } from './chain.ts';
import { RecordFault } from './record-fault.ts';
import { type RecordPiece, readRecord } from './record-file.ts';
import { type RecordSource, recordLines } from './record-lines.ts';
import { embeddedLine, frameDigests, pageLines } from './record-page.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopcheck-record-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FACTS = {
  ...{ format: CHECK_RECORD_FORMAT, version: 1, project: 'p', program: '1.0.0', utc_offset_min: 480, devices: [] },
  session: { uuid: 'session', name: '1号站 <A>', created_at: '2026-01-01T00:00:00.000Z', cover: {} },
} as unknown as RecordFacts;
const ITEMS = ['a', 'b'].map((uuid, place) => ({ uuid, place, code: uuid.toUpperCase() }) as unknown as RecordItem);
const PHOTO = Buffer.alloc(300_000, 'photo ');
const sha256 = (octets: Uint8Array) => createHash('sha256').update(octets).digest('hex');
const FILE = { sha256: sha256(PHOTO), name: 'photo.txt', media_type: 'text/plain', size: PHOTO.length } as const;

/** A part of the session with results of these items; the first names the file. */
function aPart(id: string, items: readonly string[], parents: readonly string[] = []) {
  const head = { id, session: 'session', parents } as unknown as CheckPartHead;
  let digest = headDigest(head);
  const entries = items.map((item, at) => {
    const entry = { seq: at + 1, item, at: `2026-01-01T00:00:0${at}.000Z`, ...(at === 0 && { attachments: [FILE] }) };
    const body = canonical(entry as unknown as CheckEntry);
    digest = entryDigest(digest, body);
    return { body, digest };
  });
  return { head, digest: headDigest(head), end: digest, entries };
}

const ONE = aPart('one', ['a', 'b', 'session']);
const TWO = aPart('two', ['b'], [ONE.end]);

function linesOf(parts = [ONE, TWO], change: Partial<RecordSource> = {}): string[] {
  const entries = (part: string) => parts.find(({ head }) => head.id === part)?.entries ?? [];
  const source = { facts: FACTS, items: ITEMS, files: [{ file: FILE, octets: PHOTO }], parts, entries, ...change };
  return [...recordLines(source)].join('').trimEnd().split('\n');
}

const LINES = linesOf();
const at = (begin: string, from = 0) => LINES.findIndex((line, index) => index >= from && line.startsWith(begin));

/** The lines with the last one made anew, as somebody who changes them could. */
function digested(lines: readonly string[]): string {
  const body = `${lines.slice(0, -1).join('\n')}\n`;
  return `${body}"digest":"sha256:${digestOf(body)}"}\n`;
}

async function read(text: string | Uint8Array): Promise<RecordPiece[]> {
  const path = join(folder, 'record');
  writeFileSync(path, text);
  const pieces: RecordPiece[] = [];
  for await (const piece of readRecord(path)) pieces.push(piece);
  return pieces;
}

/** What a record is refused by; its digest is right unless it is given as a text. */
async function refused(record: readonly string[] | string) {
  try {
    await read(typeof record === 'string' ? record : digested(record));
  } catch (thrown) {
    if (!(thrown instanceof RecordFault)) throw thrown;
    const { code, params } = thrown.said;
    return { fault: code, ...params };
  }
  return null;
}

const changed = (index: number, change: (line: string) => string) => LINES.map((line, place) => (place === index ? change(line) : line));
const without = (index: number, count = 1) => LINES.toSpliced(index, count);
const withLine = (index: number, line: string) => LINES.toSpliced(index, 0, line);
const broken = (line: number) => ({ fault: 'check.line_broken', line });

describe('a record', () => {
  it('is read in its order, each piece as it was written', async () => {
    const pieces = await read(digested(LINES));
    expect(pieces.map(({ is }) => is).join(' ')).toBe('facts item item file part entry entry entry part_end part entry part_end end');
    expect(pieces[0]).toEqual({ is: 'facts', facts: FACTS });
    expect(pieces.slice(1, 3)).toEqual(ITEMS.map((item) => ({ is: 'item', item })));
    expect(pieces[3]).toEqual({ is: 'file', file: FILE, octets: PHOTO });
    expect(pieces[4]).toEqual({ is: 'part', head: ONE.head, digest: ONE.digest });
    const [{ body, digest } = expect.fail()] = ONE.entries;
    expect(pieces[5]).toEqual({ is: 'entry', part: 'one', entry: JSON.parse(body), body, digest });
    expect(pieces[8]).toEqual({ is: 'part_end', part: 'one', digest: ONE.end });
    expect(pieces.at(-1)).toEqual({ is: 'end', heads: [ONE.end, TWO.end], sha256: digestOf(`${LINES.slice(0, -1).join('\n')}\n`) });
  });

  it.each<[string, Partial<RecordSource>]>([
    ['items', { items: [], parts: [], files: [] }],
    ['files', { files: [], parts: [] }],
    ['parts', { parts: [] }],
  ])('may have no %s', async (_, change) => {
    const parts = change.parts ? [] : [ONE];
    expect((await read(digested(linesOf(parts, change)))).at(-1)?.is).toBe('end');
  });

  it('is none without its name, a version and a session; a newer one is told by its version', async () => {
    expect(await refused('')).toEqual({ fault: 'check.no_record' });
    const first = (facts: object | string) => changed(0, () => (typeof facts === 'string' ? facts : `${canonical(facts).slice(0, -1)},`));
    for (const facts of ['{"a":1', '[1,', 'null,', { ...FACTS, format: 'x' }, { ...FACTS, version: '1' }, { ...FACTS, session: null }])
      expect(await refused(first(facts))).toEqual({ fault: 'check.no_record' });
    expect(await refused(first({ ...FACTS, session: { uuid: 7 } }))).toEqual({ fault: 'check.no_record' });
    const version = CHECK_RECORD_VERSION + 1;
    expect(await refused(first({ ...FACTS, version }))).toEqual({ fault: 'check.newer_record', version, known: CHECK_RECORD_VERSION });
    expect(await refused(first({ ...FACTS, parts: [] })), 'a section in front of the sections').toEqual(broken(1));
    expect(await refused(first(`${canonical(FACTS).replace('{', '{ ').slice(0, -1)},`)), 'as it is written').toEqual(broken(1));
  });

  it('that ends early, goes on, or has another digest is told as such', async () => {
    const whole = digested(LINES);
    expect(await refused(LINES.slice(0, 3).join('\n'))).toEqual({ fault: 'check.record_ends', line: 3 });
    expect(await refused(`${LINES.slice(0, 3).join('\n')}\n`)).toEqual({ fault: 'check.record_ends', line: 3 });
    const inFile = at('{"base64"');
    expect(await refused(LINES.slice(0, inFile + 1).join('\n'))).toEqual({ fault: 'check.record_ends', line: inFile + 1 });
    expect(await refused(whole.trimEnd())).toEqual(broken(LINES.length));
    expect(await refused(`${whole}\n`)).toEqual({ fault: 'check.behind_end', line: LINES.length + 1 });
    expect(await refused([...LINES.slice(0, -1), `"digest":"sha256:${'0'.repeat(64)}"}`, ''].join('\n'))).toEqual({
      fault: 'check.file_changed',
    });
    expect(await refused([...LINES.slice(0, -1), '"digest":"md5:0"}', ''].join('\n'))).toEqual(broken(LINES.length));
  });

  it('with a line that no record has is refused before the line is read to its end', async () => {
    expect(await refused(withLine(2, 'x'.repeat(17 * 1024 * 1024)))).toEqual({ fault: 'check.line_long', line: 3 });
  });
});

describe('what somebody changed in a record and digested anew', () => {
  const [items, files, parts] = [at('"items"'), at('"files"'), at('"parts"')];
  const head = at('{"head"');
  const entry = at('{"digest"');
  const end = at('],"end"');

  it('is told by its line: sections, in their order and closed', async () => {
    for (const index of [items, files, parts]) expect(await refused(without(index))).toEqual(broken(index + 1));
    for (const index of [items, parts]) expect(await refused(changed(index, (line) => ` ${line}`))).toEqual(broken(index + 1));
    expect(await refused(changed(parts - 1, () => ']'))).toEqual(broken(parts));
    expect(await refused(withLine(files + 1, LINES[parts] ?? ''))).toEqual(broken(files + 2));
  });

  it('is told by its line: items and their commas', async () => {
    expect(await refused(withLine(items + 1, LINES[items + 1] ?? '')), 'twice').toEqual(broken(items + 3));
    expect(await refused(changed(items + 1, (line) => line.replace(/,$/, '')))).toEqual(broken(items + 3));
    expect(await refused(changed(items + 2, (line) => `${line},`))).toEqual(broken(items + 4));
    for (const text of ['[],', '7,', 'x,', '{"uuid": "a"},'])
      expect(await refused(changed(items + 1, () => text))).toEqual(broken(items + 2));
    expect(await refused(withLine(items + 1, '{"uuid":"session"},')), 'the session is none').toEqual(broken(items + 2));
  });

  it('is told by its line: files and what is in them', async () => {
    const file = files + 1;
    const other = { fault: 'check.file_content', line: file + 1, name: 'photo.txt' };
    expect(await refused(changed(file, (line) => line.replace('cGhv', 'cGhw'))), 'other octets').toEqual(other);
    expect(await refused(changed(file, (line) => line.replace(`"size":${PHOTO.length}`, '"size":1')))).toEqual(other);
    expect(await refused(changed(file, (line) => line.replace('cGhv', 'cG v'))), 'what is no base64').toEqual(broken(file + 1));
    expect(await refused(changed(file, (line) => line.replace(/\}$/, ',"base64":""}'))), 'a second content').toEqual(broken(file + 1));
    expect(await refused(changed(file, (line) => `${line},`))).toEqual(broken(file + 2));
    const twice = changed(file, (line) => `${line},`).toSpliced(file, 0, `${LINES[file]},`);
    expect(await refused(twice)).toEqual(broken(file + 2));
    expect(await refused(without(files, 3)), 'none of what a result names').toMatchObject({ fault: 'check.file_missing', seq: 1 });
  });

  it('is told by its part: heads', async () => {
    const made = (change: object, rest = '') => {
      const forged = { ...ONE.head, ...change } as CheckPartHead;
      return changed(head, () => `{"head":${canonical(forged)},"digest":"${headDigest(forged)}","entries":[${rest}`);
    };
    expect(await refused(made({ session: 'other' }))).toEqual({ fault: 'check.other_session', line: head + 1, part: 'one' });
    for (const change of [{ id: 7 }, { parents: 'none' }]) expect(await refused(made(change))).toEqual(broken(head + 1));
    expect(await refused(made({}, '{"digest":""}')), 'an entry that no chain holds').toEqual(broken(head + 1));
    expect(await refused(made({ parents: ['nobody'] }))).toMatchObject({ fault: 'check.entry_changed' });
    expect(await refused(changed(head, (line) => line.replace('"parents":[]', '"parents":["x"]')))).toEqual({
      ...{ fault: 'check.head_changed', line: head + 1, part: 'one' },
    });
    const again = LINES.slice(head, end + 1);
    expect(await refused(LINES.toSpliced(end + 1, 0, ...again))).toEqual({ fault: 'check.part_twice', line: end + 2, part: 'one' });
    const lost = { fault: 'check.parent_missing', part: 'two', digest: ONE.end };
    expect(await refused(linesOf([TWO]))).toEqual(lost);
  });

  it('is told by its entry: text, number, place and end', async () => {
    const told = { line: entry + 2, seq: 2, part: 'one' };
    // the sentence names the code of the point
    const other = { ...{ fault: 'check.entry_changed', ...told }, code: 'B', at: '2026-01-01T00:00:01.000Z' };
    expect(await refused(changed(entry + 1, (line) => line.replace('"at"', '"an":1,"at"')))).toEqual(other);
    expect(await refused(changed(entry + 1, (line) => line.replace(/"digest":"./, '"digest":"x')))).toEqual(other);
    expect(await refused(changed(entry + 1, (line) => line.replace('{', '{ '))), 'as it is written').toEqual(other);
    expect(await refused(changed(entry + 1, (line) => line.replace('"seq":2', '"seq":3')))).toEqual({
      fault: 'check.entry_order',
      ...told,
    });
    expect(await refused(without(entry))).toEqual({ fault: 'check.entry_order', line: entry + 1, seq: 1, part: 'one' });
    for (const text of ['{"digest":"x","entry":null},', '{"digest":"x"},', '[],', '{'])
      expect(await refused(changed(entry, () => text))).toEqual(broken(entry + 1));
    expect(await refused(changed(entry, (line) => line.replace(/,$/, '')))).toEqual(broken(entry + 2));
    expect(await refused(changed(end - 1, (line) => `${line},`))).toEqual(broken(end + 1));
    expect(await refused(changed(entry, (line) => line.replace('"seq":1', '"seq":1,"x":1e999')))).toEqual(broken(entry + 1));
    expect(await refused(changed(end, (line) => line.replace(ONE.end, TWO.end)))).toEqual({
      ...{ fault: 'check.part_end', line: end + 1, part: 'one' },
    });
    expect(await refused(without(end - 1)), 'the last one left out').toEqual(broken(end));
    expect(await refused(linesOf([aPart('one', ['nobody'])]))).toMatchObject({ fault: 'check.item_missing', item: 'nobody' });
  });

  it('is told by its line: ends of parts, and their list', async () => {
    expect(await refused(changed(end, (line) => line.replace(/,$/, '')))).toEqual(broken(at('],"end"', end + 1) + 1));
    const last = at('],"end"', end + 1);
    expect(await refused(changed(last, (line) => `${line},`))).toEqual(broken(last + 2));
    const heads = at('"heads"');
    expect(await refused(changed(heads, (line) => line.replace(ONE.end, TWO.end)))).toEqual({
      fault: 'check.heads_changed',
      line: heads + 1,
    });
    expect(await refused(changed(heads, (line) => line.replace(/,$/, '')))).toEqual(broken(heads + 1));
  });
});

describe('a record as a page', () => {
  const VIEW = { script: 'show()', style: 'p{}', program: '1.0.0' };
  async function* each(lines: readonly string[]) {
    for (const line of lines) yield `${line}\n`;
  }
  async function page(lines: readonly string[] = digested(LINES).trimEnd().split('\n'), explained: readonly string[] = ['{"a":"<b>"}']) {
    let text = '';
    for await (const piece of pageLines(VIEW, 'en', each(lines), each(explained))) text += piece;
    return text;
  }
  /** The page with its last line made anew. */
  const redigested = (text: string) => {
    const body = text.slice(0, text.lastIndexOf('<!-- sha256:'));
    return `${body}<!-- sha256:${digestOf(body)} -->\n`;
  };
  const lineOf = (text: string, begin: string) => text.slice(0, text.indexOf(begin)).split('\n').length;

  it('has the very record in it, beside what is said of its frames, in a frame that is known', async () => {
    const text = await page();
    const pieces = await read(text);
    expect(pieces.filter(({ is }) => is !== 'explained' && is !== 'page')).toEqual(await read(digested(LINES)));
    expect(pieces.slice(-2)).toEqual([
      { is: 'explained', text: '{"a":"<b>"}', line: lineOf(text, '{"a"') },
      { is: 'page', frame: frameDigests(VIEW)[1], line: text.trimEnd().split('\n').length },
    ]);
    expect(text.split('</script>'), 'no tag of a name').toHaveLength(4);
  });

  it('that was changed anywhere, cut, or goes on is refused', async () => {
    const text = await page();
    expect(await refused(text.replace('p{}', 'p{ }'))).toEqual({ fault: 'check.page_changed' });
    expect(await refused(text.replace('{"a":"', '{"a":"b'))).toEqual({ fault: 'check.page_changed' });
    const count = text.trimEnd().split('\n').length;
    expect(await refused(text.trimEnd())).toEqual(broken(count));
    expect(await refused(`${text}\n`)).toEqual(broken(count + 1));
    const cut = text.slice(0, text.indexOf('<script>'));
    expect(await refused(cut)).toEqual({ fault: 'check.record_ends', line: cut.trimEnd().split('\n').length });
  });

  it('has one record, and no line that ends in a tag', async () => {
    const text = await page();
    const block = text.slice(
      text.indexOf('<script type="application/json" id="record">'),
      text.indexOf('<script type="application/json" id="expl'),
    );
    const second = redigested(text.replace(block, `${block}${block}`));
    expect(await refused(second)).toEqual(broken(lineOf(text, block) + block.trimEnd().split('\n').length));
    expect(await refused(redigested(text.replace(block, '')))).toMatchObject({ fault: 'check.line_broken' });
    const raw = embeddedLine('<A>');
    const loose = redigested(text.replace(raw, '<A>'));
    expect(await refused(loose)).toEqual(broken(lineOf(text, raw)));
  });

  it('lets its own script and style run and nothing else, in its language', async () => {
    const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = `default-src 'none'; script-src ${hash('show()')}; style-src ${hash('p{}')}; img-src data:; base-uri 'none'; form-action 'none'`;
    const text = await page();
    expect(text).toContain(`http-equiv="Content-Security-Policy" content="${policy}"`);
    expect(text).toContain('<html lang="en">');
    const [chinese, english] = frameDigests(VIEW);
    expect(chinese).not.toBe(english);
    let other = '';
    for await (const piece of pageLines({ ...VIEW, program: '1.0.0-x"><b>' }, 'zh', each([]), each([]))) other += piece;
    expect(other).toContain('<html lang="zh-CN">');
    expect(other).toContain('content="Loopcheck 1.0.0-x___b_"');
  });

  it('that could not stand in a page is none', async () => {
    for (const view of [{ script: 'a</SCRIPT>b' }, { script: '<!--' }, { style: '</style' }])
      expect(() => frameDigests({ ...VIEW, ...view })).toThrow(TypeError);
  });
});
