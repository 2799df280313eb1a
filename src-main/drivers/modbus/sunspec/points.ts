/** Points of the table for what a SunSpec model holds: names, units, scales and texts from its definition. Pure. */
import { FrameType } from '#shared/domain/enums.ts';
import { MOST_REGISTERS } from '#shared/domain/registers.ts';
import type { SunSpecPoint } from './definitions.ts';
import type { PlacedPoint } from './layout.ts';

/** A point as the API takes it. */
export interface FoundPoint {
  readonly frame_type: FrameType;
  readonly code: string;
  readonly name: string;
  readonly slave_id: number;
  readonly address: number;
  readonly func_code: number;
  readonly decode: string;
  readonly mul_coe: number;
  readonly unit: string;
  readonly category: string;
  readonly protocol: Readonly<Record<string, unknown>>;
}

interface TypeRule {
  readonly decode: string;
  readonly kind?: string;
  /** The value that means "not implemented"; an accumulator has none that is no value as well. */
  readonly absent?: string;
}

/** Types of SunSpec (Device Information Model Specification V1.2, 4.2): big-endian, high register first. */
const TYPES: Readonly<Record<string, TypeRule>> = {
  int16: { decode: '0x21', absent: '0x8000' },
  uint16: { decode: '0x20', absent: '0xFFFF' },
  raw16: { decode: '0x20' },
  count: { decode: '0x20' },
  acc16: { decode: '0x20' },
  enum16: { decode: '0x20', absent: '0xFFFF' },
  bitfield16: { decode: '0x20', absent: '0xFFFF' },
  sunssf: { decode: '0x21', absent: '0x8000' },
  int32: { decode: '0x41', absent: '0x80000000' },
  uint32: { decode: '0x40', absent: '0xFFFFFFFF' },
  acc32: { decode: '0x40' },
  enum32: { decode: '0x40', absent: '0xFFFFFFFF' },
  bitfield32: { decode: '0x40', absent: '0xFFFFFFFF' },
  int64: { decode: '0x61', absent: '0x8000000000000000' },
  uint64: { decode: '0x60', absent: '0xFFFFFFFFFFFFFFFF' },
  acc64: { decode: '0x60' },
  bitfield64: { decode: '0x60', absent: '0xFFFFFFFFFFFFFFFF' },
  float32: { decode: '0x42' },
  float64: { decode: '0x62' },
  string: { decode: '0x20', kind: 'text', absent: '0x00' },
  ipaddr: { decode: '0x40', kind: 'ip', absent: '0x00000000' },
  ipv6addr: { decode: '0x40', kind: 'ip' },
  eui48: { decode: '0x60', kind: 'mac', absent: '0x0000FFFFFFFFFFFF' },
};

const HOLDING_REGISTERS = 3;
const WRITE_REGISTERS = 16;
const LONGEST_UNIT = 32;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 100;

export interface PointsOptions {
  readonly slaveId: number;
  readonly addressBase: number;
  /** `103`, and `103#2` for the second model of this id. */
  readonly modelName: string;
  /** Title of the model, the category of its points. */
  readonly title: string;
  /** Makes a setpoint beside each number that may be written. */
  readonly withSetpoints: boolean;
}

/** The points for placed ones, in their order; a type that is not known is left out. */
export function foundPoints(placed: readonly PlacedPoint[], options: PointsOptions): FoundPoint[] {
  return placed.flatMap((item) => {
    const rule = TYPES[item.point.type];
    if (!rule) return [];
    const read = { ...pointOf(item, rule, options), frame_type: FrameType.yc, func_code: HOLDING_REGISTERS };
    const isSet = options.withSetpoints && item.point.access === 'RW' && rule.kind === undefined;
    return isSet ? [read, { ...read, frame_type: FrameType.yt, func_code: WRITE_REGISTERS }] : [read];
  });
}

function pointOf(item: PlacedPoint, rule: TypeRule, options: PointsOptions): Omit<FoundPoint, 'frame_type' | 'func_code'> {
  const { point, path, scaleAddress } = item;
  const { addressBase, modelName, slaveId } = options;
  const groups = path.map(({ group, number }) => `${group.name}${number ?? ''}`);
  const labels = path.map(({ group, number }) => [group.label ?? group.name, number].filter((part) => part !== null).join(' '));
  return {
    code: ['SS', modelName, ...groups, point.name].join('.'),
    name: [...labels, point.label ?? point.name].join(' ').slice(0, LONGEST_NAME),
    slave_id: slaveId,
    address: item.address + addressBase,
    decode: rule.decode,
    mul_coe: typeof point.sf === 'number' ? Number(`1e${point.sf}`) : 1,
    unit: (point.units ?? '').slice(0, LONGEST_UNIT),
    category: options.title.slice(0, LONGEST_TEXT),
    protocol: {
      ...(rule.kind === undefined ? {} : { kind: rule.kind, registers: Math.min(point.size, MOST_REGISTERS) }),
      ...(rule.kind === 'text' ? { encoding: 'utf8' } : {}),
      ...(rule.absent === undefined ? {} : { absent: rule.absent }),
      ...(scaleAddress === null ? {} : { scale_address: scaleAddress + addressBase }),
      ...textsOf(point),
    },
  };
}

/** Texts of single values, or of bits. */
function textsOf({ type, symbols = [] }: SunSpecPoint): Readonly<Record<string, unknown>> {
  if (symbols.length === 0) return {};
  const texts = Object.fromEntries(symbols.map(({ name, label, value }) => [String(value), (label ?? name).slice(0, LONGEST_TEXT)]));
  if (type.startsWith('enum')) return { enum_texts: texts };
  return type.startsWith('bitfield') ? { bit_texts: texts } : {};
}
