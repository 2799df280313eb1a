import { FrameType } from './enums.ts';

/**
 * What a setting says of itself beside its type and description, by `.meta()` of zod. It travels in the JSON Schemas of the descriptors under
 * these names; forms go by it and never by a description.
 */
export interface SettingMeta {
  /** The only side or kind of a connection the setting means something on. Left out: all. */
  readonly side?: 'server' | 'client' | 'serial';
  /** The only point types it means something for. Left out: all. */
  readonly frame_types?: readonly FrameType[];
  /** Means something only while another setting beside it has one of these values. Left out: always. */
  readonly only_with?: { readonly setting: string; readonly values: readonly string[] };
  /** Group that a form may put out of the way. Left out: none. */
  readonly section?: string;
  /** Kind of thing that a parameter names; of a `slave` forms offer those of the line. Left out: none. */
  readonly names?: 'slave' | 'data_set' | 'attribute' | 'file';
  /** The only references of points it means something for, as a regular expression. Left out: all. */
  readonly references?: string;
  /** Most octets of a text in UTF-8, where that is another bound than its letters. Left out: none. */
  readonly max_octets?: number;
  /** A command with it is a test, and is shown as one. */
  readonly is_test?: true;
  /** A number that is off by its default: what forms propose when somebody switches it on. Left out: they ask for the number alone. */
  readonly proposed?: number;
  /** With another value of this channel setting the same addresses mean another device, or other values of it. Left out: they mean the same. */
  readonly tells_device?: true;
  /** Forms keep what was given last from one operation to the next that names the same. Left out: they do not. */
  readonly stays?: true;
}

/** Means something only where we serve. */
export const ON_SERVER = { side: 'server' } as const satisfies SettingMeta;
/** Means something only where we ask. */
export const ON_CLIENT = { side: 'client' } as const satisfies SettingMeta;
/** Means something only on a serial port. */
export const ON_SERIAL = { side: 'serial' } as const satisfies SettingMeta;

/** Says which device a channel leads to, or what its addresses mean. */
export const TELLS_DEVICE = { tells_device: true } as const satisfies SettingMeta;

/** Means something only while another setting has one of these values. */
export function onlyWith(setting: string, ...values: readonly string[]) {
  return { only_with: { setting, values } } satisfies SettingMeta;
}

/** Means something only for points of these types. */
export function forTypes(...types: readonly (keyof typeof FrameType)[]) {
  return { frame_types: types.map((type) => FrameType[type]) } satisfies SettingMeta;
}
