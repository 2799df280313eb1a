/** The command line as a process of its own: pipes, signals, exit codes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../testing/running-core.ts';
import { type Plant, startPlant } from './testing/plant.ts';

const ENTRY = join(import.meta.dirname, '../../headless.ts');
let plant: Plant;
beforeAll(async () => {
  plant = await startPlant();
  await plant.serve('P', 5);
});
afterAll(() => plant.running.close());

function start(...args: string[]) {
  const child = spawn(process.execPath, [ENTRY, ...args, ...plant.place], { env: { ...process.env, LC_ALL: 'C', LOOPCHECK_TOKEN: '' } });
  const seen = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    seen.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    seen.err += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...seen }));
  return { child, seen, ended };
}

async function readers(): Promise<number> {
  const text = await (await fetch(`${plant.running.url}/api/metrics`)).text();
  return Number(/^loopcheck_stream_readers (\d+)$/m.exec(text)?.[1]);
}

describe('a process', () => {
  it('writes its whole output into a pipe before it ends', async () => {
    const { code, out, err } = await start('read', '--device', `Served ${plant.pair.port}`, '--json').ended;
    // the others were never set
    expect([code, err]).toEqual([3, '']);
    expect(JSON.parse(out)).toMatchObject({ items: [{ code: 'P', value: 5 }, { code: 'Q' }, { code: 'S' }] });
  });

  it.skipIf(process.platform === 'win32').each([
    ['SIGINT', [], 0],
    ['SIGINT', ['--count', '100'], 130],
    ['SIGTERM', ['--count', '100'], 143],
  ] as const)('a watch ended by %s, %j: exit code %i, and no reader is left', async (signal, args, wanted) => {
    const { child, ended } = start('watch', '--device', `Served ${plant.pair.port}`, ...args);
    await until(readers, (count) => count === 1);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: wanted, err: '' });
    await until(readers, (count) => count === 0);
  });

  it('a watch whose reader goes away ends with exit code 0 at its next line', async () => {
    const { child, seen, ended } = start('watch', '--device', `Served ${plant.pair.port}`);
    await until(
      async () => seen.out.split('\n').length,
      (lines) => lines > 3,
    );
    child.stdout.destroy();
    let value = 5;
    const isEnded = await until(
      async () => {
        value += 1;
        await plant.serve('P', value);
        return child.exitCode;
      },
      (code) => code !== null,
    );
    expect([isEnded, (await ended).err]).toEqual([0, '']);
  });

  it('an unknown word: says which commands there are, exit code 2', async () => {
    expect(await start('raed', 'P').ended).toMatchObject({
      code: 2,
      out: '',
      err: 'error: There is no command "raed". Commands: read, write, watch, scan, export, import, check, verify.\n',
    });
  });
});
