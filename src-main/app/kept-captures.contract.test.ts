/** Captures that a project keeps beside its file. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_KEPT_CAPTURES, MOST_KEPT_OCTETS } from '#shared/contract/captures.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { MOST_SERIES } from '#shared/contract/simulation.ts';
import { readPcapng } from '../capture/testing/read-pcapng.ts';
import { freePort, type Pair, type RunningCore, startCore, startPair } from './testing/running-core.ts';

let core: RunningCore;
let pair: Pair;
beforeEach(async () => {
  core = await startCore();
  const points = [{ frame_type: 3 as const, code: 'A', address: 100, decode: '0x20' }];
  pair = await startPair(core, { served: points, read: points });
  await read();
});
afterEach(() => core.close());

async function read(): Promise<void> {
  const { items } = (await core.api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 1 })).data;
  await core.api.call('readSinglePoint', { channel_id: pair.clientId, point_id: items[0]?.id ?? 0, frame_type: 3 });
}

const keep = async (more: { name?: string; filter?: string; drop?: string[] } = {}) =>
  (await core.api.call('keepCapture', { channel_id: pair.clientId, ...more })).data;
const list = async () => (await core.api.call('listCaptures', {})).data;
const folder = () => join(core.dir, 'test.loopcheck.captures');

/** Files that were kept before, a minute apart, each of so many octets that are not written. */
function fill(count: number, octets: number): void {
  mkdirSync(folder(), { recursive: true });
  for (let number = 1; number <= count; number++) {
    const path = join(folder(), `old ${String(number).padStart(2, '0')}.pcapng`);
    writeFileSync(path, '');
    truncateSync(path, octets);
    utimesSync(path, number * 60, number * 60);
  }
}

describe('a capture that is kept', () => {
  it('is the frame log as a file, listed with name, time, size and frames, and downloaded as it lies there', async () => {
    const { capture, dropped } = await keep({ name: 'Breaker: test/1' });
    expect(dropped).toEqual([]);
    expect(capture).toMatchObject({ name: expect.stringMatching(/^Breaker_ test_1 \d{8}T\d{6}Z$/), frames: 2 });
    const { items, octets, most, most_octets } = await list();
    expect(items).toEqual([capture]);
    expect([octets, most, most_octets]).toEqual([capture.octets, MOST_KEPT_CAPTURES, MOST_KEPT_OCTETS]);
    expect(capture.name.endsWith(` ${capture.at.replaceAll(/[-:]|\.\d+/g, '')}`)).toBe(true);
    const file = (await core.api.call('captureFile', { name: capture.name })).data as DownloadedFile;
    expect(file.name).toBe(`${capture.name}.pcapng`);
    expect(Buffer.from(file.bytes)).toEqual(readFileSync(join(folder(), file.name)));
    const { packets, counts } = readPcapng(file.bytes);
    expect(packets).toHaveLength(2);
    expect(counts.map(({ count }) => count)).toEqual([2, 0]);
    // it is still there behind the download
    expect((await list()).items).toHaveLength(1);
  });

  it('of the same second gets a number, of a name in any letters a file', async () => {
    const name = '测'.repeat(100);
    const names = [];
    for (let time = 0; time < 3; time++) names.push((await keep({ name })).capture.name);
    expect(new Set(names).size).toBe(3);
    expect((await list()).items.map((each) => each.name).sort()).toEqual(names.sort());
    expect(names.every((each) => each.startsWith('测'.repeat(50)) && !each.includes('测'.repeat(51)))).toBe(true);
  });

  it('has what passes the filter; what has no frames is not kept', async () => {
    expect((await keep({ filter: 'request' })).capture.frames).toBe(1);
    await expect(keep({ filter: 'length > 10000' })).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringContaining('filter'),
    });
    await core.api.call('stopDevice', { channel_id: pair.clientId });
    await core.api.call('clearFrames', { channel_id: pair.clientId });
    await expect(keep()).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('no frames') });
    expect(readdirSync(folder())).toHaveLength(1);
  });

  it('is removed, once', async () => {
    const { name } = (await keep()).capture;
    expect((await core.api.call('removeCapture', { name })).data).toEqual({ removed: true });
    expect((await list()).items).toEqual([]);
    for (const call of [
      () => core.api.call('removeCapture', { name }),
      () => core.api.call('captureFile', { name }),
      () => core.api.call('lookKept', { name }),
      () => core.api.call('takeKept', { capture: name }),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    }
  });

  it('never names a file outside of its folder', async () => {
    writeFileSync(join(core.dir, 'secret.pcapng'), 'x');
    await keep();
    for (const name of ['../secret', `${folder()}/../secret`, '..\\secret', '.', '..']) {
      await expect(core.api.call('captureFile', { name })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
      await expect(core.api.call('removeCapture', { name })).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    }
  });
});

