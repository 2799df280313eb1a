import type { StoredPublisher } from '#shared/contract/publish.ts';
import type { BufferNews, BufferStore } from '../../persistence/buffer-repositories.ts';
import type { ProjectStore } from '../../persistence/repositories.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import { knownProjectId, projectId } from '../../platform/project-id.ts';
import { type BufferLimit, DiskQueue } from './disk-queue.ts';

const OCTETS_A_MB = 1024 * 1024;
const MS_AN_HOUR = 3_600_000;

/** Opens the file of waiting records of a project, known by the id of the project. Nothing is read or made before the first call. */
export type BufferOpener = (project: string, id: string) => BufferStore;

/** What they need of the session. */
export interface BuffersParts {
  readonly store: Pick<ProjectStore, 'settings' | 'path'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly openBuffer: BufferOpener;
}

/** The buffers of the publishers of one project, in one file. One outlives its publisher being set anew: what waits goes on to wait. */
export class Buffers {
  readonly #parts: BuffersParts;
  readonly #queues = new Map<number, DiskQueue>();
  #file: BufferStore | null = null;
  #aside: string | null = null;

  constructor(parts: BuffersParts) {
    this.#parts = parts;
  }

  /** A file that was moved aside since the project was opened. */
  get aside(): string | null {
    return this.#aside;
  }

  get(id: number): DiskQueue | undefined {
    return this.#queues.get(id);
  }

  /** The buffer of a publisher that has one. Throws what keeps the project from being written. */
  of({ id }: Pick<StoredPublisher, 'id'>, keep: NonNullable<StoredPublisher['keep']>): DiskQueue {
    const limit: BufferLimit = { octets: keep.mb * OCTETS_A_MB, ageMs: keep.hours * MS_AN_HOUR };
    const { clock, logger, newId } = this.#parts;
    let queue = this.#queues.get(id);
    if (queue) queue.beginAnew(limit);
    else {
      const newSession = () => newId().replaceAll('-', '').slice(-12);
      queue = new DiskQueue({ store: this.#open(), publisher: id, clock, logger, newSession, noted: (news) => this.#noted(news) }, limit);
      this.#queues.set(id, queue);
    }
    return queue;
  }

  /** Removes what waits of all publishers but these: they were deleted, or keep nothing any more. */
  keepOnly(ids: readonly number[]): void {
    for (const id of this.#queues.keys()) if (!ids.includes(id)) this.#queues.delete(id);
    const file = this.#known();
    if (!file?.exists()) return;
    file
      .keepOnly(ids)
      .then((news) => this.#noted(news))
      .catch((error: unknown) => this.#parts.logger.warn({ err: error }, 'records of a deleted publisher were not removed'));
  }

  /** Writes what is in memory, and closes the file. */
  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    await this.#file?.close();
  }

  #noted<News extends BufferNews>(news: News): News {
    if (news.aside) {
      this.#aside = news.aside.file;
      this.#parts.logger.warn({ ...news.aside }, 'a file of waiting records lies aside');
    }
    return news;
  }

  #open(): BufferStore {
    const { store, newId } = this.#parts;
    projectId(store.settings, newId);
    return this.#known() as BufferStore;
  }

  /** Null: the project has no id, so no file can be its own. */
  #known(): BufferStore | null {
    const { store, openBuffer } = this.#parts;
    const id = knownProjectId(store.settings);
    if (id !== null) this.#file ??= openBuffer(store.path, id);
    return this.#file;
  }
}
