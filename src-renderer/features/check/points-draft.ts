import type { InputOf } from '#shared/contract/index.ts';
import type { FrameType } from '#shared/domain/enums.ts';
import { parseNumber } from '../write/write-rules.ts';

export const REFERENCES = ['none', 'limits', 'zero_and_upper'] as const;

/** Points that are to become items, as they are written in a form. */
export interface PointsDraft {
  /** Numbers of channels; those of another service as `service:channel`. */
  readonly channels: readonly string[];
  readonly types: readonly string[];
  readonly group: string;
  readonly references: (typeof REFERENCES)[number];
  readonly tolerance: string;
  readonly percent: string;
  readonly within: string;
}

export const EMPTY_POINTS: PointsDraft = {
  channels: [],
  types: ['0', '1', '2', '3'],
  group: '',
  references: 'none',
  tolerance: '0',
  percent: '0',
  within: '5',
};

/** What is wrong with a field, as a key of the `check` texts, with the limits it names. */
export interface DraftIssue {
  readonly key: 'form.number' | 'form.notBelow' | 'form.channelsMissing' | 'form.typesMissing' | 'start.fileMissing';
  readonly least?: number;
  readonly most?: number;
}

export type DraftIssues = Partial<Record<keyof PointsDraft, DraftIssue>>;

/** A number within limits; otherwise what is wrong with it. */
export function boundedNumber(text: string, least: number, most: number): number | DraftIssue {
  const value = parseNumber(text);
  if (value === null) return { key: 'form.number' };
  return value < least || value > most ? { key: 'form.notBelow', least, most } : value;
}

type AddItems = Omit<InputOf<'addCheckItems'>, 'session_id' | 'channel_id' | 'service_id'>;

/** Which channel a draft names. */
export function readChannel(text: string): Pick<InputOf<'addCheckItems'>, 'channel_id' | 'service_id'> {
  const [channel = '', service] = text.split(':').reverse();
  return { channel_id: Number(channel), ...(service !== undefined && { service_id: Number(service) }) };
}

/** What such a draft asks for, or what is wrong with its fields. */
export function readPoints(draft: PointsDraft): { readonly issues: DraftIssues; readonly input: AddItems | null } {
  const issues: { -readonly [Key in keyof DraftIssues]: DraftIssues[Key] } = {};
  if (draft.channels.length === 0) issues.channels = { key: 'form.channelsMissing' };
  if (draft.types.length === 0) issues.types = { key: 'form.typesMissing' };
  const tolerance = boundedNumber(draft.tolerance, 0, Number.MAX_VALUE);
  const percent = boundedNumber(draft.percent, 0, 100);
  const within = boundedNumber(draft.within, 0.1, 600);
  // a tolerance has no upper limit that anybody would name
  if (typeof tolerance !== 'number') issues.tolerance = { key: 'form.number' };
  if (typeof percent !== 'number') issues.percent = percent;
  if (typeof within !== 'number') issues.within = within;
  if (typeof tolerance !== 'number' || typeof percent !== 'number' || typeof within !== 'number' || Object.keys(issues).length > 0) {
    return { issues, input: null };
  }
  const input: AddItems = {
    frame_types: draft.types.map((type) => Number(type) as FrameType),
    group: draft.group,
    references: draft.references,
    tolerance,
    percent,
    within_ms: Math.round(within * 1000),
  };
  return { issues, input };
}