describe('the oldest ones', () => {
  it('go for one more when somebody agreed to it, and not before', async () => {
    fill(MOST_KEPT_CAPTURES, 8);
    await expect(keep()).rejects.toMatchObject({
      code: 'STATE_CONFLICT',
      message: expect.stringMatching(/old 01 would have to go/),
      data: { drop: ['old 01'] },
    });
    expect((await list()).items).toHaveLength(MOST_KEPT_CAPTURES);
    const { capture, dropped } = await keep({ drop: ['old 01'] });
    expect(dropped).toEqual(['old 01']);
    const names = (await list()).items.map(({ name }) => name);
    expect(names).toHaveLength(MOST_KEPT_CAPTURES);
    expect(names.slice(0, 2)).toEqual([capture.name, 'old 20']);
    expect(names.at(-1)).toBe('old 02');
  });

  it('go for their octets as well', async () => {
    fill(4, MOST_KEPT_OCTETS / 4);
    await expect(keep()).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('old 01') });
    // what was written for it went with the refusal
    expect(readdirSync(folder())).toHaveLength(4);
    expect((await keep({ drop: ['old 02', 'old 01'] })).dropped).toEqual(['old 01']);
    expect((await list()).octets).toBeLessThanOrEqual(MOST_KEPT_OCTETS);
  });
});

describe('a capture that nobody named', () => {
  it('stays: where the named ones went meanwhile, or are too few, all that would have to go are named anew', async () => {
    fill(MOST_KEPT_CAPTURES + 2, 8);
    const names = (count: number) => Array.from({ length: count }, (_, at) => `old 0${at + 1}`);
    const refused = { code: 'STATE_CONFLICT', message: expect.stringMatching(/old 01, old 02 and old 03|old 01, old 02, old 03/) };
    for (const drop of [[], ['old 01'], ['old 01', 'old 02'], ['gone', 'old 03', 'old 03']]) {
      await expect(keep({ drop })).rejects.toMatchObject({ ...refused, data: { drop: names(3) } });
    }
    rmSync(join(folder(), 'old 01.pcapng'));
    await expect(keep({ drop: ['old 01', 'old 02'] })).rejects.toMatchObject({ data: { drop: ['old 02', 'old 03'] } });
    expect((await list()).items).toHaveLength(MOST_KEPT_CAPTURES + 1);
    // which ones go is up to who asks
    expect((await keep({ drop: ['old 07', 'old 05', 'old 06'] })).dropped).toEqual(['old 05', 'old 06']);
    expect((await list()).items).toHaveLength(MOST_KEPT_CAPTURES);
  });

  it('and came while the log was written is not taken for one that was', async () => {
    fill(MOST_KEPT_CAPTURES, 8);
    // another program puts one there as soon as the draft of the new one is there
    const watcher = watch(folder(), () => {
      watcher.close();
      writeFileSync(join(folder(), 'foreign.pcapng'), '');
    });
    await expect(keep({ drop: ['old 01'] })).rejects.toMatchObject({ data: { drop: ['old 01', 'old 02'] } });
    expect((await list()).items).toHaveLength(MOST_KEPT_CAPTURES + 1);
  });
});

