import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { NewPoint, type Point } from '#shared/contract/points.ts';
import { DECODE_CODES, findDecode } from '#shared/domain/decode.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { isPointField, type PointSection, pointField } from '#shared/domain/point-fields.ts';
import { registersOf } from '#shared/domain/registers.ts';
import { changedEntries, collectInput, collectSettings } from '../../ui/form/collect.ts';
import type { FormRecord } from '../../ui/form/record-form.ts';
import { contractSpecs, type FieldSpec, fieldSpecs } from '../../ui/form/schema-field.ts';

const specs = contractSpecs(NewPoint);

/** Functions a Modbus point of each type may have, the default first (MODBUS Application Protocol V1.1b3, 6.1 to 6.16). */
const FUNCTIONS: Readonly<Record<FrameType, readonly number[]>> = {
  [FrameType.yc]: [3, 4],
  [FrameType.yx]: [1, 2, 3, 4],
  [FrameType.yk]: [5, 15, 6, 16, 22],
  [FrameType.yt]: [6, 16],
};

/** Which end the channel is, and the settings a stored point has already. */
export interface Side {
  readonly of: 'server' | 'client' | null;
  readonly stored: Readonly<Record<string, unknown>>;
}
const ANY_SIDE: Side = { of: null, stored: {} };

export interface PointFormSections {
  readonly identity: readonly FieldSpec[];
  readonly access: readonly FieldSpec[];
  readonly scaling: readonly FieldSpec[];
  readonly filing: readonly FieldSpec[];
  readonly protocol: readonly FieldSpec[];
}

/** Description of one point setting of the contract. */
export function pointSpec(name: string): FieldSpec | undefined {
  return specs.get(name);
}

function asChoice(spec: FieldSpec, frameType: FrameType): FieldSpec {
  if (spec.key === 'func_code') return { ...spec, kind: 'choice', isNullable: false, isRequired: true, choices: FUNCTIONS[frameType] };
  if (spec.key === 'decode') return { ...spec, kind: 'choice', isRequired: true, choices: DECODE_CODES.map((item) => item.code) };
  if (spec.key === 'address' || spec.key === 'reference') return { ...spec, isRequired: true };
  return spec;
}

function isForType({ frameTypes }: FieldSpec, frameType: FrameType): boolean {
  return frameTypes === null || frameTypes.includes(frameType);
}

/**
 * The fields that mean something for this protocol, point type and side of the connection, by section of the form, in the protocol's
 * order. A setting of the other side is shown where the point has it.
 */
export function pointSections(descriptor: ProtocolDescriptor, frameType: FrameType, side: Side = ANY_SIDE): PointFormSections {
  const names = descriptor.point_fields.find((entry) => entry.frame_type === frameType)?.fields ?? [];
  const fields = names.filter((name) => name !== 'frame_type' && name !== 'protocol').flatMap((name) => specs.get(name) ?? []);
  const within = (section: PointSection) =>
    fields
      .filter((spec) => isPointField(spec.key) && pointField(spec.key).form?.section === section)
      .map((spec) => asChoice(spec, frameType));
  return {
    identity: within('identity'),
    access: within('access'),
    scaling: within('scaling'),
    filing: within('filing'),
    protocol: fieldSpecs(descriptor.point_schema).filter(
      (spec) =>
        side.stored[spec.key] !== undefined ||
        (isForType(spec, frameType) && ((spec.side !== 'server' && spec.side !== 'client') || side.of === null || spec.side === side.of)),
    ),
  };
}

/** Default decode code of a point type (decisions, "Points"). */
function defaultDecode(frameType: FrameType): string {
  return frameType === FrameType.yc || frameType === FrameType.yt ? '0x41' : '0x20';
}

/** Default function code of a point type; a YT of more than one register is written with 16. */
function defaultFunction(frameType: FrameType, decode: unknown): number {
  const registers = typeof decode === 'string' ? (findDecode(decode)?.registers ?? 1) : 1;
  if (frameType === FrameType.yt && registers > 1) return 16;
  return FUNCTIONS[frameType][0] ?? 3;
}

