import { NewPoint } from '#shared/contract/points.ts';
import { FrameType } from '#shared/domain/enums.ts';
import bms from '../../../resources/demo/bms.json' with { type: 'json' };
import bmsSilent from '../../../resources/demo/bms-silent.json' with { type: 'json' };
import io from '../../../resources/demo/io.json' with { type: 'json' };
import meter from '../../../resources/demo/meter.json' with { type: 'json' };
import pcs from '../../../resources/demo/pcs.json' with { type: 'json' };
import plant from '../../../resources/demo/plant.json' with { type: 'json' };

/** A point as it is added: what has its usual value is left out. */
export type AddedPoint = Partial<NewPoint> & Pick<NewPoint, 'frame_type' | 'code'>;

const { frame_type: _type, code: _code, ...USUAL } = NewPoint.parse({ frame_type: FrameType.yc, code: 'ANY' });

/** The point with everything that its row leaves out. Rows of the demo are not held against the contract at each start: tests do it. */
export function fullPoint(row: AddedPoint): NewPoint {
  return { ...USUAL, ...row };
}

/**
 * A row of the tables in resources/demo. `{d}` in texts is the device's digit, `{n}` the running number of a repeated row.
 * `served` false: only the client has the point. `view`: a second look at registers that other points fill. `initial`: first value of an order.
 */
export interface TableRow extends AddedPoint {
  readonly served?: boolean;
  readonly view?: boolean;
  readonly initial?: number;
  readonly repeat?: number;
  readonly step?: number;
}

/** A file of resources/demo with points. */
export interface PlantTable {
  readonly devices: readonly { readonly unit: number; readonly digit: string; readonly item: string }[];
  readonly points: readonly TableRow[];
}

export const PLANT_TABLES = { pcs, bms, 'bms-silent': bmsSilent, meter, io } as unknown as Readonly<Record<string, PlantTable>>;

export interface PlantPoint {
  readonly point: NewPoint;
  /** False for points only the client's table has. */
  readonly isServed: boolean;
  /** True when the simulation sets this point; false for views and orders. */
  readonly isFed: boolean;
  /** First value of an order (YK, YT); null for everything else. */
  readonly initial: number | null;
  /** The device that serves this position moves it itself when it is commanded; that is an order to the plant. Left out: it does not. */
  readonly isCommanded?: boolean;
}

export interface PlantClient {
  readonly name: string;
  readonly note: string;
  readonly timeoutMs: number;
  readonly cycleIntervalMs: number;
  readonly points: readonly PlantPoint[];
}

export interface PlantDefinition {
  readonly server: { readonly name: string; readonly note: string; readonly preferredPort: number };
  readonly clients: readonly PlantClient[];
}

function expandRow(row: TableRow, device: PlantTable['devices'][number]): PlantPoint[] {
  const { served = true, view = false, initial, repeat = 1, step = 1, ...settings } = row;
  return Array.from({ length: repeat }, (_, index) => {
    const fill = (text: string) => text.replaceAll('{d}', device.digit).replaceAll('{n}', `${index + 1}`);
    const point = fullPoint({
      ...settings,
      code: fill(settings.code),
      name: fill(settings.name ?? settings.code),
      note: fill(settings.note ?? ''),
      related_code: fill(settings.related_code ?? ''),
      address: (settings.address ?? 0) + index * step,
      slave_id: device.unit,
      item: device.item,
    });
    return { point, isServed: served, isFed: served && !view && initial === undefined, initial: initial ?? null };
  });
}

function expandTable({ devices, points }: PlantTable): PlantPoint[] {
  return devices.flatMap((device) => points.flatMap((row) => expandRow(row, device)));
}

/** The definition of the demo plant. */
export function loadPlant(): PlantDefinition {
  const tables = new Map(Object.entries(PLANT_TABLES).map(([name, table]) => [name, expandTable(table)]));
  const { server, clients } = plant;
  return {
    server: { name: server.name, note: server.note, preferredPort: server.port },
    clients: clients.map((client) => ({
      name: client.name,
      note: client.note,
      timeoutMs: client.timeout_ms,
      cycleIntervalMs: client.cycle_interval_ms,
      points: client.tables.flatMap((name) => {
        const points = tables.get(name);
        if (!points) throw new RangeError(`The demo plant has no table ${name}.`);
        return points;
      }),
    })),
  };
}
