import { z } from 'zod';
import { type ApiClient, createClient, SESSION_HEADER } from '#shared/client/client.ts';
import { ChannelSettings } from '#shared/contract/channels.ts';
import { Id } from '#shared/contract/common.ts';
import { EventEntry } from '#shared/contract/events.ts';
import { FrameEntry } from '#shared/contract/frames.ts';
import { Point } from '#shared/contract/points.ts';
import { CHANNEL_STATUSES } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { PointConfig } from '../../../drivers/spi/index.ts';
import { boundedText, TooLong } from '../../../platform/bounded-text.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { KnownRemote, RemoteBook } from '../../ports.ts';

/** A service that is silent for longer holds no check up, in milliseconds. */
const ANSWER_MS = 3000;
/** Megabytes of an answer that are taken. */
const MOST_MB = 8;
/** Rows that are asked for at once: more would hold the lines of both services. */
export const ROWS_A_PAGE = 1000;
/** Events that are asked for at once; an answer with as many may have left some. */
export const MOST_EVENTS = 2000;

/** Of an answer only what a check looks at is read: what a newer service says beside it does not matter. */
const Info = z.object({ version: z.string(), project_session: z.string() });
const ChannelThere = ChannelSettings.extend({ id: Id, status: z.enum(CHANNEL_STATUSES), since: z.string() });
export type ChannelThere = z.infer<typeof ChannelThere>;
/** A flag that this program does not know is one all the same. */
const RowThere = Point.extend({ flags: z.array(z.string()) });
export type RowThere = z.infer<typeof RowThere>;
/** What of a row is otherwise at each look. */
const StateThere = RowThere.pick({
  value: true,
  value_text: true,
  raw_hex: true,
  exponent: true,
  quality: true,
  flags: true,
  source_time: true,
  updated_at: true,
  cause: true,
  negative: true,
  error_message: true,
});
export type StateThere = z.infer<typeof StateThere>;
/** A row that nobody has looked into, as it is: a copy of each would take longer than what is done with it. */
const Unseen = z.custom<Readonly<Record<string, unknown>>>((item) => typeof item === 'object' && item !== null);
const Page = z.object({ total: z.int(), items: z.array(Unseen) });
const EventThere = EventEntry.extend({ flags: z.array(z.string()), kind: z.string() });
export type EventThere = z.infer<typeof EventThere>;
const Events = z.object({ items: z.array(EventThere), last_seq: z.int() });

type AnyClient = ApiClient;

/** Asks one other service over its API, with the token that is kept for it. */
export class ServiceClient {
  readonly #remotes: RemoteBook;
  readonly #clock: Clock;
  readonly #remote: KnownRemote;
  readonly #ending: AbortSignal;
  readonly #client: AnyClient;
  /** Project that all is asked of; null: whichever is open. */
  #session: string | null = null;
  /** By how much its clock is ahead of ours, in seconds; null: not known yet. */
  clockAheadS: number | null = null;

  constructor(remotes: RemoteBook, clock: Clock, remote: KnownRemote, ending: AbortSignal) {
    this.#remotes = remotes;
    this.#clock = clock;
    this.#remote = remote;
    this.#ending = ending;
    this.#client = createClient(({ method, url, body }) => this.#ask(method, url, body));
  }

  /** Its version; from now on only its present project is asked. */
  async greet(): Promise<string> {
    this.#session = null;
    const { version, project_session } = this.#understood(Info, (await this.#client.call('serviceInfo', {})).data);
    this.#session = project_session;
    return version;
  }

  async channels(): Promise<ChannelThere[]> {
    const { data } = await this.#client.call('listChannels', {});
    // one of a protocol that only a newer version knows keeps nobody from the others
    return this.#understood(z.array(z.unknown()), data).flatMap((row) => ChannelThere.safeParse(row).data ?? []);
  }

  /** Names of its channels, those that this version does not know among them. */
  async channelName(id: number): Promise<string | undefined> {
    const Named = z.object({ id: Id, name: z.string() });
    const { data } = await this.#client.call('listChannels', {});
    return this.#understood(z.array(Named), data).find((channel) => channel.id === id)?.name;
  }

