import type { DataOf, InputOf } from '#shared/contract/index.ts';
import { boundedNumber, type DraftIssue } from './points-draft.ts';

export const RUN_WAYS = ['guided', 'listen', 'unattended'] as const;
export type RunWay = (typeof RUN_WAYS)[number];

/** Values are compared with what the items name themselves. */
export const OWN_REFERENCES = 'own';
/** Values are compared with a table in a file. */
export const FILE_REFERENCES = 'file';

/** A check that is to begin, as it is written in the form. */
export interface StartDraft {
  readonly way: RunWay;
  readonly settle: string;
  readonly commands: boolean;
  /** `own`, `file`, or the id of a channel; null: nobody chose yet. */
  readonly references: string | null;
  /** Of references from a file; null: none was chosen yet. */
  readonly file: File | null;
  /** Unique values are set into the channel of the references, which is a device of this program below a gateway. */
  readonly traces: boolean;
  readonly tolerance: string;
  readonly percent: string;
  /** Seconds. */
  readonly limit: string;
}

export const FIRST_START: StartDraft = {
  way: 'guided',
  settle: '1.5',
  commands: false,
  references: null,
  file: null,
  traces: false,
  tolerance: '0',
  percent: '0.5',
  limit: '60',
};

export type StartIssues = Partial<Record<keyof StartDraft, DraftIssue>>;

type Settings<Name extends 'startCheck' | 'compareCheck' | 'compareCheckFile' | 'traceCheck'> = Omit<
  InputOf<Name>,
  'session_id' | 'operator' | 'items'
>;

/** What the form asks for. */
export type StartInput =
  | { readonly name: 'startCheck'; readonly input: Settings<'startCheck'> }
  | { readonly name: 'compareCheck'; readonly input: Settings<'compareCheck'> }
  | { readonly name: 'compareCheckFile'; readonly input: Settings<'compareCheckFile'> }
  | { readonly name: 'traceCheck'; readonly input: Settings<'traceCheck'> };

/** What values are compared with where nobody chose: what the items name themselves, or the channel with the most of them. */
export function usualReferences({ own, channels }: DataOf<'checkReferences'>): string {
  return own > 0 || !channels[0] ? OWN_REFERENCES : String(channels[0].channel_id);
}

/** What such a draft asks for, or what is wrong with the fields of its way. */
export function readStart(draft: StartDraft): { readonly issues: StartIssues; readonly start: StartInput | null } {
  const issues: { -readonly [Key in keyof StartIssues]: StartIssues[Key] } = {};
  const number = (field: 'settle' | 'tolerance' | 'percent' | 'limit', least: number, most: number): number => {
    const read = boundedNumber(draft[field], least, most);
    if (typeof read === 'number') return read;
    issues[field] = read;
    return 0;
  };
  if (draft.way !== 'unattended') {
    const { way, commands } = draft;
    const input = { way, settle_ms: Math.round(number('settle', 0.1, 60) * 1000), commands: way === 'guided' && commands };
    return { issues, start: issues.settle ? null : { name: 'startCheck', input } };
  }
  const isOwn = draft.references === null || draft.references === OWN_REFERENCES;
  const isFile = draft.references === FILE_REFERENCES;
  const traces = draft.traces && !isOwn && !isFile;
  const limit = Math.round(number('limit', 1, traces ? 600 : 3600) * 1000);
  if (isOwn) return { issues, start: issues.limit ? null : { name: 'compareCheck', input: { timeout_ms: limit } } };
  const near = { tolerance: number('tolerance', 0, 1e15), percent: number('percent', 0, 100) };
  if (isFile && !draft.file) issues.file = { key: 'start.fileMissing' };
  if (Object.keys(issues).length > 0) return { issues, start: null };
  if (isFile && draft.file) return { issues, start: { name: 'compareCheckFile', input: { ...near, timeout_ms: limit, file: draft.file } } };
  const bounds = { ...near, reference_channel_id: Number(draft.references) };
  if (traces) return { issues, start: { name: 'traceCheck', input: { ...bounds, within_ms: limit } } };
  return { issues, start: { name: 'compareCheck', input: { ...bounds, timeout_ms: limit } } };
}
