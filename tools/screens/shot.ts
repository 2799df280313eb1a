import type { Locator, Page } from '@playwright/test';

/** A screen that is pictured, by what leads to it. Nothing of it hangs on the language. */
export interface Shot {
  readonly name: string;
  /** Channel that is chosen before; null: none. */
  readonly channel: string | null;
  /** The cabinet is known beside the service of the page. */
  readonly isOverServices?: boolean;
  reach(page: Page): Promise<unknown>;
}

/** Another service, and the channel that it has: a served device with one point. */
export const CABINET = { name: 'Cabinet 7', channel: 'Feeder 7', point: 'FDR7_P' } as const;

/** A cell of the row of a point. */
export const cell = (page: Page, code: string, column = 'code'): Locator => page.locator(`[data-code="${code}"] [data-column="${column}"]`);

export const tab = (page: Page, name: string): Promise<void> => page.getByTestId(`tab-${name}`).click();

/** Narrows the point table to a point, and selects it. */
export async function find(page: Page, code: string): Promise<void> {
  await page.getByRole('searchbox').fill(code);
  await cell(page, code).click();
}

/** Selects rows from the row of a point on downwards. */
export async function selectFrom(page: Page, code: string, more: number): Promise<void> {
  await cell(page, code).click();
  for (let step = 0; step < more; step++) await page.keyboard.press('Shift+ArrowDown');
}

/** Calls the service beside the screen. */
export async function call(page: Page, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<unknown> {
  const init = JSON.stringify({
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return page.evaluate(`fetch(${JSON.stringify(url)}, ${init}).then((reply) => reply.json()).then(({ data }) => data)`);
}
