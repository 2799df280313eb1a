import { expect, type Locator, type Page } from '@playwright/test';
import type { ApiReply } from '../src-shared/client/client.ts';
import type { Surroundings } from './surroundings.ts';

/** Client channels of the demo with the cycle they are read in. */
const DEMO_CLIENTS = [
  ['Demo PCS', 1000],
  ['Demo BMS', 2000],
  ['Demo meter', 1000],
] as const;

interface Envelope {
  readonly code: number;
  readonly data: unknown;
}

/** The pages as a person uses them, with the words of the field. */
export class Screen {
  readonly page: Page;
  /** False in the desktop window, whose pages reach the service without HTTP. */
  readonly isBrowser: boolean;
  readonly around: Surroundings;

  constructor(page: Page, isBrowser: boolean, around: Surroundings) {
    this.page = page;
    this.isBrowser = isBrowser;
    this.around = around;
  }

  /** Opens the pages in English with nothing remembered. */
  async open(): Promise<void> {
    if (this.isBrowser) {
      // A browser page of a spec is new: nothing is remembered, and its language is English.
      await this.page.goto('/');
      await expect(this.page.getByTestId('channel-list')).toBeVisible();
      return;
    }
    // the address remembers channel and tab of the spec before
    await this.page.evaluate(`localStorage.clear(); sessionStorage.clear(); localStorage.setItem('loopcheck.language', 'en');
      history.replaceState(null, '', location.pathname)`);
    await this.reload();
  }

  /** Reloads the page, as a person does after a crash of the browser. */
  async reload(): Promise<void> {
    await this.page.reload();
    await expect(this.page.getByTestId('channel-list')).toBeVisible();
  }

  /** Leaves the pages as far as can be, and comes back. */
  async leaveAndReturn(): Promise<void> {
    if (this.isBrowser) {
      await this.page.goto('about:blank');
      await this.page.goBack();
    }
    await this.reload();
  }

  /** Waits until nothing fades or slides any more: half-transparent text has no honest contrast. */
  async settle(): Promise<void> {
    await this.page.evaluate(`(async () => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await frame();
      await frame();
      const ends = document.getAnimations().filter((item) => item.effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ends.map((item) => item.finished));
      await frame();
    })()`);
  }

  /** Calls the service through the door of this page, beside the screen. */
  async api(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<unknown> {
    const request = JSON.stringify({ method, url, ...(body === undefined ? {} : { body }) });
    const call = `(async (request) => {
      if (window.loopcheck) return window.loopcheck.api(request);
      const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await fetch(request.url, { method: request.method, headers, body: JSON.stringify(request.body) });
      return { status: response.status, body: await response.json() };
    })(${request})`;
    const reply = (await this.page.evaluate(call)) as ApiReply;
    return (reply.body as Envelope).data;
  }

  channel(name: string): Locator {
    return this.page.locator(`[data-channel="${name}"]`);
  }

  async choose(name: string): Promise<void> {
    await this.channel(name).getByRole('button', { name }).first().click();
    await expect(this.page.getByTestId('channel-header')).toContainText(name);
    await this.steady();
  }

  /** Waits until what is above the tabs has come: a click while they move would miss. */
  async steady(): Promise<void> {
    await this.page.evaluate(`(async () => {
      const top = () => document.querySelector('[role=tablist]')?.getBoundingClientRect().top;
      let last = top();
      for (let since = performance.now(); performance.now() - since < 300; ) {
        await new Promise((resolve) => requestAnimationFrame(resolve));
        if (top() === last) continue;
        last = top();
        since = performance.now();
      }
    })()`);
  }

  async tab(name: 'points' | 'model' | 'frames' | 'line' | 'tools' | 'events' | 'audit' | 'trends'): Promise<void> {
    await this.page.getByTestId(`tab-${name}`).click();
  }

  row(code: string): Locator {
    return this.page.locator(`[data-testid="point-row"][data-code="${code}"]`);
  }

  value(code: string): Locator {
    return this.row(code).getByTestId('value');
  }

  quality(code: string): Locator {
    return this.row(code).getByTestId('quality');
  }

  /** Narrows the table to the point, and waits until it is: what is selected before the filter has come would be let go by it. */
  async find(code: string): Promise<void> {
    await this.page.getByRole('searchbox').fill(code);
    await expect(this.row(code)).toBeVisible();
    const shown = "[...document.querySelectorAll('[data-testid=point-row]')].map((row) => row.dataset.code)";
    await expect.poll(async () => ((await this.page.evaluate(shown)) as string[]).every((each) => each.includes(code))).toBe(true);
  }

  async select(code: string): Promise<void> {
    await this.row(code).locator('[data-column="code"]').click();
  }

  /** Opens the explanation of the last frame of a kind. The list may still be on its way to its end, and take the row from under the pointer. */
  async explain(kind: string): Promise<void> {
    const last = this.page.locator(`[data-testid="frame-row"][data-kind="${kind}"]`).last();
    await expect(async () => {
      await last.click({ timeout: 5_000 });
      await expect(this.page.getByTestId('explain-tree')).toBeVisible({ timeout: 5_000 });
      await expect(last).toHaveAttribute('aria-selected', 'true', { timeout: 1_000 });
    }).toPass();
  }

  /** A field of a form by its contract name. */
  field(name: string): Locator {
    return this.page.locator(`[data-path="${name}"]`);
  }

  get auto(): Locator {
    return this.page.getByTestId('auto-state');
  }

  /** Completed rounds of the automatic task, as shown. */
  async rounds(): Promise<number> {
    return Number((await this.page.getByTestId('auto-rounds').innerText()).replace(/\D/g, ''));
  }

  async startAutomatic(): Promise<void> {
    await this.page.getByTestId('auto-start').click();
    await expect(this.auto).toHaveAttribute('data-state', 'running');
  }

  async stopAutomatic(): Promise<void> {
    await this.page.getByTestId('auto-stop').click();
    await expect(this.auto).toHaveAttribute('data-state', 'idle');
  }

  /** Leaves the channels of the demo as they were found: read automatically, whatever a spec has done to them. */
  async restoreTasks(): Promise<void> {
    for (const [name, cycleMs] of DEMO_CLIENTS) {
      const device = { device_name: name };
      await this.api('POST', '/api/devices/stop-manual-read', device);
      await this.api('POST', '/api/devices/stop-auto-read', device);
      await this.api('POST', '/api/devices/start-auto-read', { ...device, cycle_interval_ms: cycleMs });
    }
  }
}
