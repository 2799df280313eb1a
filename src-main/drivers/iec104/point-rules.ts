import { z } from 'zod';
import { FrameType } from '#shared/domain/enums.ts';
import { type FieldIssue, fieldIssue } from '#shared/domain/errors.ts';
import { forTypes, ON_SERVER } from '#shared/domain/setting-meta.ts';
import { say } from '#shared/messages/index.ts';
import { pointFieldsOf } from '../kit/point-fields.ts';
import { plainIssues, reverseIssues } from '../kit/point-issues.ts';
import { servedValue } from '../kit/served-value.ts';
import type { DriverChannelSettings, NormalPoint, PointConfig, PointDraft } from '../spi/index.ts';
import { broadcastAddress, maxObjectAddress } from './codec/sizes.ts';
import { TypeId, typeSpec, typeText } from './codec/types.ts';
import { bitCount, isCounterType, POINT_TYPES, plainType } from './point-types.ts';
import { storedSizes } from './settings.ts';

const NAMES: Readonly<Record<FrameType, string>> = { 0: 'YC', 1: 'YX', 2: 'YK', 3: 'YT' };

/** Settings of a point's `protocol` object. */
export const pointSettings = z.object({
  ...servedValue,
  type_id: z.int().min(1).max(127).optional().describe('type identification; default 13 for YC, 1 for YX, 45 for YK, 50 for YT'),
  select_before_operate: z.boolean().optional().describe('the command is selected before it is executed').meta(forTypes('yk', 'yt')),
  qualifier: z
    .int()
    .min(0)
    .max(127)
    .optional()
    .describe('qualifier of the command, QU 0 to 31 (1 short pulse, 2 long pulse, 3 persistent), QL 0 to 127')
    .meta(forTypes('yk', 'yt')),
  locked: z
    .boolean()
    .optional()
    .describe('commands to this point are refused')
    .meta({ ...ON_SERVER, ...forTypes('yk', 'yt') }),
  dead_band: z
    .number()
    .min(0)
    .optional()
    .describe('a change of less than this is not sent')
    .meta({ ...ON_SERVER, ...forTypes('yc') }),
  group: z
    .int()
    .min(0)
    .max(16)
    .optional()
    .describe('interrogation group 1 to 16, of counters 1 to 4; 0: none')
    .meta({ ...ON_SERVER, ...forTypes('yc', 'yx') }),
});

/** What the protocol object of a normalized point holds. */
export interface PointFacts {
  readonly typeId: number;
  readonly selectBeforeOperate: boolean;
  readonly qualifier: number;
  /** Commands are refused by our station. */
  readonly isLocked: boolean;
  readonly deadBand: number;
  readonly group: number;
}

/** What makes a point another one, beside its type identification. */
const SAME = [
  'id',
  'frame_type',
  'slave_id',
  'address',
  'mul_coe',
  'add_coe',
  'bit',
  'reverse',
] as const satisfies readonly (keyof PointConfig)[];

/** Contract names of the point fields that mean something to IEC 104, by frame type, in form order. */
export const POINT_FIELDS = pointFieldsOf(['code', 'name', 'slave_id', 'address'], ['bit', 'reverse']);

/** The protocol settings of a stored point, with their defaults. */
export function pointFacts(point: Pick<PointConfig, 'frame_type' | 'protocol'>): PointFacts {
  const { type_id, select_before_operate, qualifier, locked, dead_band, group } = point.protocol;
  return {
    typeId: typeof type_id === 'number' ? type_id : (POINT_TYPES[point.frame_type][0] ?? TypeId.M_ME_NC_1),
    selectBeforeOperate: select_before_operate === true,
    qualifier: typeof qualifier === 'number' ? qualifier : 0,
    isLocked: locked === true,
    deadBand: typeof dead_band === 'number' ? dead_band : 0,
    group: typeof group === 'number' ? group : 0,
  };
}

/** True for points in control direction. */
export function isControl(point: Pick<PointConfig, 'frame_type'>): boolean {
  return point.frame_type === FrameType.yk || point.frame_type === FrameType.yt;
}

/** True when both mean the same object, and the same value of it: a command to the one is a command to the other. */
export function isSameObject(a: PointConfig, b: PointConfig): boolean {
  const facts = (point: PointConfig) => pointFacts(point).typeId;
  return SAME.every((key) => Object.is(a[key], b[key])) && facts(a) === facts(b);
}

