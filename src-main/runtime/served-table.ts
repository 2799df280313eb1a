import type { DriverConnection, PointsEdit, StagedTable } from '../drivers/spi/index.ts';
import type { Device } from './device.ts';
import { changedConfigs } from './values/configs-in-turns.ts';
import type { CheckedChange, PointStore, TableChange } from './values/point-table.ts';

/** Tables up to this size are made anew in a few milliseconds, whatever serves them. */
const MADE_AT_ONCE = 1_000;
/** The connection is another one, and the table is made for that one again, at most so often; behind that it is made at once. */
const MOST_ATTEMPTS = 3;
/** Points that are read of what we serve before other work gets its turn. */
const READ_A_TURN = 64;

interface ServedTableOptions {
  readonly points: PointStore;
  readonly device: Pick<Device, 'readServed'>;
  /** The connection that knows the table, and has to be told of its changes; null without one. */
  connection(): DriverConnection | null;
  /** True while a connection that serves the table is on its way: what a change means to it is not known before it stands. */
  isBeginning(): boolean;
  /** Settles when no connection that serves the table is on its way, and none is to be closed. */
  settled(): Promise<void>;
}

/** Brings changes of the table to the connection that serves it; large ones are made aside first. */
export class ServedTable {
  readonly #options: ServedTableOptions;
  /** What is ready to be taken over, from `show` to `changed`. */
  #shown: Staged | null = null;

  constructor(options: ServedTableOptions) {
    this.#options = options;
  }

  isLongToServe({ removed, changed, added, restored = [] }: CheckedChange): boolean {
    const { points, connection, isBeginning } = this.#options;
    if (points.size + added.length + restored.length <= MADE_AT_ONCE) return false;
    const standing = connection();
    if (!standing) return isBeginning();
    if (!standing.stageTable) return false;
    // a connection takes added points to be behind all others: these come among them
    if (restored.length > 0) return true;
    const pairs = changed.flatMap((after) => {
      const before = points.config(after.id);
      return before ? [{ before, after }] : [];
    });
    return standing.isMadeAnew?.(pairs, removed.length + added.length) ?? false;
  }

  /** Makes a change beside the table and beside what is served, behind a start that is under way; as `ChannelRuntime.stagePoints`. */
  async stage(change: TableChange, breathe: () => Promise<void>) {
    const { points, connection, settled } = this.#options;
    const show = await points.stage(change, breathe);
    let staged: Staged = { connection: connection(), table: null, renewed: [] };
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      await settled();
      const standing = connection();
      staged = { connection: standing, table: null, renewed: [] };
      if (!standing?.stageTable) break;
      const configs = await changedConfigs(points, change, breathe);
      staged = { ...staged, table: await standing.stageTable(configs, breathe) };
      if (connection() === standing) break;
    }
    return {
      show: () => {
        show();
        this.#shown = staged;
      },
      told: async () => {
        const { table, renewed } = staged;
        if (staged.connection !== connection()) return;
        await table?.tell?.(breathe);
        for (let from = 0; from < renewed.length; from += READ_A_TURN) {
          this.#options.device.readServed(renewed.slice(from, from + READ_A_TURN));
          await breathe();
        }
      },
    };
  }

  /** The points of the store changed; tells the connection. `isServing`: what is served for points that are read otherwise now is shown. */
  changed(edit: PointsEdit | undefined, isServing: boolean): void {
    const { points, device, connection } = this.#options;
    const renewed = points.takeRenewed();
    const standing = connection();
    const staged = this.#shown;
    this.#shown = null;
    if (staged?.table && staged.connection === standing) {
      staged.table.takeOver();
      staged.renewed = renewed;
      return;
    }
    if (standing) {
      if (edit && standing.pointsEdited) standing.pointsEdited(edit);
      else standing.pointsChanged(points.configs());
    }
    if (isServing) device.readServed(renewed);
  }
}

interface Staged {
  readonly connection: DriverConnection | null;
  readonly table: StagedTable | null;
  /** Points whose readings are to be shown anew. */
  renewed: readonly number[];
}
