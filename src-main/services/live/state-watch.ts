import type { z } from 'zod';
import type { StreamChannel, StreamTask } from '#shared/contract/live.ts';
import type { TaskSnapshot } from '#shared/contract/tasks.ts';
import { english } from '#shared/messages/index.ts';
import type { ChannelRuntime, ChannelState, TaskKind } from '../../runtime/types.ts';
import type { ProjectSession } from '../ports.ts';
import { isoTime } from '../rows.ts';
import { summaryOf } from '../tasks.ts';

type ChannelNews = z.output<typeof StreamChannel>;
type TaskNews = z.output<typeof StreamTask>;

/** News of a channel or a task, with the change that they came with. */
interface News<Said> {
  readonly change: number;
  readonly mark: string;
  readonly said: Said;
}

const KINDS: readonly TaskKind[] = ['automatic', 'manual'];

/** Sees which channels and tasks are otherwise than at the last look. */
export class StateWatch {
  readonly #session: ProjectSession;
  readonly #channels = new Map<number, News<ChannelNews>>();
  readonly #tasks = new Map<string, News<TaskNews>>();

  constructor(session: ProjectSession) {
    this.#session = session;
  }

  look(): void {
    const { channels } = this.#session;
    for (const channel of channels.list()) this.#lookAt(channel);
    for (const [id, { said }] of this.#channels)
      if (said.status !== null && !channels.get(id)) this.#note(this.#channels, id, 'gone', () => gone(id));
    for (const [key, { said }] of this.#tasks) if (!channels.get(said.channel_id)) this.#tasks.delete(key);
  }

  /** Channels that changed behind this change. */
  channelsSince(change: number): ChannelNews[] {
    return newsSince(this.#channels, change);
  }

  /** Tasks that changed behind this change. */
  tasksSince(change: number): TaskNews[] {
    return newsSince(this.#tasks, change);
  }

  #lookAt(channel: ChannelRuntime): void {
    const { id, settings } = channel;
    const state = channel.state();
    const mark = JSON.stringify([settings.name, state.status, state.since, state.lastError]);
    this.#note(this.#channels, id, mark, () => channelNews(channel, state));
    for (const kind of KINDS) {
      const task = channel.taskSnapshot(kind);
      this.#note(this.#tasks, `${id} ${kind}`, markOf(settings.name, task), () => ({
        channel_id: id,
        device_name: settings.name,
        kind,
        task: summaryOf(task),
      }));
    }
  }

  #note<Key, Said>(all: Map<Key, News<Said>>, key: Key, mark: string, say: () => Said): void {
    if (all.get(key)?.mark === mark) return;
    all.set(key, { change: this.#session.changes.next(), mark, said: say() });
  }
}

function markOf(name: string, { state, task_id, cycle_count, current, total, success, fail, last_error }: TaskSnapshot): string {
  return [name, state, task_id, cycle_count, current, total, success, fail, last_error].join('\n');
}

function newsSince<Said>(all: ReadonlyMap<unknown, News<Said>>, change: number): Said[] {
  return [...all.values()].filter((news) => news.change > change).map(({ said }) => said);
}

function channelNews({ id, settings }: ChannelRuntime, { status, lastError, since }: ChannelState): ChannelNews {
  return {
    channel_id: id,
    device_name: settings.name,
    status,
    last_error: lastError && english(lastError),
    ...(lastError && { last_error_info: lastError }),
    since: isoTime(since),
  };
}

function gone(id: number): ChannelNews {
  return { channel_id: id, device_name: null, status: null, last_error: null, since: null };
}
