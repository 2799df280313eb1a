/** What can be asked of a field: whether it is there, a number, a text, or either. */
export type FieldType = 'flag' | 'number' | 'text' | 'either';

const EITHER = 'either';

/**
 * Fields of a frame filter. A frame may have several values of one (addresses), or none; what protocols call differently has one name here:
 * `slave` is a unit, a station (common address) or a meter, `function` a function code, a type identification, a control code or a service.
 */
export const FRAME_FIELDS = {
  dir: 'text',
  kind: 'text',
  seq: 'number',
  connection: 'number',
  length: 'number',
  slave: EITHER,
  function: EITHER,
  cause: EITHER,
  error: EITHER,
  address: 'number',
  reference: 'text',
  point: 'text',
  latency: 'number',
  since: 'number',
  request: 'flag',
  answer: 'flag',
  unanswered: 'flag',
  text: 'text',
  hex: 'text',
  peer: 'text',
} as const satisfies Readonly<Record<string, FieldType>>;

export type FrameField = keyof typeof FRAME_FIELDS;

export const FIELD_NAMES = Object.keys(FRAME_FIELDS) as readonly FrameField[];

export function isFrameField(text: string): text is FrameField {
  return Object.hasOwn(FRAME_FIELDS, text);
}

/** Values that a field has in every protocol, for completion. */
export const KNOWN_VALUES: Readonly<Partial<Record<FrameField, readonly string[]>>> = {
  dir: ['tx', 'rx'],
  kind: ['tx', 'rx', 'noise', 'late', 'opened', 'closed', 'note'],
};
