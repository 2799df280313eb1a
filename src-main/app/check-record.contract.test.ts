import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import type { CheckRecordFormat } from '#shared/domain/check.ts';
import type { ExplainedIndex } from '#shared/domain/check-explained.ts';
import type { CheckRecord } from '#shared/domain/check-record.ts';
import { createRandom } from '../platform/seeded-random.ts';
import { digestOf } from '../services/check/chain.ts';
import { readWorkbook } from '../services/point-files/workbook.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { proveRecord, recordJob } from './record-job.ts';
import { type Pair, type RunningCore, startCore, startPair, TEST_VIEW } from './testing/running-core.ts';
import { verifyCommand } from './verify-command.ts';

const HOSTILE = '</script><!--<script><img src=x onerror=alert(1)>"\'&lt; \\u003c \\\\u003c \u2028\u2029';
const U = { frame_type: 0, code: 'U', address: 10, decode: '0x21', mul_coe: 0.1, unit: 'V', name: '=1+1 </script>' } as const;
const S = { frame_type: 1, code: 'S', address: 20, decode: '0x20', bit: 0 } as const;

let running: RunningCore;
let pair: Pair;
let id: number;

beforeEach(async () => {
  running = await startCore();
  pair = await startPair(running, { served: [{ ...U, mul_coe: 1 }, S], read: [U, S] });
  id = (await running.api.call('addCheck', { name: '<b>First</b> visit', cover: { site: HOSTILE, customer: '=HYPERLINK("x")' } })).data.id;
  await running.api.call('addCheckItems', { session_id: id, channel_id: pair.clientId });
  await enter('U', 'passed', '-2+3');
  await enter('S', 'failed', 'loose </script>');
});
afterEach(() => running.close());

async function enter(code: string, verdict: 'passed' | 'failed', remark: string) {
  const { items } = (await running.api.call('checkItems', { session_id: id })).data;
  const item = items.find((each) => each.code === code);
  const { point_id, frame_type, item: uuid } = item ?? { point_id: 0, frame_type: 0 as const, item: '' };
  await running.api.call('readSinglePoint', { channel_id: pair.clientId, point_id, frame_type });
  await running.api.call('enterCheckResult', { session_id: id, item: uuid, verdict, operator: 'Li', remark });
}
async function recordOf(format: CheckRecordFormat, lang: 'zh' | 'en' = 'en'): Promise<Buffer> {
  const { bytes } = (await running.api.call('checkRecord', { session_id: id, format, lang })).data as DownloadedFile;
  return Buffer.from(bytes);
}
const fileOf = (bytes: Uint8Array) => new File([new Uint8Array(bytes)], 'record.html');
const verify = async (bytes: Uint8Array) => (await running.api.call('verifyRecord', { file: fileOf(bytes) })).data;
/** Text of a data block of a page. */
const blockOf = (page: string, name: string) =>
  new RegExp(`<script type="application/json" id="${name}">\n([\\s\\S]*?)</script>`).exec(page)?.[1] ?? '';
/** The page with its last line made anew, as somebody who changes it could. */
function digestedAnew(page: string): Buffer {
  const body = page.slice(0, page.lastIndexOf('<!-- sha256:'));
  return Buffer.from(`${body}<!-- sha256:${digestOf(body)} -->\n`);
}

