import type { CDPSession, Page } from '@playwright/test';

const FRAMES = 240;
const STEPS = 60;

/** Milliseconds between frames while `step`, the text of a function of the number of the frame, is called in the page before each. */
export function frameTimes(page: Page, step: string): Promise<number[]> {
  return page.evaluate(`(async () => {
    const step = (${step});
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let count = 0; count < 30; count++) await frame();
    const times = [];
    let before = await frame();
    for (let count = 0; count < ${FRAMES}; count++) {
      step(count);
      const now = await frame();
      times.push(now - before);
      before = now;
    }
    return times;
  })()`);
}

/** The text of a step that scrolls a box by so many pixels; `find` is the text of what answers it. */
export function scrollStep(find: string, px: number): string {
  return `((box) => () => { box.scrollTop += ${px}; })((${find})())`;
}

/** Makes a list that lies over the page, or takes it away. */
export function stillList(isThere: boolean): string {
  if (!isThere) return `() => document.getElementById('still')?.remove()`;
  return `() => {
    const box = document.createElement('div');
    box.id = 'still';
    box.style.cssText = 'position:fixed;inset:100px 0 0 0;overflow:auto;background:white;z-index:9';
    for (let row = 0; row < 5000; row++) {
      const line = document.createElement('div');
      line.style.cssText = 'height:24px;white-space:nowrap';
      line.textContent = 'P' + row + '   Point ' + row + '   ' + 'value '.repeat(10);
      box.append(line);
    }
    document.body.append(box);
    return box;
  }`;
}

/** A session that measures the thread of the page. */
export async function measuring(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

/** Processor time of the thread of the page for one step, in milliseconds, less what goes on without steps. */
export async function cost(page: Page, session: CDPSession, step: () => Promise<void>): Promise<number> {
  const frames = () => page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const measure = async (each: () => Promise<void>) => {
    const [spentBefore, began] = [await metric(session, 'TaskDuration'), performance.now()];
    for (let count = 0; count < STEPS; count++) {
      await each();
      await frames();
    }
    return { spent: 1000 * ((await metric(session, 'TaskDuration')) - spentBefore), took: performance.now() - began };
  };
  const idle = await measure(async () => undefined);
  for (let count = 0; count < 5; count++) await step();
  const busy = await measure(step);
  return (busy.spent - (idle.spent / idle.took) * busy.took) / STEPS;
}

/** Octets of objects of the page that are still needed. */
export async function heapOctets(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  return metric(session, 'JSHeapUsedSize');
}

async function metric(session: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}
