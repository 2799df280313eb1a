/** How people write the information objects of IEC 104 in lists. */
import { FrameType } from '#shared/domain/enums.ts';
import { LEAVE_ROWS, type ListRole } from '#shared/domain/list-mapping.ts';
import { say } from '#shared/messages/index.ts';
import type { ListConclusion, ListContext, ListDialect, ListPlacing, ListRow, ListSurvey, OpenListQuestion } from '../../spi/lists.ts';
import { typeText } from '../codec/types.ts';
import { frameTypeOf, POINT_TYPES } from '../point-types.ts';
import { parseTypeId } from './type-words.ts';

const ROLES: readonly ListRole[] = ['address', 'type', 'slave_id', 'bit'];

/** Where the field begins each type of point (decisions, "Points"; GB/T and DL/T profiles of IEC 60870-5-104). */
const USUAL_FIRST: Readonly<Record<FrameType, number>> = {
  [FrameType.yx]: 0x0001,
  [FrameType.yc]: 0x4001,
  [FrameType.yk]: 0x6001,
  [FrameType.yt]: 0x6201,
};

export const iec104Lists: ListDialect = {
  roles: ROLES,
  fits(role, text) {
    if (role === 'address') return objectAddress(text) !== null;
    if (role === 'type') return parseTypeId(text) !== null;
    if (role === 'slave_id') return /^\d{1,5}$/.test(text);
    return role === 'bit' ? /^\d{1,2}$/.test(text) : undefined;
  },
  survey: surveyObjects,
};

