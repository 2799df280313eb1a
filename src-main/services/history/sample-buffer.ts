import type { HistoryBatch } from '../../persistence/history-repositories.ts';

interface Columns {
  readonly points: number[];
  readonly at: number[];
  readonly value: number[];
  readonly quality: number[];
}

/** Samples on their way to the file, by channel. */
export class SampleBuffer {
  #channels = new Map<number, Columns>();
  count = 0;

  add(channel: number, point: number, at: number, value: number, quality: number): void {
    let columns = this.#channels.get(channel);
    if (!columns) {
      columns = { points: [], at: [], value: [], quality: [] };
      this.#channels.set(channel, columns);
    }
    columns.points.push(point);
    columns.at.push(at);
    columns.value.push(value);
    columns.quality.push(quality);
    this.count += 1;
  }

  /** Everything in it; it is empty then. */
  take(): HistoryBatch[] {
    const batches = [...this.#channels].map(([channel, { points, at, value, quality }]) => ({
      channel,
      points: Float64Array.from(points),
      at: Float64Array.from(at),
      value: Float64Array.from(value),
      quality: Uint8Array.from(quality),
    }));
    this.#channels = new Map();
    this.count = 0;
    return batches;
  }
}
