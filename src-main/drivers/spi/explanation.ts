/** A frame in words. */
import type { ExplainNode } from '#shared/contract/frames.ts';
import type { Said } from '#shared/messages/index.ts';
import type { FrameKind } from './io.ts';
import type { ModelDataSet } from './model.ts';
import type { DriverChannelSettings, PointConfig } from './points.ts';

/** Octets that must not be shown, end excluded: passwords, operator codes. */
export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

/** A text that is the same in every language (octets, a number, what a device calls itself), or a message. */
export type FrameText = Said;

/** Octets `start` to `end`, end excluded, mean `name` = `value`. */
export interface ExplainedNode {
  readonly name: FrameText;
  readonly value: FrameText;
  readonly start: number;
  readonly end: number;
  readonly severity: ExplainNode['severity'];
  readonly children: readonly ExplainedNode[];
}

export interface Explanation {
  /** One line for the frame list. */
  readonly summary: FrameText;
  readonly nodes: readonly ExplainedNode[];
  readonly secrets: readonly SecretRange[];
}

/** What a frame says in numbers and names, for filters and statistics; left out where it says nothing of the kind. */
export interface FrameFacts {
  /** Unit, station (common address), or meter as its twelve digits. */
  readonly slave?: number | string;
  /** Function code, type identification, function of a control code; without the bits beside it. */
  readonly function?: number;
  /** What the function is called, in each language where they differ; the first one is short and English. */
  readonly names?: readonly string[];
  /** Cause of transmission (IEC 60870-5-101, 7.2.3) with its names. */
  readonly cause?: { readonly code: number; readonly names: readonly string[] };
  /** Refused or negative: the code of it, or its name where the protocol has no code. */
  readonly error?: number | string;
  /** Addresses that it asks for, carries or writes, as the table has them, both ends included; of an answer those that it was asked for. */
  readonly addresses?: readonly { readonly from: number; readonly to: number }[];
  /** Names of what it asks for, carries or writes, where the protocol names and does not number. */
  readonly references?: readonly string[];
}

/** True for a point that a frame asks for, carries or operates. */
export type CarriedPoints = (point: PointConfig) => boolean;

export interface ExplainContext {
  readonly kind: FrameKind;
  /** True when the frame travels from client to server, master to slave. */
  readonly isRequest: boolean;
  /** Octets of the request this answers, where the log still has them: a Modbus answer cannot be read without it. */
  readonly request: Uint8Array | null;
  readonly settings: DriverChannelSettings;
  /** Data sets of the device as far as its model is known; left out: nothing is known of them. */
  readonly dataSets?: () => readonly ModelDataSet[];
  /** True where only the line of the list and the secrets are asked for: nodes may be left out, which many frames cost. */
  readonly isSummaryOnly?: boolean;
}
