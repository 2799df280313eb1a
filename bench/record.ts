import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { createRecordThread } from '../src-main/app/record-thread.ts';
import { Threads } from '../src-main/platform/threads.ts';
import { recordLines } from '../src-main/services/check/record-lines.ts';
import { findBrowser } from '../tools/lib/browser.ts';
import { buildIfNeeded } from '../tools/lib/build.ts';
import { inRoot } from '../tools/lib/paths.ts';
import { recordOf } from './peers/record-source.ts';
import { type BenchResult, valueAtMost } from './result.ts';

const POINTS = 5_000;
/** To the first picture, with every row of the document there. */
const MOST_OPEN_MS = 2_000;
const TURNS = 3;
const MOST_PRINT_MS = 60_000;

/** The record of 5,000 points as HTML: how long it is made, how long a browser takes to show it, and to print it. */
export async function run(): Promise<BenchResult[]> {
  await buildIfNeeded();
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('no browser: install chromium, or set CHROMIUM to its path');
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-record-'));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const [from, to] = [join(folder, 'record.json'), join(folder, 'record.html')];
    writeFileSync(from, [...recordLines(recordOf(POINTS))].join(''));
    const began = performance.now();
    await createRecordThread(new Threads(), { dir: inRoot('out/record'), program: 'bench' }).make({
      format: 'html',
      from,
      to,
      language: 'en',
    });
    const made = performance.now() - began;
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn++)
      times.push(await opened(await browser.newPage({ viewport: { width: 1366, height: 768 } }), to));
    const size = `${Math.round(statSync(to).size / 2 ** 20)} MiB`;
    return [
      valueAtMost(`record: HTML of ${POINTS} points (${size}) made in a thread`, made, 'ms', 30_000),
      valueAtMost(
        `record: HTML of ${POINTS} points opened, all rows there and the first picture drawn`,
        Math.min(...times),
        'ms',
        MOST_OPEN_MS,
      ),
      await printed(await browser.newPage(), to),
    ];
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds from the asking to the first picture; throws where rows are missing. */
async function opened(page: Page, path: string): Promise<number> {
  const began = performance.now();
  await page.goto(`file://${path}`);
  const rows = await page.evaluate(`new Promise((done) => requestAnimationFrame(() => setTimeout(() =>
    done(document.documentElement.dataset.ready === 'true' ? document.querySelectorAll('.all tbody.point').length : 0))))`);
  const took = performance.now() - began;
  if (rows !== POINTS) throw new Error(`${String(rows)} rows instead of ${POINTS}`);
  await page.close();
  return took;
}

/** How long the document takes to become a PDF, with the evidence of all failures; throws where it is shorter than its points can be. */
async function printed(page: Page, path: string): Promise<BenchResult> {
  await page.goto(`file://${path}`);
  const began = performance.now();
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  const took = performance.now() - began;
  const pages = Math.max(...[...pdf.toString('latin1').matchAll(/\/Count (\d+)/g)].map(([, count]) => Number(count)));
  if (!(pages > POINTS / 100)) throw new Error(`${pages} pages for ${POINTS} points`);
  return valueAtMost(`record: HTML of ${POINTS} points printed, ${pages} pages`, took, 'ms', MOST_PRINT_MS);
}
