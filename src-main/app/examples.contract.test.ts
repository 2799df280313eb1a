/** The examples of docs/examples in Python and shell do what they say, against the demo plant. */
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, startService } from './start-service.ts';
import { freePort, TEST_VIEW, until } from './testing/running-core.ts';
import { verifyCommand } from './verify-command.ts';

const EXAMPLES = join(import.meta.dirname, '../../docs/examples');
const isThere = (program: string) => (spawnSync(program, ['--version']) as SpawnSyncReturns<Buffer>).error === undefined;
const hasPython = isThere('python3');
const hasShell = process.platform !== 'win32' && isThere('curl');
if (!hasPython) console.warn('The examples in Python are not tried: there is no python3.');
if (!hasShell) console.warn('The examples for a shell are not tried: there is no sh with curl.');

let dir: string;
let service: RunningService;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck-examples-'));
  const place = { host: '127.0.0.1', port: 0, dataDir: dir, project: null, pagesDir: null, viewDir: TEST_VIEW.dir, demoDir: null };
  service = await startService({ ...place, demo: true, token: 'of-the-examples', readOnly: false, extraOrigins: [] });
  for (const code of ['PCS_P', 'PCS_STATUS']) {
    const { api } = service.core;
    await api.call('waitForPoint', { device_name: 'Demo PCS', code, condition: 'good', timeout_ms: 120_000 });
  }
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Runs an example with the address of the service and these arguments. */
async function run(name: string, args: readonly string[], address = service.url) {
  const child = spawn(name.endsWith('.py') ? 'python3' : 'sh', [join(EXAMPLES, name), address, ...args], {
    // where the tests run at another hour: libfaketime breaks the sleep of Python
    env: { ...process.env, LOOPCHECK_TOKEN: 'of-the-examples', LD_PRELOAD: '' },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code: code as number, out, err };
}

async function channel(name: string): Promise<string> {
  const found = (await service.core.api.call('listChannels', {})).data.find((each) => each.name === name);
  return String(found?.id);
}

describe.skipIf(!hasPython)('in Python', () => {
  it('values are read into a CSV file', async () => {
    const file = join(dir, 'values.csv');
    expect(await run('read-to-csv.py', ['Demo PCS', 'PCS_P,PCS_STATUS', file, '2', '0'])).toEqual({ code: 0, out: '', err: '' });
    const lines = readFileSync(file, 'utf8').split('\r\n');
    expect(lines).toEqual(['\ufefftime,PCS_P kW,PCS_STATUS', ...Array(2).fill(expect.stringMatching(/^\S+Z,-?[\d.e-]+,\d+(\.0)?$/)), '']);
    expect(await run('read-to-csv.py', ['Demo PCS', 'NONE', file, '1', '0'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('NONE'),
    });
    const away = `http://127.0.0.1:${await freePort()}`;
    expect(await run('read-to-csv.py', ['Demo PCS', 'PCS_P', file, '1', '0'], away)).toMatchObject({
      code: 2,
      err: expect.stringContaining('does not answer'),
    });
  });

  it('a value is waited for, then another one is written, once', async () => {
    const audit = async () => (await service.core.api.call('listAudit', {})).data.items.filter(({ code }) => code === 'PCS_Q_SET');
    const before = (await audit()).length;
    const done = await run('wait-and-write.py', ['Demo PCS', 'PCS_STATUS', '0', 'PCS_Q_SET', '3', '120']);
    expect(done).toEqual({ code: 0, out: 'PCS_Q_SET = 3: accepted\n', err: '' });
    expect(await audit()).toHaveLength(before + 1);
    const never = await run('wait-and-write.py', ['Demo PCS', 'PCS_STATUS', '1e9', 'PCS_Q_SET', '4', '0.1']);
    expect([never.code, never.out]).toEqual([1, expect.stringContaining('nothing was sent')]);
    expect((await run('wait-and-write.py', ['Demo PCS', 'PCS_STATUS', '0', 'PCS_P_SET', '1e9', '120'])).code).toBe(2);
    expect(await audit()).toHaveLength(before + 1);
  });

  it('values are watched as they change', async () => {
    const { code, out, err } = await run('watch-stream.py', [await channel('Demo PCS'), '60']);
    expect([code, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(60);
    expect(lines.filter((line) => !/^(\S+Z|None) \S+ -?[\d.e-]+ \w+$/.test(line))).toEqual([]);
    expect(await run('watch-stream.py', ['9999', '1'])).toMatchObject({ code: 2, err: expect.stringContaining('9999') });
  });
});

describe.skipIf(!hasShell)('for a shell', () => {
  it('a factory test leaves a record that can be proved, and all records are written', async () => {
    const record = join(dir, 'record.html');
    const [tested, reference] = [await channel('Demo PCS'), await channel('Demo plant')];
    const { code, out } = await run('factory-test.sh', [tested, reference, record]);
    // values of the plant move between both reads
    expect([code, out]).toEqual(
      code === 0 ? [0, 'All passed.\n'] : [1, expect.stringMatching(/^\d+ did not pass; see .*record\.html\.\n$/)],
    );
    const said: string[] = [];
    const output = { out: (text: string) => void said.push(text), err: (text: string) => void said.push(text) };
    expect([await verifyCommand([record], output, TEST_VIEW), said[0]]).toEqual([0, expect.stringContaining('is as it was written')]);
    const exported = await run('export-record.sh', [dir]);
    expect(exported).toEqual({ code: 0, out: `${join(dir, 'session-1.html')}\n`, err: '' });
    expect(readFileSync(join(dir, 'session-1.html'))).toEqual(readFileSync(record));
    expect(await run('factory-test.sh', ['9999', reference, record])).toMatchObject({ code: 2, err: expect.stringContaining('9999') });
    expect((await run('export-record.sh', [join(dir, 'no/folder')])).code).toBe(2);
  });

  it('an alarm list names what is out of its limits or not good', async () => {
    const id = await channel('Demo PCS');
    const { api } = service.core;
    const { items } = (await api.call('readPoints', { device_name: 'Demo PCS', points: [{ code: 'PCS_STATUS' }] })).data;
    await api.call('editPoint', { point_id: items[0]?.id ?? 0, frame_type: 0, max_limit: -1, min_limit: -2 });
    const seen = async () => (await api.call('readPoints', { device_name: 'Demo PCS', points: [{ code: 'PCS_STATUS' }] })).data.items[0];
    await until(seen, (point) => point?.alarm === 'high' && point.quality === 'good');
    const { code, out, err } = await run('alarm-list.sh', [id]);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/^PCS_STATUS\t\d+\thigh\tgood$/m);
    expect(await run('alarm-list.sh', ['9999'])).toMatchObject({ code: 2, err: expect.stringContaining('9999') });
  });
});