describe('the record as HTML', () => {
  it('verifies, with the digests of its results, and can be merged as the JSON in it', async () => {
    const { heads } = (await running.api.call('checkSummary', { session_id: id })).data;
    const page = await recordOf('html', 'zh');
    expect(await verify(page)).toMatchObject({ is_whole: true, parts: 1, entries: 2, heads, viewer: 'own', explained: 'own', fault: null });
    const other = await startCore();
    try {
      const merged = (await other.api.call('mergeCheck', { file: fileOf(page) })).data;
      expect(merged).toMatchObject({ items: 2, parts: 1, entries: 2, session: { name: '<b>First</b> visit', cover: { site: HOSTILE } } });
    } finally {
      await other.close();
    }
  });

  it('has the very JSON in it, whatever stands in its names, and no tag of theirs', async () => {
    const page = (await recordOf('html')).toString('utf8');
    const json = (await recordOf('json')).toString('utf8');
    expect(JSON.parse(blockOf(page, 'record'))).toEqual(JSON.parse(json));
    expect((JSON.parse(json) as CheckRecord).session.cover.site).toBe(HOSTILE);
    // three scripts, of which two are data
    expect(page.match(/<\/?script/g)).toHaveLength(6);
    expect(page.match(/<img|<b>/g)).toBeNull();
    expect(page.match(/<!--/g)).toHaveLength(1);
  });

  it('lets its own script and style run, and nothing else', async () => {
    const page = (await recordOf('html')).toString('utf8');
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    const digest = createHash('sha256').update(script, 'utf8').digest('base64');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src 'sha256-${digest}';`);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('has the meaning of the frames of each result', async () => {
    const page = (await recordOf('html')).toString('utf8');
    const lines = blockOf(page, 'explained').trim().split('\n');
    const { parts, omitted } = JSON.parse(lines.at(-1) ?? '') as ExplainedIndex;
    const [entries = []] = Object.values(parts);
    expect(omitted).toBe(0);
    // request and answer of each of the two results, each its own line; what failed comes first
    expect(entries.map((each) => each?.length)).toEqual([2, 2]);
    expect(new Set(entries.flat()).size).toBe(4);
    expect(entries[1]).toEqual([0, 1]);
    expect(lines[0]).toContain('modbus.');
  });

  it('is another one wherever one of a thousand octets was changed', async () => {
    const page = await recordOf('html');
    const path = join(running.dir, 'changed.html');
    const random = createRandom(61);
    const passed: number[] = [];
    for (let turn = 0; turn < 1000; turn++) {
      const at = Math.floor(random() * page.length);
      const damaged = Buffer.from(page);
      damaged[at] = (damaged[at] ?? 0) ^ (1 + Math.floor(random() * 255));
      writeFileSync(path, damaged);
      if ((await proveRecord(path, TEST_VIEW, builtInDrivers)).is_whole) passed.push(at);
    }
    expect(passed).toEqual([]);
  });

  it('that was cut, went on, or has a second record in it is refused', async () => {
    const page = (await recordOf('html')).toString('utf8');
    const faultOf = async (text: string | Buffer) => (await verify(Buffer.from(text))).fault?.said.code;
    const end = page.lastIndexOf('<!-- sha256:');
    expect(await faultOf(page.slice(0, end))).toBe('check.record_ends');
    expect(await faultOf(page.slice(0, page.indexOf('"heads"')))).toBe('check.record_ends');
    expect(await faultOf(page.trimEnd())).toBe('check.line_broken');
    expect(await faultOf(`${page}<p>more</p>\n`)).toBe('check.line_broken');
    expect(await faultOf(page.replace('"loose', '"tight'))).toBe('check.entry_changed');
    expect(await faultOf(digestedAnew(page.replace('"loose', '"tight')))).toBe('check.entry_changed');
    const twice = page.replace('<noscript>', `<script type="application/json" id="record">\n</script>\n<noscript>`);
    expect(await faultOf(digestedAnew(twice))).toBe('check.line_broken');
    expect(await faultOf('<!doctype html>\n<p>no record</p>\n')).toBe('check.record_ends');
  });

  it('says by whom it is shown when its viewer is not that of this program', async () => {
    const page = (await recordOf('html')).toString('utf8');
    const changed = digestedAnew(page.replace('document.title', 'document.Title'));
    expect(await verify(changed)).toMatchObject({ is_whole: true, entries: 2, viewer: 'other' });
    const path = join(running.dir, 'changed.html');
    writeFileSync(path, changed);
    const said: string[] = [];
    const output = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    expect(await verifyCommand([path], output, TEST_VIEW)).toBe(0);
    expect(said.join('')).toContain('What shows this HTML is not of this program');
    writeFileSync(path, page);
    said.length = 0;
    expect(await verifyCommand([path], output, TEST_VIEW)).toBe(0);
    expect(said.join('')).not.toContain('What shows this HTML');
  });

  it('is another one where somebody forged what its frames mean, with the right digests', async () => {
    const page = (await recordOf('html')).toString('utf8');
    const explained = blockOf(page, 'explained');
    const lines = explained.trim().split('\n');
    const index = lines.at(-1) ?? '';
    const forged = {
      'another value': explained.replace('"2",0,2', '"7",0,2'),
      'another line': [...lines.slice(1, 2), ...lines.slice(0, 1), ...lines.slice(2)].join('\n'),
      'a line less': [...lines.slice(1, -1), index].join('\n'),
      'a line more': [...lines.slice(0, -1), lines[0], index].join('\n'),
      'another frame': [...lines.slice(0, -1), index.replace('[0,1]', '[1,0]')].join('\n'),
      'less counted': [...lines.slice(0, -1), index.replace('"omitted":0', '"omitted":7')].join('\n'),
      'none at all': '',
    };
    for (const [what, text] of Object.entries(forged)) {
      expect(text, what).not.toBe(explained);
      const changed = digestedAnew(page.replace(explained, text === '' ? '' : `${text.trim()}\n`));
      expect(await verify(changed), what).toMatchObject({ is_whole: false, fault: { said: { code: 'check.explained_changed' } } });
    }
    const begins = page.slice(0, page.indexOf(explained)).split('\n').length;
    const changed = digestedAnew(page.replace(explained, forged['another frame'].concat('\n')));
    expect((await verify(changed)).fault?.said.params).toEqual({ line: begins + lines.length - 1 });
  });

  it('of another version is told apart from one that was forged: what it says of frames is proved by nothing, unless this program says the same', async () => {
    const page = (await recordOf('html')).toString('utf8');
    const older = page.replace('content="Loopcheck test"', 'content="Loopcheck 0.0.9"');
    expect(await verify(digestedAnew(older))).toMatchObject({ is_whole: true, viewer: 'other', explained: 'own' });
    const explained = blockOf(page, 'explained');
    const otherWords = digestedAnew(older.replace(explained, explained.replace('"2",0,2', '"7",0,2')));
    expect(await verify(otherWords)).toMatchObject({ is_whole: true, viewer: 'other', explained: 'other' });
    const path = join(running.dir, 'older.html');
    writeFileSync(path, otherWords);
    const said: string[] = [];
    const output = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    expect(await verifyCommand([path], output, TEST_VIEW)).toBe(0);
    expect(said.join('')).toContain('What it says of the frames is not what this program says of them');
  });

  it('leaves nothing behind in the data folder, also where it cannot be made', async () => {
    await recordOf('html');
    await recordOf('xlsx');
    const drafts = () => readdirSync(running.dir, { recursive: true }).filter((name) => /\.tmp$/.test(String(name)));
    await expect.poll(drafts).toEqual([]);
  });
});

describe('the record as a workbook', () => {
  it('has the sheets of its language, numbers as numbers, and texts that no spreadsheet computes', async () => {
    const sheets = await readWorkbook(await recordOf('xlsx', 'zh'));
    expect(sheets.map(({ name }) => name)).toEqual(['封面', '未合格项', '测点', '全部结果', '未完成']);
    expect(sheets.flatMap(({ formulas }) => [...formulas])).toEqual([]);
    const [cover, failures, results, history, open] = sheets.map(({ rows }) => rows);
    const json = await recordOf('json');
    expect(cover).toContainEqual(
      expect.arrayContaining(['JSON 记录的 SHA-256', (JSON.parse(json.toString('utf8')) as CheckRecord).digest.replace('sha256:', '')]),
    );
    expect(cover).toContainEqual(expect.arrayContaining(['客户', '=HYPERLINK("x")']));
    expect([failures?.length, results?.length, history?.length, open?.length]).toEqual([2, 3, 3, 2]);
    const [heads = [], first = []] = results ?? [];
    expect([first[heads.indexOf('名称')], first[heads.indexOf('数值')]]).toEqual(['=1+1 </script>', 0]);
    expect(String(first[heads.indexOf('时间')])).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [+-]\d\d:\d\d$/);
    expect(first[heads.indexOf('内容')]).toBe('-2+3');
  });

  it('tells in English what did not pass', async () => {
    const [, failures] = await readWorkbook(await recordOf('xlsx'));
    expect(failures?.name).toBe('Failures');
    expect(failures?.rows[1]).toEqual(expect.arrayContaining(['Failed', 'S', 'loose </script>']));
  });
});

describe('a form of the record', () => {
  it('has no room on a full disk', async () => {
    const from = join(running.dir, 'record.json');
    writeFileSync(from, await recordOf('json'));
    for (const format of ['html', 'xlsx'] as const) {
      const job = { ...TEST_VIEW, make: { format, from, to: '/dev/full', language: 'en' } } as const;
      await expect(recordJob(job, builtInDrivers)).rejects.toMatchObject({ code: 'STATE_STORE_FULL' });
    }
  });

  it('is refused where what shows records is not built, and the JSON is there as before', async () => {
    const from = join(running.dir, 'record.json');
    writeFileSync(from, await recordOf('json'));
    const make = { format: 'html', from, to: join(running.dir, 'a.html'), language: 'en' } as const;
    await expect(recordJob({ ...TEST_VIEW, dir: join(running.dir, 'none'), make }, builtInDrivers)).rejects.toMatchObject({
      said: { code: 'check.no_viewer' },
    });
    expect(existsSync(make.to)).toBe(false);
    expect(readFileSync(from).length).toBeGreaterThan(100);
  });
});
