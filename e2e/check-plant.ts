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
}

export const yc = (code: string, address: number, rest: Partial<PlantPoint> = {}): PlantPoint => ({
  frame_type: 0,
  code,
  address,
  decode: '0x21',
  ...rest,
});
export const yx = (code: string, address: number): PlantPoint => ({ frame_type: 1, code, address, decode: '0x20' });

interface Row {
  readonly id: number;
  readonly code: string;
  readonly frame_type: number;
  readonly [field: string]: unknown;
}

/** What is wrong in the table of the channel that reads, by code: fields of a point. */
type Faults = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Time of a round of reads. */
const CYCLE_MS = 200;

/** A device of the demo's program whose table is right, and a channel that reads it with whatever is wrong; over the API, so that a spec is about the pages. */
export class CheckPlant {
  readonly device: string;
  readonly reader: string;
  readonly #view: Screen;
  readonly #ids: readonly [number, number];
  /** Puts back what was planted. */
  #putBack: () => Promise<void> = async () => {
    for (const id of [...this.#ids].reverse()) await this.#view.api('DELETE', `/api/channel/delete?channel_id=${id}`);
  };

  private constructor(view: Screen, device: string, reader: string, ids: readonly [number, number]) {
    this.#view = view;
    this.#ids = ids;
    this.device = device;
    this.reader = reader;
  }

  /** The demo plant and one of its channels, which is read all the time already; faults are planted in the table of that channel, and taken out again by `close`. */
  static async demo(view: Screen, reader: string, faults: Faults = {}): Promise<CheckPlant> {
    const channels = (await view.api('GET', '/api/channel/list')) as readonly (Row & { name: string })[];
    const idOf = (name: string) => channels.find((each) => each.name === name)?.id ?? 0;
    const plant = new CheckPlant(view, 'Demo plant', reader, [idOf('Demo plant'), idOf(reader)]);
    const right = new Map((await plant.#rows(plant.#ids[1])).map((row) => [row.code, row]));
    const edit = async (code: string, fields: Readonly<Record<string, unknown>>) => {
      const { id, frame_type } = right.get(code) ?? {};
      await view.api('PUT', '/api/device/edit_point', { point_id: id, frame_type, ...fields });
    };
    plant.#putBack = async () => {
      for (const [code, fields] of Object.entries(faults)) {
        const row = right.get(code);
        await edit(code, Object.fromEntries(Object.keys(fields).map((field) => [field, row?.[field]])));
      }
    };
    for (const [code, fields] of Object.entries(faults)) await edit(code, fields);
    return plant;
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
    const plant = new CheckPlant(view, `${name} device`, name, [device, reader]);
    await expect.poll(async () => (await plant.#statuses()).join()).toBe('running,running');
    return plant;
  }

  /** The addresses of a channel's table, by code. */
  static async addresses(view: Screen, channel: string): Promise<(code: string) => number> {
    const channels = (await view.api('GET', '/api/channel/list')) as readonly (Row & { name: string })[];
    const id = channels.find(({ name }) => name === channel)?.id;
    const url = `/api/device/table?channel_id=${id}&page=1&page_size=1000`;
    const { items } = (await view.api('GET', url)) as { items: readonly (Row & { address: string })[] };
    return (code) => Number(items.find((row) => row.code === code)?.address);
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

  async #has(channel: number, code: string, value: number): Promise<void> {
    const url = `/api/device/table?channel_id=${channel}&search=${code}&page=1&page_size=10`;
    const read = async () => {
      const { items } = (await this.#view.api('GET', url)) as { items: readonly (Row & { value: number })[] };
      return items.find((each) => each.code === code)?.value;
    };
    await expect.poll(read).toBe(value);
  }

  /** A session over the points of the reader, shown on the pages. `edits`: expectations by code; `only`: the points that are wanted of many. */
  async session(edits: Readonly<Record<string, object>> = {}, only?: readonly string[]): Promise<number> {
    const { id } = (await this.#view.api('POST', '/api/check/add', { name: this.reader })) as Row;
    await this.#view.api('POST', '/api/check/add_items', { session_id: id, channel_id: this.#ids[1] });
    const { items } = (await this.#view.api('GET', `/api/check/items?session_id=${id}&page_size=1000`)) as {
      items: readonly { item: string; code: string }[];
    };
    const others = items.filter(({ code }) => only && !only.includes(code)).map(({ item }) => item);
    if (others.length > 0) await this.#view.api('POST', '/api/check/remove_items', { session_id: id, items: others });
    for (const [code, expectation] of Object.entries(edits)) {
      const item = items.find((each) => each.code === code)?.item;
      await this.#view.api('PUT', '/api/check/edit_items', { session_id: id, items: [item], expectation });
    }
    await this.#view.page.evaluate(`location.hash = '#/check/${id}'`);
    await expect(this.#view.page.getByTestId('check-session-view')).toBeVisible();
    return id;
  }

  /** Ends what runs, and takes away what was made or planted for it. */
  async close(): Promise<void> {
    await this.#view.api('POST', '/api/check/stop', {});
    await this.#putBack();
  }
}

/** Chinese pages from here on. */
export async function inChinese({ page }: Screen): Promise<void> {
  await page.getByTestId('language').click();
  await page.getByRole('menuitem', { name: '中文' }).click();
}
