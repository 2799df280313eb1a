/** Points of a row of a list of Modbus registers. */
import { FrameType } from '#shared/domain/enums.ts';
import { names } from '#shared/messages/message.ts';
import type { ListContext, ListPlacing, ListPoint } from '../../spi/lists.ts';
import { type AddressStyle, type PlacedAddress, placeAddress } from './address-style.ts';
import type { WrittenFunction } from './function-words.ts';
import type { Lengths } from './lengths.ts';
import { type RowFacts, textOf } from './row-facts.ts';
import { isBitRow, type ListTypes } from './type-questions.ts';
import { decodeFor, type RegisterOrder, rangeOf, registersOf, type WholeType } from './value-types.ts';
import { AREAS, type Area } from './written-address.ts';

/** What is known of a list as a whole. */
export interface ListReading {
  /** By table; the questions it waits for where it has to be asked. */
  readonly styles: ReadonlyMap<number, AddressStyle | readonly string[]>;
  readonly lengths: Lengths;
  /** Order of values whose row says none; null where it has to be asked, or where all say it. */
  readonly order: RegisterOrder | null;
  readonly types: ListTypes;
  readonly context: ListContext;
  /** Table that sentences of the list name; null for none. */
  readonly prose: Area | null;
}

/** A point on the way: what reads it and what writes it. */
interface Access {
  readonly address: number;
  readonly slave_id?: number;
  readonly area: Area;
  readonly isRead: boolean;
  readonly isWritten: boolean;
  /** The list names it as a command. */
  readonly isCommand: boolean;
}

/** Answers to the question `function`, as tables. */
const ANSWERED: Readonly<Record<string, Area>> = { '1': AREAS.coil, '2': AREAS.discrete, '3': AREAS.holding, '4': AREAS.input };
/** The function that reads a table (V1.1b3, 6.1 to 6.4). */
export const READS: Readonly<Record<Area, number>> = { [AREAS.coil]: 1, [AREAS.discrete]: 2, [AREAS.holding]: 3, [AREAS.input]: 4 };

export function placeRow(facts: RowFacts, reading: ListReading): ListPlacing {
  const { row } = facts;
  const text = textOf(row, 'address');
  const open = openQuestions(facts, reading);
  if (open.length > 0) return { kind: 'open', questions: open };
  const style = reading.styles.get(row.table);
  const place = style && 'reading' in style ? placeAddress(text, style) : null;
  if (!place) return text === '' ? out('row_no_address') : out('row_address', { value: text });
  const said = functionOf(facts, reading);
  if (said === 'left') return out('row_answer', { value: textOf(row, 'function') });
  const access = accessOf(facts, place, said, reading);
  if (!access.isRead && !access.isCommand && !reading.context.makesCommands) return out('row_write_only');
  if (isBitRow({ ...facts, function: { area: access.area, isRead: true, isWritten: false } }) || place.bit !== null) {
    return placeBit(facts, place, access, reading);
  }
  return placeValue(facts, access, reading);
}

const out = (
  rule: 'row_no_address' | 'row_address' | 'row_answer' | 'row_write_only' | 'row_bit' | 'row_type' | 'row_reserved' | 'row_type_left',
  params = {},
): ListPlacing => ({
  kind: 'out',
  rule,
  params,
});

/** Questions that the row waits for. */
function openQuestions(facts: RowFacts, { styles, lengths, types, order, context }: ListReading): string[] {
  if (!facts.written) return [];
  const open: string[] = [];
  const style = styles.get(facts.row.table);
  if (style && !('reading' in style)) open.push(...style);
  const word = textOf(facts.row, 'function');
  if (word !== '' && !facts.function && context.answers[`function:${word.toLowerCase()}`] === undefined)
    open.push(`function:${word.toLowerCase()}`);
  const isUnordered = order === null && (facts.order === null || facts.order === 'little');
  if (isBitRow(facts)) return isUnordered && isBitOfSeveral(facts, types) ? [...open, 'order'] : open;
  const type = types.typeOf(facts);
  if (type.kind === 'open') open.push(type.id);
  const registers = type.kind === 'type' ? registersOf(type.type.bits) : (lengths.registers(facts) ?? 1);
  const isOrdered = type.kind === 'type' && ORDERED.includes(type.type.kind) && registers > 1;
  if (isOrdered && isUnordered) open.push('order');
  return open;
}

/** Kinds of values that have an order of registers. */
const ORDERED: readonly WholeType['kind'][] = ['uint', 'int', 'float'];

/** True for a bit of a value of several registers, of which the order says in which one it is. */
function isBitOfSeveral(facts: RowFacts, types: ListTypes): boolean {
  const { written, function: said } = facts;
  const area = said?.area ?? written?.area ?? null;
  if (area === AREAS.coil || area === AREAS.discrete || !facts.type) return false;
  // a word for a type may leave its width to the length of the row
  const found = types.typeOf(facts);
  return found.kind === 'type' && ORDERED.includes(found.type.kind) && registersOf(found.type.bits) > 1;
}

function functionOf({ row, function: said }: RowFacts, { context }: ListReading): WrittenFunction | 'left' | null {
  const word = textOf(row, 'function');
  if (said || word === '') return said;
  const answer = context.answers[`function:${word.toLowerCase()}`];
  if (answer === 'leave') return 'left';
  const area = ANSWERED[answer ?? ''];
  return area === undefined ? null : { area, isRead: true, isWritten: false };
}

