/** How the frames of a channel go into a capture file, for programs that read those, and what is found in such files. */
import type { FrameType, QualityFlag } from '#shared/domain/enums.ts';
import type { Message } from '#shared/messages/message.ts';

/**
 * `tcp`, `udp`: each frame in a packet to or from `port`, the one that the protocol is known by. `line`: without a network, under the name of a dissector of Wireshark, which knows
 * requests by `port` where it needs that; `protocol` is what its list calls the frame, where the dissector does not say so.
 */
export type CaptureForm =
  | { readonly carrier: 'tcp' | 'udp'; readonly port: number }
  | { readonly carrier: 'line'; readonly dissector: string; readonly protocol?: string; readonly port?: number };

/** The point that serves a place again, without what it serves. Its address is as it travels. */
export interface CapturedPoint {
  readonly frame_type: FrameType;
  readonly code: string;
  readonly slave_id: number;
  readonly address: number;
  /** What names its place instead of the address, in protocols that have names. */
  readonly reference?: string;
  readonly func_code?: number;
  readonly decode?: string;
  readonly bit?: number;
  readonly protocol: Readonly<Record<string, unknown>>;
}

/** A place of a device that a conversation has values of. */
export interface CapturedPlace {
  /** Names it among all places of the conversation. */
  readonly column: string;
  readonly point: CapturedPoint;
}

/** A value that a device told. */
export interface CapturedValue {
  /** The same object each time, for the same place. */
  readonly place: CapturedPlace;
  /** As a served point takes it; NaN where the device told that it has none, or one that no point can serve. */
  readonly value: number;
  readonly flags: readonly QualityFlag[];
  /** Time tag, in milliseconds since 1970 by the clock of the device as if it showed UTC. Left out: it gave none. */
  readonly deviceMs?: number;
  /** How often the clock of the device had been set by then: times with the same number can be compared. */
  readonly clockSets?: number;
}

/** What one answer or message told. */
export type CapturedRead = readonly CapturedValue[];

/** Finds what a device told in a recorded conversation, whose directions come in any pieces. Bounded. */
export interface ReadFinder {
  /** What these octets complete; `isToDevice` is null where nothing tells the direction, `atMs` is their time, which may jump. */
  push(isToDevice: boolean | null, bytes: Uint8Array, atMs: number): readonly CapturedRead[];
  /** Octets of a direction are missing here. */
  gap(isToDevice: boolean | null): void;
  /** The end of the conversation: what could not be told before. Left out: nothing. */
  end?(): readonly CapturedRead[];
  /** `protocol` settings that a channel needs to serve it, as far as they are found out by now. Left out: none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What was told by now and cannot be served, because the conversation does not say what it was of: how much, and why. Left out, null: nothing. */
  readonly leftOut?: Message | null;
}

/** What carried a conversation. `line`: what an export calls its frames; empty in a network. */
export interface ConversationForm {
  readonly carrier: 'tcp' | 'udp' | 'line';
  readonly line: string;
}
