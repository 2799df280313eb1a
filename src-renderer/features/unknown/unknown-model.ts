import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { DataOf, InputOf } from '#shared/contract/index.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';

export type UnknownObject = DataOf<'unknownObjects'>['items'][number];
type NewPoint = InputOf<'addPoints'>['points'][number];

/** Key of an object within its channel. */
export function objectKey({ slave_id, address, func_code }: Pick<UnknownObject, 'slave_id' | 'address' | 'func_code'>): string {
  return `${slave_id} ${func_code ?? ''} ${address}`;
}

/** A point to be made of an object; code, name and bit can be changed before it is added. */
export interface Proposal {
  readonly object: UnknownObject;
  readonly frameType: FrameType;
  readonly code: string;
  readonly name: string;
  /** Empty: no bit. */
  readonly bit: string;
}

/** Type as the protocol names it, without its number: a word for a name. */
function plainName(type: string): string {
  return type.replace(/\s*\(\d+\)$/, '');
}

/** Points that suit the objects: a code of point type, slave (where there are several) and address, and a name of type and address. */
export function proposalsFor(objects: readonly UnknownObject[]): Proposal[] {
  const hasSeveral = new Set(objects.map((object) => object.slave_id)).size > 1 || objects.some((object) => object.slave_id !== 1);
  return objects.flatMap((object) => {
    if (object.frame_type === null) return [];
    const place = hasSeveral ? `${object.slave_id}_${object.address}` : String(object.address);
    // one register may be read by two functions, and be written
    const area = object.func_code === 2 || object.func_code === 4 ? `${object.func_code}_` : '';
    const code = `${FRAME_TYPE_LETTERS[object.frame_type]}_${area}${place}`;
    const name = object.func_code === null ? `${plainName(object.type)} ${object.address}` : '';
    return [{ object, frameType: object.frame_type, code, name, bit: '' }];
  });
}

/** True when points of the protocol may name one bit of a packed object. */
export function hasBits(descriptor: Pick<ProtocolDescriptor, 'point_fields'> | undefined): boolean {
  return descriptor?.point_fields.some((entry) => entry.frame_type === FrameType.yx && entry.fields.includes('bit')) ?? false;
}

/** The points as they are added. */
export function pointsOf(proposals: readonly Proposal[]): NewPoint[] {
  return proposals.map(({ object, frameType, code, name, bit }) => ({
    frame_type: frameType,
    code: code.trim(),
    ...(name.trim() ? { name: name.trim() } : {}),
    address: object.address,
    slave_id: object.slave_id,
    ...(bit.trim() ? { bit: Number(bit) } : {}),
    ...(object.func_code === null ? {} : { func_code: object.func_code }),
    ...(object.decode === '' ? {} : { decode: object.decode }),
    protocol: object.protocol,
  }));
}

/** What is wrong with the proposals before they are sent, by row: an empty code or one that occurs twice. */
export function codeFaults(proposals: readonly Proposal[]): ReadonlyMap<number, 'empty' | 'twice'> {
  const first = new Map<string, number>();
  const faults = new Map<number, 'empty' | 'twice'>();
  for (const [row, { code }] of proposals.entries()) {
    const key = code.trim();
    if (key === '') faults.set(row, 'empty');
    else if (first.has(key)) faults.set(row, 'twice');
    else first.set(key, row);
  }
  return faults;
}

/** Issues of the service at single points, as one text for each row. */
export function rowIssues(issues: Readonly<Record<string, string>>): ReadonlyMap<number, string> {
  const rows = new Map<number, string>();
  for (const [path, message] of Object.entries(issues)) {
    const match = /^points\.(\d+)(?:\.(.*))?$/.exec(path);
    if (!match) continue;
    const row = Number(match[1]);
    const text = match[2] ? `${match[2]}: ${message}` : message;
    rows.set(row, [rows.get(row), text].filter(Boolean).join('; '));
  }
  return rows;
}