function accessOf(facts: RowFacts, place: PlacedAddress, said: WrittenFunction | null, { context, prose }: ListReading): Access {
  const { row } = facts;
  const area =
    said?.area ??
    place.area ??
    prose ??
    (facts.type?.kind === 'bool' && facts.bit === null && place.bit === null ? AREAS.coil : AREAS.holding);
  const isWritable = area === AREAS.coil || area === AREAS.holding;
  const isWritten = isWritable && ((row.access?.isWritten ?? false) || (said?.isWritten ?? false));
  const isRead = (row.access?.isRead ?? true) && (said?.isRead ?? true);
  const isCommand = row.frameType === FrameType.yk || row.frameType === FrameType.yt;
  const unit = /^\d{1,3}$/.exec(textOf(row, 'slave_id'))?.[0];
  const slave = unit === undefined ? place.unit : Number(unit);
  return {
    address: place.wire + context.add + context.settings.addressBase,
    ...(slave === null ? {} : { slave_id: slave }),
    area,
    isRead: !isCommand && (isRead || !isWritten),
    isWritten: isWritten || isCommand,
    isCommand,
  };
}

function placeBit(facts: RowFacts, place: PlacedAddress, access: Access, { context, types, order }: ListReading): ListPlacing {
  const { address, area } = access;
  const slave = access.slave_id === undefined ? {} : { slave_id: access.slave_id };
  const isCoil = area === AREAS.coil || area === AREAS.discrete;
  const text = facts.row.bit ?? facts.bit ?? place.bit;
  const bit = text === null ? null : Number(text);
  const type = facts.type ? types.typeOf(facts) : null;
  const decode =
    type?.kind === 'type' && type.type.bits > 8 ? decodeFor({ ...type.type, kind: 'uint' }, orderOfRow(facts, type.type, order)) : null;
  if (!isCoil && bit !== null && bit > (decode && decode.registers > 1 ? 31 : 15)) return out('row_bit', { bit });
  const of = isCoil ? { bit: null, decode: '0x20' } : { bit, decode: decode?.code ?? '0x20' };
  const points: ListPoint[] = [];
  if (access.isRead) points.push({ frame_type: FrameType.yx, address, ...slave, func_code: READS[area], ...of });
  // a bit of a register is written with its neighbours, which nobody asked for
  if (access.isWritten && (isCoil || access.isCommand) && (access.isCommand || context.makesCommands))
    points.push({ frame_type: FrameType.yk, address, ...slave, func_code: isCoil ? 5 : 6, ...of });
  return { kind: 'points', points };
}

function placeValue(facts: RowFacts, access: Access, { types, order, context }: ListReading): ListPlacing {
  const { address, area } = access;
  const found = types.typeOf(facts);
  if (found.kind === 'open') return { kind: 'open', questions: [found.id] };
  if (found.kind === 'left') return out('row_type_left', { value: found.word });
  if (found.kind === 'none') return out('row_type', { value: names(`${found.registers} registers`, `${found.registers} 个寄存器`) });
  const { type } = found;
  if (type.kind === 'void') return out('row_reserved');
  const slave = access.slave_id === undefined ? {} : { slave_id: access.slave_id };
  const isState = facts.row.frameType === FrameType.yx || facts.row.frameType === FrameType.yk || type.kind === 'bool';
  if (isState) return { kind: 'points', points: [stateOf(access, type, orderOfRow(facts, type, order))] };
  const decode = decodeFor(type, orderOfRow(facts, type, order));
  if (!decode) return out('row_type', { value: facts.typeWord === '' ? `${type.kind}${type.bits}` : facts.typeWord });
  const range = rangeOf(type);
  const points: ListPoint[] = [];
  if (access.isRead) points.push({ frame_type: FrameType.yc, address, ...slave, func_code: READS[area], decode: decode.code });
  if (access.isWritten && (access.isCommand || context.makesCommands)) {
    points.push({ frame_type: FrameType.yt, address, ...slave, func_code: decode.registers === 1 ? 6 : 16, decode: decode.code });
  }
  return { kind: 'points', points, ...(range ? { range } : {}), isBits: type.isBits };
}

/** A register that is on or off as a whole. */
function stateOf({ address, slave_id, area, isCommand }: Access, type: WholeType, order: RegisterOrder): ListPoint {
  const decode = type.kind === 'bool' ? null : decodeFor(type, order);
  const of = { address, ...(slave_id === undefined ? {} : { slave_id }), decode: decode?.code ?? '0x20', bit: null };
  return isCommand ? { frame_type: FrameType.yk, ...of, func_code: 6 } : { frame_type: FrameType.yx, ...of, func_code: READS[area] };
}

/** The order of the row, else that of the list, which is about words: one register keeps its octets unless the row says otherwise. */
function orderOfRow({ order: own }: RowFacts, { bits }: WholeType, order: RegisterOrder | null): RegisterOrder {
  if (bits <= 16) return own === 'BADC' || own === 'DCBA' ? 'BADC' : 'ABCD';
  return (own === 'little' ? null : own) ?? order ?? 'ABCD';
}