describe('the folder', () => {
  it('may hold a capture of another program, which tells no count, and other files, which are none', async () => {
    mkdirSync(join(folder(), 'a folder.pcapng'), { recursive: true });
    writeFileSync(join(folder(), 'foreign.pcapng'), 'no capture');
    writeFileSync(join(folder(), 'notes.txt'), 'x');
    writeFileSync(join(folder(), `capture.${process.pid}-0badcafe.tmp`), 'left by a kill');
    expect((await list()).items).toMatchObject([{ name: 'foreign', octets: 10, frames: null }]);
    await expect(core.api.call('lookKept', { name: 'foreign' })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: [{ path: 'name' }],
    });
    await keep();
    expect(readdirSync(folder()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is renamed with its project, and not part of its copy', async () => {
    const { name } = (await keep()).capture;
    const renamed = join(core.dir, 'renamed.loopcheck');
    await core.api.call('renameProject', { path: renamed });
    expect((await list()).items.map((each) => each.name)).toEqual([name]);
    expect((await list()).folder).toBe(`${renamed}.captures`);
    const copy = join(core.dir, 'copy.loopcheck');
    await core.api.call('backupProject', { path: copy });
    await core.api.call('openProject', { path: copy });
    expect((await list()).items).toEqual([]);
  });
});

describe('a kept capture is served again', () => {
  it('in a channel: points come in one step, follow it anew when it is taken again, and can be undone', async () => {
    const { name } = (await keep()).capture;
    const { conversations } = (await core.api.call('lookKept', { name })).data;
    expect(conversations).toMatchObject([{ protocol_type: 1, reads: 1, addresses: 1, reason: null, reason_message: null }]);
    const channel = { name: 'Replay', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port: await freePort(), address_base: 1 } as const;
    const { id } = (await core.api.call('addChannel', channel)).data;
    const take = async () => (await core.api.call('takeKept', { capture: name, name: 'line', channel_id: id })).data;
    expect(await take()).toMatchObject({ reads: 1, taken_into: { channel_id: id, added: 1, changed: 0 } });
    const table = async () => (await core.api.call('pointTable', { channel_id: id, page: 1, page_size: 5 })).data.items;
    // addresses of this channel begin at 1
    expect(await table()).toMatchObject([{ code: 'U1_HR100', address: 101, protocol: { simulate: 'series("line", "1:3:100", "hold")' } }]);
    const [point] = await table();
    await core.api.call('editPoint', { point_id: point?.id ?? 0, frame_type: 0, name: 'Mine', protocol: { simulate: '5' } });
    expect(await take()).toMatchObject({ taken_into: { added: 0, changed: 1 } });
    expect(await table()).toMatchObject([{ name: 'Mine', protocol: { simulate: 'series("line", "1:3:100", "hold")' } }]);
    await core.api.call('undoPoints', { channel_id: id });
    expect(await table()).toMatchObject([{ name: 'Mine', protocol: { simulate: '5' } }]);
  });

  it('not where it does not fit, and nothing is kept of it then', async () => {
    const { name } = (await keep()).capture;
    const takeInto = (channel_id: number) => core.api.call('takeKept', { capture: name, channel_id });
    await expect(takeInto(pair.clientId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
    await expect(takeInto(999)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    const channel = { name: 'Other', protocol_type: 1, conn_type: 1, ip: '127.0.0.1', port: await freePort() } as const;
    const { id } = (await core.api.call('addChannel', channel)).data;
    const taken = [{ frame_type: 0 as const, code: 'U1_HR100', address: 7, decode: '0x20' }];
    await core.api.call('addPoints', { channel_id: id, points: taken });
    await expect(takeInto(id)).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('U1_HR100') });
    expect((await core.api.call('listSeries', {})).data.items).toEqual([]);
    // the points are looked at before room is looked for
    for (let number = 1; number <= MOST_SERIES; number++) {
      await core.api.call('addSeries', { name: `kept ${number}`, file: new File(['t,a\n0,1\n1,2\n'], 'kept.csv') });
    }
    await expect(takeInto(id)).rejects.toMatchObject({ code: 'STATE_CONFLICT', message: expect.stringContaining('U1_HR100') });
    await expect(core.api.call('takeKept', { capture: name })).rejects.toMatchObject({ said: { code: 'simulation.series_many' } });
  });
});