/** Decimal, or marked as hexadecimal: `16385`, `0x4001`, `4001H`. Null for anything else. */
function objectAddress(text: string): number | null {
  const written = text.normalize('NFKC').trim();
  const hex = /^(?:0x|16#)([0-9a-f]{1,6})$|^([0-9a-f]{1,6})h$/i.exec(written);
  if (hex) return Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
  return /^\d{1,8}$/.test(written) ? Number(written) : null;
}

interface ObjectRow {
  readonly address: number | null;
  readonly typeId: number | null;
  readonly frameType: FrameType | null;
}

function objectOf(row: ListRow, answers: Readonly<Record<string, string>>): ObjectRow {
  const word = wordOf(row);
  const typeId = word === '' ? null : (parseTypeId(word) ?? parseTypeId(answers[`type:${word}`] ?? ''));
  return {
    address: objectAddress(row.texts.address ?? ''),
    typeId,
    frameType: (typeId === null ? null : frameOf(typeId, row.frameType)) ?? row.frameType,
  };
}

const wordOf = (row: ListRow): string => (row.texts.type ?? '').trim().toLowerCase();

/** The type of point of a type identification: what the list says where that is possible. */
function frameOf(typeId: number, stated: FrameType | null): FrameType | null {
  if (stated !== null && POINT_TYPES[stated].includes(typeId)) return stated;
  const types = [FrameType.yk, FrameType.yt].filter((type) => POINT_TYPES[type].includes(typeId));
  return types[0] ?? frameTypeOf(typeId);
}

function surveyObjects(rows: readonly ListRow[], context: ListContext): ListSurvey {
  const { answers } = context;
  const objects = new Map(rows.map((row) => [row, objectOf(row, answers)]));
  const addressed = [...objects].filter(([, { address }]) => address !== null);
  const questions = typeQuestions(addressed, answers);
  const told: ListConclusion[] = [];
  const firsts = firstAddresses(addressed.map(([, object]) => object));
  const base = baseOf(
    firsts,
    addressed.map(([, object]) => object),
    answers,
    questions,
    told,
  );
  return {
    told,
    questions,
    place: (row) => placeObject(row, objects.get(row) ?? objectOf(row, answers), { context, base, firsts }),
  };
}

/** What is asked where neither the type nor the kind of point is known. */
function typeQuestions(
  addressed: readonly (readonly [ListRow, ObjectRow])[],
  answers: Readonly<Record<string, string>>,
): OpenListQuestion[] {
  const words = new Set(addressed.filter(([, { frameType, typeId }]) => frameType === null && typeId === null).map(([row]) => wordOf(row)));
  for (const id of Object.keys(answers))
    if (id.startsWith('type:') && addressed.some(([row]) => `type:${wordOf(row)}` === id)) words.add(id.slice('type:'.length));
  return [...words].map((word) => ({
    id: `type:${word}`,
    kind: 'type',
    params: { word, registers: 0 },
    choices: [
      'M_ME_NC_1',
      'M_ME_NB_1',
      'M_ME_NA_1',
      'M_SP_NA_1',
      'M_DP_NA_1',
      'M_IT_NA_1',
      'C_SC_NA_1',
      'C_DC_NA_1',
      'C_SE_NC_1',
      LEAVE_ROWS,
    ],
    proposed: null,
    isTold: false,
  }));
}

function firstAddresses(objects: readonly ObjectRow[]): ReadonlyMap<FrameType, number> {
  const firsts = new Map<FrameType, number>();
  for (const { address, frameType } of objects) {
    if (address !== null && frameType !== null) firsts.set(frameType, Math.min(address, firsts.get(frameType) ?? address));
  }
  return firsts;
}

/**
 * Numbers that begin at 0 are no object addresses (IEC 60870-5-101, 7.2.5), and two types of point of one direction have no address in common: such lists number their
 * points. Null where that has to be asked.
 */
function baseOf(
  firsts: ReadonlyMap<FrameType, number>,
  objects: readonly ObjectRow[],
  answers: Readonly<Record<string, string>>,
  questions: OpenListQuestion[],
  told: ListConclusion[],
): 'written' | 'usual' | null {
  const hasZero = [...firsts.values()].includes(0);
  const addresses = (type: FrameType) => new Set(objects.filter(({ frameType }) => frameType === type).map(({ address }) => address));
  const [states, values] = [addresses(FrameType.yx), addresses(FrameType.yc)];
  const isShared = [...states].some((address) => values.has(address));
  if (!hasZero && !isShared) return 'written';
  const answer = answers.object_base;
  const choices = hasZero ? ['usual', 'written'] : ['written', 'usual'];
  questions.push({ id: 'object_base', kind: 'object_base', params: {}, choices, proposed: 'usual', isTold: false });
  if (answer !== 'written' && answer !== 'usual') return null;
  told.push({
    rule: 'list_object_base',
    params: { reading: say(`list.object_${answer}`), why: hasZero ? say('list.why_zero') : say('list.why_other') },
  });
  return answer;
}

interface Placing {
  readonly context: ListContext;
  readonly base: 'written' | 'usual' | null;
  readonly firsts: ReadonlyMap<FrameType, number>;
}

function placeObject(row: ListRow, { address, typeId, frameType }: ObjectRow, { context, base, firsts }: Placing): ListPlacing {
  const text = (row.texts.address ?? '').trim();
  if (address === null)
    return { kind: 'out', rule: text === '' ? 'row_no_address' : 'row_address', params: text === '' ? {} : { value: text } };
  const id = `type:${wordOf(row)}`;
  if (context.answers[id] === LEAVE_ROWS) return { kind: 'out', rule: 'row_type_left', params: { value: wordOf(row) } };
  if (frameType === null) {
    if (typeId !== null) return { kind: 'out', rule: 'row_direction', params: { value: typeText(typeId) } };
    return { kind: 'open', questions: [id] };
  }
  if (base === null) return { kind: 'open', questions: ['object_base'] };
  const begins = (firsts.get(frameType) ?? 1) === 0 ? 0 : 1;
  const slave = /^\d{1,5}$/.exec((row.texts.slave_id ?? '').trim())?.[0];
  const bit = row.bit ?? (/^\d{1,2}$/.test(row.texts.bit ?? '') ? Number(row.texts.bit) : null);
  const isBit = bit !== null && frameType === FrameType.yx;
  return {
    kind: 'points',
    points: [
      {
        frame_type: frameType,
        address: (base === 'usual' ? address - begins + USUAL_FIRST[frameType] : address) + context.add,
        ...(slave === undefined ? {} : { slave_id: Number(slave) }),
        ...(isBit ? { bit } : {}),
        ...(typeId === null || !POINT_TYPES[frameType].includes(typeId) ? {} : { protocol: { type_id: typeId } }),
      },
    ],
  };
}
