import { z } from 'zod';
import { NewPoint } from '#shared/contract/points.ts';
import bms from '../../../resources/demo/bms.json' with { type: 'json' };
import bmsSilent from '../../../resources/demo/bms-silent.json' with { type: 'json' };
import io from '../../../resources/demo/io.json' with { type: 'json' };
import meter from '../../../resources/demo/meter.json' with { type: 'json' };
import pcs from '../../../resources/demo/pcs.json' with { type: 'json' };
import plant from '../../../resources/demo/plant.json' with { type: 'json' };

/**
 * A row of the tables in resources/demo. `{d}` in texts is the device's digit, `{n}` the running number of a repeated row.
 * `served` false: only the client has the point. `view`: a second look at registers that other points fill. `initial`: first value of an order.
 */
const TableRow = NewPoint.extend({
  served: z.boolean().default(true),
  view: z.boolean().default(false),
  initial: z.number().optional(),
  repeat: z.int().min(1).default(1),
  step: z.int().min(1).default(1),
}).strict();

const Table = z.object({
  devices: z.array(z.object({ unit: z.int().min(1).max(247), digit: z.string(), item: z.string() }).strict()),
  points: z.array(TableRow),
});

const Plant = z.object({
  server: z.object({ name: z.string(), port: z.int(), note: z.string() }).strict(),
  clients: z.array(
    z.object({ name: z.string(), tables: z.array(z.string()), timeout_ms: z.int(), cycle_interval_ms: z.int(), note: z.string() }).strict(),
  ),
});

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

type Row = z.output<typeof TableRow>;

function expandRow(row: Row, device: { unit: number; digit: string; item: string }): PlantPoint[] {
  const { served, view, initial, repeat, step, ...settings } = row;
  return Array.from({ length: repeat }, (_, index) => {
    const fill = (text: string) => text.replaceAll('{d}', device.digit).replaceAll('{n}', `${index + 1}`);
    const point: NewPoint = {
      ...settings,
      code: fill(settings.code),
      name: fill(settings.name ?? settings.code),
      note: fill(settings.note),
      related_code: fill(settings.related_code),
      address: (settings.address ?? 0) + index * step,
      slave_id: device.unit,
      item: device.item,
    };
    return { point, isServed: served, isFed: served && !view && initial === undefined, initial: initial ?? null };
  });
}

function expandTable(source: unknown): PlantPoint[] {
  const table = Table.parse(source);
  return table.devices.flatMap((device) => table.points.flatMap((row) => expandRow(row, device)));
}

/** Reads the definition of the demo plant; throws when a table is wrong. */
export function loadPlant(): PlantDefinition {
  const tables = new Map(
    Object.entries({ pcs, bms, 'bms-silent': bmsSilent, meter, io }).map(([name, table]) => [name, expandTable(table)]),
  );
  const { server, clients } = Plant.parse(plant);
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