/** A point is a direction, a common address and an object address (decisions, "Points"). */
export function addressSpan(point: Pick<PointConfig, 'frame_type'>): { readonly space: string; readonly length: number } {
  return { space: isControl(point) ? 'control' : 'monitor', length: 1 };
}

/**
 * Fills in the defaults of decisions.md ("Points") and checks a point against the protocol and the field sizes of the channel. The common address
 * is `slave_id`, default 1; the object address is `address`. Issue paths are contract names. Pure.
 */
export function normalizeIec104Point(
  draft: PointDraft,
  settings: Pick<DriverChannelSettings, 'protocol'>,
): { point: NormalPoint; issues: FieldIssue[] } {
  const facts = pointFacts(draft);
  const point: NormalPoint = {
    ...draft,
    name: draft.name || draft.code,
    address: draft.address ?? 0,
    slave_id: draft.slave_id ?? 1,
    func_code: null,
    decode: '',
    protocol: { ...draft.protocol, type_id: facts.typeId, ...commandFields(draft, facts) },
  };
  const issues = [
    ...checkType(point, facts),
    ...checkAddresses(point, settings, draft.address === undefined),
    ...checkValues(point, facts),
  ];
  return { point, issues };
}

function commandFields(draft: PointDraft, facts: PointFacts): Record<string, unknown> {
  if (!isControl(draft)) return {};
  return { select_before_operate: facts.selectBeforeOperate, qualifier: facts.qualifier };
}

function checkType(point: NormalPoint, facts: PointFacts): FieldIssue[] {
  const { typeId, selectBeforeOperate, qualifier } = facts;
  const allowed = POINT_TYPES[point.frame_type];
  if (!allowed.includes(typeId)) {
    const known = typeSpec(typeId) ? typeText(typeId) : `${typeId}`;
    return [fieldIssue('protocol.type_id', say('point.iec104_type', { type: NAMES[point.frame_type], allowed, given: known }))];
  }
  const issues: FieldIssue[] = [];
  const isBits = plainType(typeId) === TypeId.C_BO_NA_1;
  if (isBits && selectBeforeOperate) {
    issues.push(fieldIssue('protocol.select_before_operate', say('point.iec104_no_selection')));
  }
  const most = isBits ? 0 : point.frame_type === FrameType.yk ? 31 : 127;
  if (qualifier > most)
    issues.push(fieldIssue('protocol.qualifier', say('point.iec104_qualifier', { most, type: typeText(typeId), given: qualifier })));
  return issues;
}

function checkAddresses(point: NormalPoint, settings: Pick<DriverChannelSettings, 'protocol'>, isMissing: boolean): FieldIssue[] {
  const sizes = storedSizes(settings);
  const issues: FieldIssue[] = [];
  const mostStation = broadcastAddress(sizes) - 1;
  if (!Number.isInteger(point.slave_id) || point.slave_id < 1 || point.slave_id > mostStation) {
    issues.push(fieldIssue('slave_id', say('point.iec104_station', { most: mostStation, given: point.slave_id })));
  }
  const mostObject = maxObjectAddress(sizes);
  if (isMissing) issues.push(fieldIssue('address', say('point.iec104_address')));
  else if (!Number.isInteger(point.address) || point.address < 1 || point.address > mostObject) {
    issues.push(fieldIssue('address', say('point.iec104_object', { most: mostObject, given: point.address })));
  }
  return issues;
}

function checkValues(point: NormalPoint, facts: PointFacts): FieldIssue[] {
  const issues = [...plainIssues(point), ...reverseIssues(point)];
  if (facts.group > 4 && isCounterType(facts.typeId)) {
    issues.push(fieldIssue('protocol.group', say('point.iec104_group', { given: facts.group })));
  }
  return [...issues, ...checkBit(point, facts.typeId)];
}

function checkBit(point: NormalPoint, typeId: number): FieldIssue[] {
  const bits = point.frame_type === FrameType.yx ? bitCount(typeId) : 0;
  if (bits === 0) {
    if (point.bit === null) return [];
    return [fieldIssue('bit', say('point.iec104_bit', { type: typeText(typeId) }))];
  }
  if (point.bit !== null && Number.isInteger(point.bit) && point.bit >= 0 && point.bit < bits) return [];
  const bit = point.bit ?? say('point.bit_empty');
  return [fieldIssue('bit', say('point.bit_range_for', { most: bits - 1, what: typeText(typeId), bit }))];
}
