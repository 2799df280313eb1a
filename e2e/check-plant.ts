import { expect } from './fixtures.ts';
import { freePort } from './peer.ts';
import type { Screen } from './screen.ts';

/** A point as the API takes it. */
export interface PlantPoint {
  readonly frame_type: 0 | 1 | 2 | 3;
  readonly code: string;
  readonly name?: string;
  readonly address: number;
  readonly decode: string;
  readonly mul_coe?: number;
  readonly unit?: string;
  readonly related_code?: string;
}

export const yc = (code: string, address: number, rest: Partial<PlantPoint> = {}): PlantPoint => ({
  frame_type: 0,
  code,
  address,
  decode: '0x21',
  ...rest,
});
export const yx = (code: string, address: number): PlantPoint => ({ frame_type: 1, code, address, decode: '0x20' });
export const yk = (code: string, address: number, related_code: string): PlantPoint => ({
  frame_type: 2,
  code,
  address,
  decode: '0x20',
  related_code,
});

interface Row {
  readonly id: number;
  readonly code: string;
  readonly frame_type: number;
}

/** Time of a round of reads. */
const CYCLE_MS = 200;

/** A device of the demo's program whose table is right, and a channel that reads it with whatever is wrong; over the API, so that a spec is about the pages. */
export class CheckPlant {
  readonly device: string;
  readonly reader: string;
  readonly #view: Screen;
  #servedAt = 0;
  readonly #ids: readonly [number, number];

  private constructor(view: Screen, name: string, ids: readonly [number, number]) {
    this.#view = view;
    this.#ids = ids;
    this.device = `${name} device`;
    this.reader = name;
  }

  static async open(view: Screen, name: string, served: readonly PlantPoint[], read: readonly PlantPoint[]): Promise<CheckPlant> {
    const port = await freePort();
    const add = async (rest: object, points: readonly PlantPoint[]) => {
      const { id } = (await view.api('POST', '/api/channel/add', { protocol_type: 1, port, timeout_ms: 1000, ...rest })) as Row;
      await view.api('POST', '/api/device/add_points', { channel_id: id, points });
      await view.api('POST', '/api/device/start', { channel_id: id });
      return id;
    };
    const device = await add({ name: `${name} device`, conn_type: 1 }, served);
    const reader = await add({ name, conn_type: 2 }, read);
    const plant = new CheckPlant(view, name, [device, reader]);
    await expect.poll(async () => (await plant.#statuses()).join()).toBe('running,running');
    return plant;
  }

  async #statuses(): Promise<readonly string[]> {
    const channels = (await this.#view.api('GET', '/api/channel/list')) as readonly { id: number; status: string }[];
    return this.#ids.map((id) => channels.find((channel) => channel.id === id)?.status ?? '');
  }

  /** Reads all the time. */
  async poll(): Promise<void> {
    await this.#view.api('POST', '/api/devices/start-auto-read', { device_name: this.reader, cycle_interval_ms: CYCLE_MS });
  }

  async #rows(channel: number): Promise<readonly Row[]> {
    return ((await this.#view.api('GET', `/api/device/table?channel_id=${channel}&page=1&page_size=1000`)) as { items: readonly Row[] })
      .items;
  }

  /** Sets what the device has. */
  async serve(values: Readonly<Record<string, number>>): Promise<void> {
    const rows = await this.#rows(this.#ids[0]);
    for (const [code, value] of Object.entries(values)) {
      const row = rows.find((each) => each.code === code);
      await this.#view.api('PUT', '/api/device/update_point', { point_id: row?.id, frame_type: row?.frame_type, value });
    }
  }

  /** Waits until the reader has this value. */
  isRead(code: string, value: number): Promise<void> {
    return this.#has(this.#ids[1], code, value);
  }

  /** Waits until the device has this value, and begins to count since. */
  async isServed(code: string, value: number): Promise<void> {
    await this.#has(this.#ids[0], code, value);
    this.#servedAt = performance.now();
  }

  /** Since a value was served last, in seconds. */
  get sinceServed(): number {
    return (performance.now() - this.#servedAt) / 1000;
  }

  async #has(channel: number, code: string, value: number): Promise<void> {
    const url = `/api/device/table?channel_id=${channel}&search=${code}&page=1&page_size=10`;
    const read = async () => {
      const { items } = (await this.#view.api('GET', url)) as { items: readonly (Row & { value: number })[] };
      return items.find((each) => each.code === code)?.value;
    };
    await expect.poll(read).toBe(value);
  }

  /** A session over the points of the reader, shown on the pages. `edits`: expectations by code. */
  async session(edits: Readonly<Record<string, object>> = {}): Promise<number> {
    const { id } = (await this.#view.api('POST', '/api/check/add', { name: this.reader })) as Row;
    await this.#view.api('POST', '/api/check/add_items', { session_id: id, channel_id: this.#ids[1] });
    const { items } = (await this.#view.api('GET', `/api/check/items?session_id=${id}&page_size=1000`)) as {
      items: readonly { item: string; code: string }[];
    };
    for (const [code, expectation] of Object.entries(edits)) {
      const item = items.find((each) => each.code === code)?.item;
      await this.#view.api('PUT', '/api/check/edit_items', { session_id: id, items: [item], expectation });
    }
    await this.#view.page.evaluate(`location.hash = '#/check/${id}'`);
    await expect(this.#view.page.getByTestId('check-session-view')).toBeVisible();
    return id;
  }

  /** Ends what runs, and takes the channels away. */
  async close(): Promise<void> {
    await this.#view.api('POST', '/api/check/stop', {});
    for (const id of [...this.#ids].reverse()) await this.#view.api('DELETE', `/api/channel/delete?channel_id=${id}`);
  }
}

/** Chinese pages from here on. */
export async function inChinese({ page }: Screen): Promise<void> {
  await page.getByTestId('language').click();
  await page.getByRole('menuitem', { name: '中文' }).click();
}