  async page(channelId: number, page: number): Promise<z.infer<typeof Page>> {
    return this.#understood(
      Page,
      (await this.#client.call('pointTable', { channel_id: channelId, page, page_size: ROWS_A_PAGE, sort: 'id' })).data,
    );
  }

  /** A row of a page. Throws `PROTOCOL_MISMATCH` for one that this version does not understand. */
  row(item: unknown): RowThere {
    return this.#understood(RowThere, item);
  }

  /** The value of a row whose settings are known. Throws `PROTOCOL_MISMATCH` as well. */
  state(item: unknown): StateThere {
    return this.#understood(StateThere, item);
  }

  /** Number of its last event. */
  async lastEvent(channelId: number): Promise<number> {
    return this.#understood(Events, (await this.#client.call('listEvents', { channel_id: channelId, limit: 1 })).data).last_seq;
  }

  /** Events of a channel behind a number, the first ones of them. */
  async events(channelId: number, afterSeq: number): Promise<readonly EventThere[]> {
    const query = { channel_id: channelId, after_seq: afterSeq, limit: MOST_EVENTS };
    return this.#understood(Events, (await this.#client.call('listEvents', query)).data).items;
  }

  async framesOf(channelId: number, { id, frame_type }: PointConfig, limit: number): Promise<FrameEntry[]> {
    const query = { channel_id: channelId, point_id: id, frame_type, limit };
    const Frames = z.object({ items: z.array(FrameEntry) });
    return this.#understood(Frames, (await this.#client.call('pointFrames', query)).data).items;
  }

  async read(channel: string, points: readonly PointConfig[]): Promise<void> {
    const named = points.map(({ id, frame_type }) => ({ id, frame_type }));
    await this.#client.call('manualRead', { device_name: channel, mode: 'batch', points: named });
  }

  #understood<Schema extends z.ZodType>(schema: Schema, data: unknown): z.infer<Schema> {
    const read = schema.safeParse(data);
    if (read.success) return read.data;
    throw new AppError('PROTOCOL_MISMATCH', say('check.elsewhere_not_understood', { service: this.#remote.name }));
  }

  async #ask(method: string, path: string, body: unknown) {
    const { id, name } = this.#remote;
    const late = new AbortController();
    const silent = () => new AppError('TIMEOUT_RESPONSE', say('remote.silent', { name, seconds: ANSWER_MS / 1000 }));
    const cancel = this.#clock.after(ANSWER_MS, () => late.abort(silent()));
    const signal = AbortSignal.any([late.signal, this.#ending]);
    try {
      const headers = {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.#session === null ? {} : { [SESSION_HEADER]: this.#session }),
      };
      const sent = body === undefined ? null : JSON.stringify(body);
      const answer = await this.#remotes.ask(id, { method, path, headers, body: sent, signal });
      if (answer.status === 401) {
        answer.body.destroy();
        throw new AppError('PROTOCOL_REFUSED', say('remote.token_refused', { name }));
      }
      this.#noteClock(answer.headers.date);
      return { status: answer.status, body: JSON.parse(await boundedText(answer.body, MOST_MB * 1024 * 1024, signal)) as unknown };
    } catch (thrown) {
      if (late.signal.aborted) throw late.signal.reason;
      if (thrown instanceof AppError) throw thrown;
      if (thrown instanceof TooLong)
        throw new AppError('PROTOCOL_MISMATCH', say('check.elsewhere_too_long', { service: name, most: MOST_MB }));
      throw new AppError('PROTOCOL_MISMATCH', say('check.elsewhere_not_understood', { service: name }), { cause: thrown });
    } finally {
      cancel();
    }
  }

  /** The date of an answer has whole seconds, and was on its way. */
  #noteClock(date: string | string[] | undefined): void {
    const there = Date.parse(String(date));
    if (Number.isFinite(there)) this.clockAheadS = Math.round((there + 500 - this.#clock.wallMs()) / 1000);
  }
}
