import { Turns } from '../platform/turns.ts';
import type { StoreFile } from './store-file.ts';

/** Points of one slice: some milliseconds to delete. */
const POINTS_A_SLICE = 1_000;
/** Parts of steps of one slice: half a megabyte. */
const PARTS_A_SLICE = 16;

/**
 * Rows that nobody can see any more: those of removed channels, parts of large changes that were forgotten, and steps that fell out of the journal. Deleted at once they would hold the
 * file, and the thread, for a quarter of a second; so they go slice by slice behind the change that made them so.
 */
export class RemovedRows {
  readonly #file: StoreFile;
  readonly #statements;
  #sweeping: Promise<void> | null = null;

  constructor(file: StoreFile) {
    const { db } = file;
    this.#file = file;
    this.#statements = {
      markChannel: db.prepare<[number]>('INSERT INTO removed_channels (channel_id) VALUES (?)'),
      removeChannel: db.prepare<[number]>('DELETE FROM channels WHERE id = ?'),
      removeSum: db.prepare<[number]>('DELETE FROM channel_sums WHERE channel_id = ?'),
      removeDocument: db.prepare<[number]>('DELETE FROM documents WHERE channel_id = ?'),
      removeSetpoints: db.prepare<[number]>('DELETE FROM touched_setpoints WHERE channel_id = ?'),
      // what is confirmed for a channel that is gone will never be carried over
      forgetLoads: db.prepare<[number]>('UPDATE point_loads SET is_confirmed = -1 WHERE channel_id = ?'),
      // a step that moved points from or to a channel that is still there says why it cannot be undone
      forgetSteps: db.prepare<[number]>(
        `UPDATE point_steps SET state = -1 WHERE id IN (SELECT step_id FROM point_step_channels WHERE channel_id = ?)
         AND id NOT IN (SELECT step_id FROM point_step_channels WHERE channel_id IN (SELECT id FROM channels))`,
      ),
      nextChannel: db.prepare<[], number>('SELECT channel_id FROM removed_channels LIMIT 1').pluck(),
      dropPoints: db.prepare<[number]>(
        `DELETE FROM points WHERE id IN (SELECT id FROM points WHERE channel_id = ? ORDER BY id LIMIT ${POINTS_A_SLICE})`,
      ),
      channelDone: db.prepare<[number]>('DELETE FROM removed_channels WHERE channel_id = ?'),
      nextLoad: db.prepare<[], number>('SELECT id FROM point_loads WHERE is_confirmed = -1 LIMIT 1').pluck(),
      dropPart: db.prepare<[number]>(
        'DELETE FROM point_load_parts WHERE (load_id, part) IN (SELECT load_id, part FROM point_load_parts WHERE load_id = ? LIMIT 1)',
      ),
      loadDone: db.prepare<[number]>('DELETE FROM point_loads WHERE id = ?'),
      nextStep: db.prepare<[], number>('SELECT id FROM point_steps WHERE state = -1 LIMIT 1').pluck(),
      dropStepPart: db.prepare<[number]>(
        `DELETE FROM point_step_parts WHERE rowid IN (SELECT rowid FROM point_step_parts WHERE step_id = ? LIMIT ${PARTS_A_SLICE})`,
      ),
      stepDone: db.prepare<[number]>('DELETE FROM point_steps WHERE id = ?'),
    };
  }

  /** Removes the row of a channel and leaves the rows that belong to it to the sweeping; one short change. */
  removeChannel(id: number): void {
    const { markChannel, removeChannel, removeSum, removeDocument, removeSetpoints, forgetLoads, forgetSteps } = this.#statements;
    // the points would all go with their channel in the same step
    this.#file.db.pragma('foreign_keys = OFF');
    try {
      this.#file.change(() => {
        removeChannel.run(id);
        removeSum.run(id);
        removeDocument.run(id);
        removeSetpoints.run(id);
        forgetLoads.run(id);
        forgetSteps.run(id);
        markChannel.run(id);
      });
    } finally {
      this.#file.db.pragma('foreign_keys = ON');
    }
  }

  /** Deletes what is left, `breathe` between the slices. What a full disk or a lost file keeps here goes at a later time. */
  sweep(breathe = new Turns('behind').breathe): Promise<void> {
    const { nextLoad, nextStep, nextChannel } = this.#statements;
    const isClean = this.#file.read(() => nextLoad.get() ?? nextStep.get() ?? nextChannel.get()) === undefined;
    if (isClean) return Promise.resolve();
    this.#sweeping ??= this.#run(breathe)
      .catch(() => {})
      .finally(() => {
        this.#sweeping = null;
      });
    return this.#sweeping;
  }

  async #run(breathe: () => Promise<void>): Promise<void> {
    do await breathe();
    while (this.#file.db.open && this.#step());
  }

  /** Deletes one slice; false when there is none. */
  #step(): boolean {
    const { nextChannel, dropPoints, channelDone, nextLoad, dropPart, loadDone, nextStep, dropStepPart, stepDone } = this.#statements;
    const load = this.#file.read(() => nextLoad.get());
    if (load !== undefined) {
      this.#file.changeLoosely(() => {
        if (dropPart.run(load).changes === 0) loadDone.run(load);
      });
      return true;
    }
    const step = this.#file.read(() => nextStep.get());
    if (step !== undefined) {
      this.#file.changeLoosely(() => {
        if (dropStepPart.run(step).changes === 0) stepDone.run(step);
      });
      return true;
    }
    const channel = this.#file.read(() => nextChannel.get());
    if (channel === undefined) return false;
    this.#file.changeLoosely(() => {
      if (dropPoints.run(channel).changes === 0) channelDone.run(channel);
    });
    return true;
  }
}
