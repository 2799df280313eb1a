import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { LARGEST_CHECK_FILE, MOST_CHECK_FILE_OCTETS } from '#shared/domain/check.ts';
import { asRecord, beginCheck, enter, itemOf, otherLaptop, recordOf, U } from './testing/checks.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

let running: RunningCore;
const others: RunningCore[] = [];
beforeEach(async () => {
  running = await startCore();
});
afterEach(async () => {
  for (const core of [...others.splice(0), running]) await core.close();
});

const PNG = octetsOf('89504e470d0a1a0a', 40);
const PDF = octetsOf('255044462d312e37', 60);
const JPEG = octetsOf('ffd8ffe0', 30);

function octetsOf(begin: string, size: number): Uint8Array<ArrayBuffer> {
  const octets = new Uint8Array(size);
  octets.set(Buffer.from(begin, 'hex'));
  return octets;
}
const sha256 = (octets: Uint8Array) => createHash('sha256').update(octets).digest('hex');
const attach = async (id: number, name: string, octets: Uint8Array<ArrayBuffer> | string, item?: string, core = running) =>
  (await core.api.call('attachToCheck', { session_id: id, operator: 'Li', remark: 'see photo', item, file: new File([octets], name) }))
    .data;
const fileOf = async (id: number, digest: string, core = running) =>
  (await core.api.call('checkFile', { session_id: id, sha256: digest })).data as DownloadedFile;
const verify = async (octets: Uint8Array) => (await running.api.call('verifyRecord', { file: asRecord(octets) })).data;

