import { STREAM_KINDS, type StreamKind } from '#shared/contract/live.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { AppError } from '#shared/domain/errors.ts';
import { firstOf, quoted, say } from '#shared/messages/index.ts';
import type { ChannelRuntime } from '../../runtime/types.ts';
import { findChannel } from '../lookup.ts';
import type { ProjectSession } from '../ports.ts';

/** What a reader asked for, as the contract gives it. */
export interface FilterRequest {
  readonly kinds?: readonly StreamKind[] | undefined;
  readonly channel_id?: readonly number[] | undefined;
  readonly frame_type?: readonly number[] | undefined;
  readonly code?: readonly string[] | undefined;
}

/** What a reader wants to hear. Readers with the same key are told the same. */
export class StreamFilter {
  readonly key: string;
  readonly #kinds: ReadonlySet<StreamKind>;
  readonly #channels: ReadonlySet<number> | null;
  readonly #codes: ReadonlySet<string> | null;
  readonly types: ReadonlySet<FrameType> | undefined;
  /** Points with the codes, as they stood at a revision of their table. */
  readonly #points = new WeakMap<object, { readonly revision: number; readonly ids: readonly number[] }>();

  /** Throws `CONFIG_NOT_FOUND` for a channel that is not there, and for a code that none of the channels has. */
  constructor(session: ProjectSession, { kinds, channel_id, frame_type, code }: FilterRequest) {
    this.#kinds = new Set(kinds ?? STREAM_KINDS);
    for (const id of channel_id ?? []) findChannel(session, id);
    this.#channels = channel_id ? new Set(channel_id) : null;
    this.types = frame_type ? new Set(frame_type as FrameType[]) : undefined;
    this.#codes = code ? new Set(this.#codesOf(session, code)) : null;
    this.key = JSON.stringify([this.#kinds, this.#channels, this.types, this.#codes].map((set) => (set ? [...set].sort() : null)));
  }

  has(kind: StreamKind): boolean {
    return this.#kinds.has(kind);
  }

  hasChannel(id: number): boolean {
    return this.#channels?.has(id) ?? true;
  }

  /** Channels it is about. */
  channels(session: ProjectSession): ChannelRuntime[] {
    return session.channels.list().filter(({ id }) => this.hasChannel(id));
  }

  /** True for an event: those of points have to be of the types and codes that are asked for, and those of the service itself are none of any channel. */
  hasEvent({
    channelId,
    frameType,
    code,
  }: {
    readonly channelId: number | null;
    readonly frameType: FrameType | null;
    readonly code: string;
  }): boolean {
    if (channelId === null) return this.#channels === null;
    if (!this.hasChannel(channelId)) return false;
    return frameType === null || ((this.types?.has(frameType) ?? true) && (this.#codes?.has(code) ?? true));
  }

  /** Points of a channel that it is about and that changed behind `change`. */
  changedPoints({ points }: ChannelRuntime, change: number): number[] {
    if (!this.#codes) return points.changedSince(change, this.types);
    if (points.lastChange <= change) return [];
    return this.#idsOf(points, this.#codes).filter((id) => points.isChangedSince(id, change));
  }

  #idsOf(points: ChannelRuntime['points'], codes: ReadonlySet<string>): readonly number[] {
    const known = this.#points.get(points);
    if (known?.revision === points.configRevision) return known.ids;
    const ids = [...codes].flatMap((code) => points.byCode(code) ?? []).sort((a, b) => a - b);
    const wanted = this.types ? ids.filter((id) => this.types?.has(points.config(id)?.frame_type as FrameType)) : ids;
    this.#points.set(points, { revision: points.configRevision, ids: wanted });
    return wanted;
  }

  /** A text that is a code itself is one, whatever commas it has. */
  #codesOf(session: ProjectSession, given: readonly string[]): string[] {
    const tables = this.channels(session).map(({ points }) => points);
    const isKnown = (code: string) => tables.some((points) => points.byCode(code) !== undefined);
    const codes = given.flatMap((text) => (isKnown(text) ? [text] : text.split(',').map((code) => code.trim())));
    const unknown = codes.filter((code) => !isKnown(code));
    if (unknown.length === 0) return codes;
    throw new AppError('CONFIG_NOT_FOUND', say('live.no_codes', { codes: firstOf(unknown.map((code) => quoted(code))) }));
  }
}