/** Values of an empty form. */
export function newPointValues(descriptor: ProtocolDescriptor, frameType: FrameType): FormRecord {
  const decode = defaultDecode(frameType);
  return {
    ...Object.fromEntries([...specs.values()].map((spec) => [spec.key, spec.defaultValue])),
    frame_type: frameType,
    code: '',
    name: '',
    slave_id: 1,
    decode,
    func_code: defaultFunction(frameType, decode),
    protocol: Object.fromEntries(fieldSpecs(descriptor.point_schema).map((spec) => [spec.key, spec.defaultValue])),
  };
}

/** Values of the form for a stored point; a decode code in other letters becomes the one of the table. */
export function pointValues(point: Point): FormRecord {
  const values = Object.fromEntries([...specs.keys()].map((key) => [key, point[key as keyof Point]]));
  return { ...values, decode: findDecode(point.decode)?.code ?? point.decode };
}

/** Changes the type of a new point: function, decode and what follows from them take the new type's defaults. */
export function changeFrameType(values: FormRecord, frameType: FrameType): FormRecord {
  const decode = values.decode === defaultDecode(values.frame_type as FrameType) ? defaultDecode(frameType) : values.decode;
  return { ...values, frame_type: frameType, decode, func_code: defaultFunction(frameType, decode), bit: null, reverse: false };
}

/** Changes the decode code; the write function of a YT follows the number of registers. */
export function changeDecode(values: FormRecord, decode: unknown): FormRecord {
  const followsType = values.frame_type === FrameType.yt;
  return { ...values, decode, ...(followsType ? { func_code: defaultFunction(FrameType.yt, decode) } : {}) };
}

/** What the form says as a point of the contract. An empty name is left out: it becomes the code. */
export function toPointInput(values: FormRecord, sections: PointFormSections): FormRecord {
  const shown = [...sections.identity, ...sections.access, ...sections.scaling, ...sections.filing];
  const input = collectInput(values, shown);
  if (input.name === '') delete input.name;
  const settings = sections.protocol.length > 0 ? { protocol: collectSettings(values.protocol, sections.protocol) } : {};
  return { frame_type: values.frame_type, ...input, ...settings };
}

/** Paths of all fields the form shows. */
export function pointPaths(sections: PointFormSections): readonly string[] {
  const shown = [...sections.identity, ...sections.access, ...sections.scaling, ...sections.filing].map((spec) => spec.key);
  return ['frame_type', ...shown, ...sections.protocol.map((spec) => `protocol.${spec.key}`)];
}

/** The settings in `input` that differ from the stored point. */
export function changedPoint(point: Point, input: FormRecord): FormRecord {
  return changedEntries(point, input);
}

function nextCode(code: string): string {
  const match = /^(.*?)(\d+)$/.exec(code);
  if (!match) return '';
  const digits = match[2] ?? '';
  return `${match[1] ?? ''}${String(Number(digits) + 1).padStart(digits.length, '0')}`;
}

/**
 * The form for the point after this one: the next address behind it, no reference, the number at the end of its code one higher, no name. Addresses that
 * have names of their own do not follow each other: none is filled in then.
 */
export function followingValues(values: FormRecord, hasNamedAddresses = false): FormRecord {
  const isBit = values.func_code === 1 || values.func_code === 2 || values.func_code === 5 || values.func_code === 15;
  const protocol = (values.protocol ?? {}) as Readonly<Record<string, unknown>>;
  const registers = isBit ? 1 : registersOf({ decode: String(values.decode), protocol });
  const address = typeof values.address === 'number' && !hasNamedAddresses ? values.address + registers : undefined;
  return {
    ...values,
    code: nextCode(String(values.code ?? '')),
    name: '',
    address,
    reference: '',
    ...(hasNamedAddresses ? { unit: '' } : {}),
  };
}