describe('an attachment', () => {
  it('is a remark with a file that leaves the state, is in the history, and comes back as it was sent', async () => {
    const id = await beginCheck(running);
    await enter(running, id, 'U', 'failed');
    const { item } = await itemOf(running, id, 'U');
    const result = await attach(id, 'C:\\photos\\端子 3.png', PNG, item);
    const file = { sha256: sha256(PNG), name: '端子 3.png', media_type: 'image/png', size: PNG.length };
    expect(result).toMatchObject({ item, verdict: 'remark', way: 'by_hand', remark: 'see photo', attachments: [file] });
    expect(await itemOf(running, id, 'U')).toMatchObject({ state: 'failed', last: { verdict: 'failed' } });
    const history = (await running.api.call('checkHistory', { session_id: id, item })).data.items;
    expect(history.map(({ attachments }) => attachments)).toEqual([[file], undefined]);
    const { name, mediaType, bytes } = await fileOf(id, file.sha256);
    expect([name, mediaType, sha256(bytes)]).toEqual(['端子 3.png', 'image/png', file.sha256]);
    await expect(fileOf(id, '0'.repeat(64))).rejects.toMatchObject({ status: 404 });
  });

  it('belongs to the session where no item is named', async () => {
    const id = await beginCheck(running);
    await attach(id, 'report.pdf', PDF);
    const { uuid } = (await running.api.call('listChecks', {})).data.items[0] ?? { uuid: '' };
    const { items } = (await running.api.call('checkHistory', { session_id: id, item: uuid })).data;
    expect(items).toMatchObject([{ item: uuid, verdict: 'remark', seen: [], attachments: [{ media_type: 'application/pdf' }] }]);
    await expect(attach(id, 'a.pdf', PDF, '11111111-1111-4111-8111-111111111111')).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['a picture by its content, whatever its name', 'photo.exe', JPEG, 'image/jpeg'],
    ['a picture of another kind', 'photo', octetsOf('524946460a00000057454250', 30), 'image/webp'],
    ['text in Chinese', 'note.bin', '端子排 X3：3 号端子松动\n', 'text/plain'],
    ['a table', 'values.txt', 'code,value\r\nU,12.5\r\n', 'text/csv'],
  ])('is taken: %s', async (_, name, octets, type) => {
    const { attachments } = await attach(await beginCheck(running), name, octets);
    expect(attachments).toMatchObject([{ media_type: type }]);
  });

  it.each([
    ['a program with the name of a picture', 'photo.png', octetsOf('4d5a9000', 64)],
    ['an archive that is no workbook', 'table.xlsx', octetsOf('504b0304', 64)],
    ['text with control characters', 'note.txt', 'a\u0007b'],
    ['nothing', 'empty.txt', ''],
  ])('is refused: %s', async (_, name, octets) => {
    const id = await beginCheck(running);
    await expect(attach(id, name, octets)).rejects.toMatchObject({ status: 422, data: [{ path: 'file' }] });
    expect((await running.api.call('listChecks', {})).data.items).toMatchObject([{ results: 0 }]);
  });

  it('has 5 MiB at most, and all of a session 200 MiB', async () => {
    const id = await beginCheck(running);
    // the other laptop has a point and a file of its own
    const other = await otherLaptop(running);
    await beginCheck(other, [U], 'Other');
    const added = (await other.api.call('listChannels', {})).data.find(({ name }) => name === 'Of Other')?.id ?? 0;
    await other.api.call('addCheckItems', { session_id: id, channel_id: added });
    await other.api.call('attachToCheck', { session_id: id, operator: 'Wu', remark: '', file: new File([PDF], 'plan.pdf') });
    const theirs = await recordOf(other, id);
    await other.close();
    const large = octetsOf('89504e470d0a1a0a', LARGEST_CHECK_FILE);
    await expect(attach(id, 'large.png', octetsOf('89504e470d0a1a0a', LARGEST_CHECK_FILE + 1))).rejects.toMatchObject({ status: 413 });
    for (let at = 0; at < MOST_CHECK_FILE_OCTETS / LARGEST_CHECK_FILE; at++) {
      large[100] = at;
      await attach(id, `${at}.png`, large);
    }
    await expect(attach(id, 'small.pdf', PDF)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('200 MiB') });
    // a merge that has no room for its files takes nothing over
    await expect(running.api.call('mergeCheck', { file: asRecord(theirs) })).rejects.toMatchObject({
      status: 409,
      said: { code: 'check.merge_files_full', params: { most: 200, there: 200, more: 1 } },
    });
    expect((await running.api.call('listChecks', {})).data.items).toMatchObject([{ results: 40, items: 2 }]);
  });

  it('is never changed and never goes, whatever program asks', async () => {
    const id = await beginCheck(running);
    await attach(id, 'photo.png', PNG);
    await running.api.call('setCheckLogo', { session_id: id, file: new File([JPEG], 'logo.jpg') });
    const copy = join(running.dir, 'plain.loopcheck');
    await running.api.call('backupProject', { path: copy });
    writeFileSync(`${copy}.look`, readFileSync(copy));
    const db = new Database(`${copy}.look`);
    try {
      expect(() => db.exec("UPDATE check_files SET name = 'other'")).toThrow('never changed');
      expect(() => db.exec("UPDATE check_files SET kind = 'attachment' WHERE kind = 'logo'")).toThrow('never changed');
      expect(() => db.exec('DELETE FROM check_files')).toThrow('never deleted');
      db.exec("DELETE FROM check_files WHERE kind = 'logo'");
    } finally {
      db.close();
    }
  });
});

describe('the logo', () => {
  it('is an image, is replaced and goes', async () => {
    const id = await beginCheck(running);
    const set = async (octets: Uint8Array<ArrayBuffer>) =>
      (await running.api.call('setCheckLogo', { session_id: id, file: new File([octets], 'logo') })).data.logo;
    expect(await set(PNG)).toMatchObject({ sha256: sha256(PNG), media_type: 'image/png' });
    expect(await set(JPEG)).toMatchObject({ sha256: sha256(JPEG) });
    await expect(fileOf(id, sha256(PNG))).rejects.toMatchObject({ status: 404 });
    await expect(set(PDF)).rejects.toMatchObject({ status: 422, data: [{ path: 'file' }] });
    expect((await running.api.call('listChecks', {})).data.items[0]?.logo?.sha256).toBe(sha256(JPEG));
    expect((await running.api.call('removeCheckLogo', { session_id: id })).data.logo).toBeNull();
    await expect(fileOf(id, sha256(JPEG))).rejects.toMatchObject({ status: 404 });
    // no result: the session goes with its logo
    await set(PNG);
    await running.api.call('deleteCheck', { session_id: id });
  });
});

