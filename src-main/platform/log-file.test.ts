import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { LogFile, type LogFolder } from './log-file.ts';
import { ManualClock } from './manual-clock.ts';

/** A disk that is full while the test says so. */
function fakeDisk() {
  const files = new Map<string, string>();
  const disk = {
    isFull: false,
    files,
    folder: {
      async prepare() {
        if (disk.isFull) throw noSpace();
        return { newest: 1, size: 0 };
      },
      async append(path, text) {
        if (disk.isFull) throw noSpace();
        files.set(path, (files.get(path) ?? '') + text);
      },
      async remove(path) {
        files.delete(path);
      },
    } satisfies LogFolder,
  };
  return disk;
}

function noSpace(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
}

describe('a log that cannot be written', () => {
  it('tells it once, goes to the standard error output, and is tried again later', async () => {
    const clock = new ManualClock();
    const disk = fakeDisk();
    let told = '';
    const log = new LogFile('/logs', { clock, folder: disk.folder, tell: (text) => (told += text) });
    log.write('one\n');
    await log.close();
    disk.isFull = true;
    log.write('two\n');
    await log.close();
    expect(log.trouble).toEqual(say('system.with_code', { what: say('system.disk_full'), code: 'ENOSPC' }));
    log.write('three\n');
    await clock.advance(59_000);
    disk.isFull = false;
    log.write('four\n');
    await log.close();
    expect(told).toMatch(/^The log cannot be written \(the disk is full \(ENOSPC\)\); .*\ntwo\nthree\nfour\n$/);
    await clock.advance(1000);
    log.write('five\n');
    await log.close();
    expect(log.trouble).toBeNull();
    expect(told).toMatch(/four\nThe log is written again.\n$/);
    expect([...disk.files.values()]).toEqual(['one\nfive\n']);
  });

  it('tells it once however often it is tried', async () => {
    const clock = new ManualClock();
    const disk = fakeDisk();
    disk.isFull = true;
    const told: string[] = [];
    const log = new LogFile('/logs', { clock, folder: disk.folder, tell: (text) => told.push(text) });
    for (let hour = 0; hour < 5; hour++) {
      log.write('line\n');
      await log.close();
      await clock.advance(3_600_000);
    }
    expect(told.filter((text) => text.includes('cannot be written'))).toHaveLength(1);
    expect(told.filter((text) => text === 'line\n')).toHaveLength(5);
  });

  it('lets no more wait for a slow disk than it can hold', async () => {
    const gate = Promise.withResolvers<void>();
    const folder: LogFolder = { prepare: async () => ({ newest: 1, size: 0 }), append: () => gate.promise, remove: async () => {} };
    let told = 0;
    const log = new LogFile('/logs', { clock: new ManualClock(), folder, tell: (text) => (told += text.length) });
    const line = `${'x'.repeat(1023)}\n`;
    for (let count = 0; count < 5000; count++) log.write(line);
    expect(told).toBeGreaterThan(3_500_000);
    gate.resolve();
    await log.close();
  });
});

describe('log files', () => {
  let dir: string;
  let told: string;
  const open = (place = join(dir, 'logs')) => new LogFile(place, { clock: new ManualClock(), tell: (text) => (told += text) });
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'loopcheck-log-'));
    told = '';
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('are bounded in size and number, and go on where the last run ended', async () => {
    const line = `${'x'.repeat(1024 * 1024 - 1)}\n`;
    for (let run = 0; run < 4; run++) {
      const log = open();
      for (let count = 0; count < 8; count++) {
        log.write(line);
        await log.close();
      }
    }
    const names = readdirSync(join(dir, 'logs')).sort();
    expect(names).toEqual([3, 4, 5, 6, 7].map((number) => `loopcheck.${number}.log`));
    for (const name of names) expect(statSync(join(dir, 'logs', name)).size).toBeLessThanOrEqual(5 * 1024 * 1024);
    expect(told).toBe('');
  });

  it.skipIf(process.platform === 'win32')('are private', async () => {
    const log = open();
    log.write('line\n');
    await log.close();
    expect(statSync(join(dir, 'logs')).mode & 0o777).toBe(0o700);
    expect(statSync(join(dir, 'logs', 'loopcheck.1.log')).mode & 0o777).toBe(0o600);
  });

  it('stop nothing when a file lies in the place of their folder', async () => {
    writeFileSync(join(dir, 'logs'), 'no folder');
    const log = open();
    log.write('line\n');
    await log.close();
    expect(told).toMatch(/^The log cannot be written \(.+\n?.*\)?.*\nline\n$/s);
    expect(readFileSync(join(dir, 'logs'), 'utf8')).toBe('no folder');
  });
});
