import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonical, digestOf, entryDigest, headDigest } from '../services/check/chain.ts';
import { asRecord, beginCheck, enter, itemOf, recordOf } from './testing/checks.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

let core: RunningCore;
let session: number;
let lines: string[];

beforeEach(async () => {
  core = await startCore();
  session = await beginCheck(core);
  const { item } = await itemOf(core, session, 'U');
  const text = new TextEncoder().encode('a note');
  const said = { session_id: session, item, operator: 'Li', remark: '' };
  await core.api.call('attachToCheck', { ...said, file: new File([text], 'note.txt') });
  await enter(core, session, 'S', 'failed', 'loose');
  lines = Buffer.from(await recordOf(core, session))
    .toString('utf8')
    .trimEnd()
    .split('\n');
});
afterEach(() => core.close());

/** The record with its last line made anew, as somebody who changes it could. */
function digestedAnew(changed: readonly string[]): Uint8Array {
  const body = `${changed.slice(0, -1).join('\n')}\n`;
  return Buffer.from(`${body}"digest":"sha256:${digestOf(body)}"}\n`);
}
const verified = async (changed: readonly string[]) =>
  (await core.api.call('verifyRecord', { file: asRecord(digestedAnew(changed)) })).data;
const at = (begin: string) => lines.findIndex((line) => line.startsWith(begin));
const changedAt = (index: number, change: (line: string) => string) => lines.map((line, place) => (place === index ? change(line) : line));
/** What a reader of JSON finds in a record. */
const parsed = (changed: readonly string[]) => JSON.parse(Buffer.from(digestedAnew(changed)).toString('utf8')) as Record<string, never>;

describe('a record that somebody wrote with the right digests', () => {
  it('is whole where nothing was changed', async () => {
    expect(await verified(lines)).toMatchObject({ is_whole: true, fault: null });
  });

  it('has no entry in the line of a head, where no chain holds it', async () => {
    const head = at('{"head"');
    const entry = (lines[head + 2] ?? '').replace('"failed"', '"passed"');
    const { id, ...rest } = (JSON.parse(`${lines[head]}]}`) as { head: { id: string } }).head;
    const made = { id: id.replaceAll(/[0-9a-f]/g, 'a'), ...rest };
    const digest = headDigest(made as never);
    const smuggled = [`{"head":${canonical(made)},"digest":"${digest}","entries":[${entry}`, `],"end":"${digest}"},`];
    const heads = lines.at(-2)?.replace('[', `["${digest}",`) ?? '';
    const forged = [...lines.slice(0, head), ...smuggled, ...lines.slice(head, -2), heads, lines.at(-1) ?? ''];
    expect(JSON.stringify(parsed(forged))).toContain('"verdict":"passed"');
    expect(await verified(forged)).toMatchObject({ is_whole: false, fault: { said: { code: 'check.line_broken' } } });
  });

  it('has no second content of a file behind the one that is proved', async () => {
    const other = Buffer.from('a lie!').toString('base64');
    const forged = changedAt(at('{"base64"'), (line) => line.replace(/\}$/, `,"base64":"${other}"}`));
    expect(JSON.stringify(parsed(forged))).toContain(other);
    expect(await verified(forged)).toMatchObject({ is_whole: false, fault: { said: { code: 'check.line_broken' } } });
    const loose = changedAt(at('{"base64"'), (line) => line.replace('{"base64":"', '{"base64":"!'));
    expect(await verified(loose)).toMatchObject({ is_whole: false });
  });

  it('has no section in front of its sections', async () => {
    for (const section of ['digest', 'files', 'heads', 'items', 'parts']) {
      const facts = JSON.parse(`${(lines[0] ?? '').slice(0, -1)}}`) as Record<string, unknown>;
      const first = `${canonical({ ...facts, [section]: [] }).slice(0, -1)},`;
      expect(await verified([first, ...lines.slice(1)])).toMatchObject({ is_whole: false });
    }
  });

  it('has its items as they are written, each once, and what stands between them', async () => {
    const first = at('"items"') + 1;
    const twice = [...lines.slice(0, first), lines[first] ?? '', ...lines.slice(first)];
    expect(await verified(twice)).toMatchObject({ is_whole: false, fault: { said: { code: 'check.line_broken' } } });
    const named = changedAt(first, (line) => line.replace('{', '{"code":"X",'));
    expect(await verified(named)).toMatchObject({ is_whole: false });
    expect(await verified(changedAt(first, (line) => line.replace(/,$/, '')))).toMatchObject({ is_whole: false });
    expect(await verified(changedAt(first + 1, (line) => `${line},`))).toMatchObject({ is_whole: false });
    const end = at('],"end"');
    expect(await verified(changedAt(end, (line) => `${line},`))).toMatchObject({ is_whole: false });
    expect(await verified(changedAt(end - 1, (line) => `${line},`))).toMatchObject({ is_whole: false });
  });

  it('has no part twice, and takes over nothing of one that has', async () => {
    const head = at('{"head"');
    const { digest } = JSON.parse(`${lines[head]}]}`) as { digest: string };
    const { entry } = JSON.parse(lines[head + 2] ?? '') as { entry: Record<string, unknown> };
    const body = canonical({ ...entry, seq: 1, verdict: 'passed' });
    const own = entryDigest(digest, body);
    const second = [lines[head] ?? '', `{"digest":"${own}","entry":${body}}`, `],"end":"${own}"},`];
    const heads = lines.at(-2)?.replace('[', `["${own}",`) ?? '';
    const forged = [...lines.slice(0, head), ...second, ...lines.slice(head, -2), heads, lines.at(-1) ?? ''];
    expect(await verified(forged)).toMatchObject({ is_whole: false });
    const other = await startCore();
    try {
      await expect(other.api.call('mergeCheck', { file: asRecord(digestedAnew(forged)) })).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
      });
      expect((await other.api.call('listChecks', {})).data).toMatchObject({ items: [] });
    } finally {
      await other.close();
    }
  });

  it('is refused by its place where it has numbers that are none, or braces without end', async () => {
    const entry = at('{"digest"');
    const huge = changedAt(entry, (line) => line.replace('"seq":1', '"seq":1,"x":1e999'));
    expect(await verified(huge)).toMatchObject({ fault: { said: { code: 'check.line_broken', params: { line: entry + 1 } } } });
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const nested = changedAt(entry, (line) => line.replace('"seq":1', `"seq":1,"x":${deep}`));
    expect(await verified(nested)).toMatchObject({ fault: { said: { code: 'check.line_broken' } } });
    const facts = changedAt(0, (line) => line.replace(/,$/, ',"zz":1e999,'));
    expect(await verified(facts)).toMatchObject({ fault: { said: { code: 'check.line_broken' } } });
  });
});