describe('the record', () => {
  it('has every file once, and a logo; verification finds what was changed in them or is missing', async () => {
    const id = await beginCheck(running);
    const { item } = await itemOf(running, id, 'U');
    await attach(id, 'photo.png', PNG, item);
    await attach(id, 'the same.png', PNG);
    await attach(id, 'report.pdf', PDF);
    await running.api.call('setCheckLogo', { session_id: id, file: new File([PNG], 'logo.png') });
    const octets = await recordOf(running, id);
    expect(await verify(octets)).toMatchObject({ is_whole: true, entries: 3, files: 2 });
    const text = Buffer.from(octets).toString('utf8');
    const record = JSON.parse(text);
    expect(record.session.logo).toBe(sha256(PNG));
    const files = record.files as { sha256: string; base64: string }[];
    expect(files.map(({ base64 }) => sha256(Buffer.from(base64, 'base64')))).toEqual(files.map((file) => file.sha256));
    expect(files.map((file) => file.sha256).sort()).toEqual([sha256(PNG), sha256(PDF)].sort());

    const other = Buffer.from(PDF).fill(7, 20, 21).toString('base64');
    const changed = text.replace(Buffer.from(PDF).toString('base64'), other);
    expect((await verify(Buffer.from(changed))).fault?.said.code).toBe('check.file_content');
    const lines = text.split('\n');
    const leavingOut = (content: Uint8Array) =>
      lines
        .filter((line) => !line.startsWith(`{"base64":"${Buffer.from(content).toString('base64')}`))
        .join('\n')
        .replaceAll(',\n],', '\n],');
    const without = leavingOut(PDF);
    expect((await verify(Buffer.from(without))).fault?.said).toMatchObject({ code: 'check.file_missing', params: { name: 'report.pdf' } });
    const bare = leavingOut(PNG);
    expect((await verify(Buffer.from(bare))).fault?.said.code).toBe('check.logo_missing');
  });

  it('brings its files into the project that takes it over, once', async () => {
    const id = await beginCheck(running);
    const other = await otherLaptop(running);
    others.push(other);
    await attach(id, 'photo.png', PNG, undefined, other);
    await attach(id, 'report.pdf', PDF, undefined, other);
    await other.api.call('setCheckLogo', { session_id: id, file: new File([JPEG], 'logo.jpg') });
    const octets = await recordOf(other, id);
    const merged = (await running.api.call('mergeCheck', { file: asRecord(octets) })).data;
    expect(merged).toMatchObject({ files: 3, entries: 2, session: { logo: { sha256: sha256(JPEG), name: 'logo.jpg' } } });
    expect(Buffer.from((await fileOf(id, sha256(PDF))).bytes)).toEqual(Buffer.from(PDF));
    expect((await running.api.call('mergeCheck', { file: asRecord(octets) })).data).toMatchObject({ files: 0, entries: 0 });
    expect(await verify(await recordOf(running, id))).toMatchObject({ is_whole: true, files: 3 });
  });

  it('keeps its own logo, and takes the other one where a result names it', async () => {
    const id = await beginCheck(running);
    const other = await otherLaptop(running);
    others.push(other);
    await running.api.call('setCheckLogo', { session_id: id, file: new File([PNG], 'ours.png') });
    await other.api.call('setCheckLogo', { session_id: id, file: new File([JPEG], 'theirs.jpg') });
    await attach(id, 'also the logo.jpg', JPEG, undefined, other);
    const merged = (await running.api.call('mergeCheck', { file: asRecord(await recordOf(other, id)) })).data;
    expect(merged).toMatchObject({ files: 1, session: { logo: { sha256: sha256(PNG) } } });
    expect(await verify(await recordOf(running, id))).toMatchObject({ is_whole: true, files: 2 });
  });
});
