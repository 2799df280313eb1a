import { FrameType } from '#shared/domain/enums.ts';
import { type Names, names } from '#shared/messages/message.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { type LookedTable, type Mend, POINTS_A_STEP, type Tell } from './finding.ts';

const TYPES: Readonly<Record<FrameType, Names>> = {
  [FrameType.yc]: names('YC', '遥测'),
  [FrameType.yx]: names('YX', '遥信'),
  [FrameType.yk]: names('YK', '遥控'),
  [FrameType.yt]: names('YT', '遥调'),
};

/** Related codes that lead nowhere or to another command, and commands that show no effect. */
export function* relationRules(table: LookedTable, tell: Tell): Steps<void> {
  const { points } = table;
  const book = new CodeBook();
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    book.enter(point);
  }
  for (const [at, point] of points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    if (!table.isOwn(at)) continue;
    const { related_code: code } = point;
    if (code === '') tellFeedback(table, at, book, tell);
    else tellRelation(point, at, book, tell);
  }
}

/** A relation may point forward, and to a point that comes later, so a missing one is no error. */
function tellRelation({ code: own, related_code: code }: NormalPoint, at: number, book: CodeBook, tell: Tell): void {
  const place = { at, field: 'related_code', about: code } as const;
  const type = book.typeOf(code);
  if (type === undefined) {
    const meant = book.like(code);
    // a command, or the point itself, would be wrong again
    const isSure = meant !== null && meant !== own && !isCommand(book.typeOf(meant) ?? FrameType.yk);
    const mend = isSure ? { related_code: meant } : null;
    tell({ ...place, rule: 'related_missing', severity: 'warning', params: { code }, mend });
  } else if (isCommand(type))
    tell({ ...place, rule: 'related_type', severity: 'warning', params: { code, type: TYPES[type] }, mend: null });
}

/** A command of which no point shows what it did. A setpoint that can be read back shows it by itself. */
function tellFeedback({ points, driver }: LookedTable, at: number, book: CodeBook, tell: Tell): void {
  const point = points[at];
  if (!point || !isCommand(point.frame_type) || !driver.descriptor.pointFields[point.frame_type].includes('related_code')) return;
  if (point.frame_type === FrameType.yt && driver.isReadable({ ...point, id: 0, channel_id: 0 })) return;
  tell({ rule: 'no_feedback', severity: 'hint', params: {}, at, field: 'related_code', about: '', mend: feedbackOf(point, book) });
}

/** The one point that has the name of the command at the same device, where no other command has the name, and none has the point for its feedback. */
function feedbackOf(command: NormalPoint, book: CodeBook): Mend | null {
  const wanted = command.frame_type === FrameType.yk ? FrameType.yx : FrameType.yc;
  const isNamed = command.name !== command.code && book.named(command.frame_type, command) === command.code;
  const code = isNamed ? book.named(wanted, command) : null;
  return code === null || book.isRelated(code) ? null : { related_code: code };
}

function isCommand(type: FrameType): boolean {
  return type === FrameType.yk || type === FrameType.yt;
}

/** The codes of a table, and what they are found by beside themselves. */
class CodeBook {
  readonly #types = new Map<string, FrameType>();
  /** Codes by how they look when letter case, width and marks do not count; null: several look so. */
  readonly #likes = new Map<string, string | null>();
  readonly #names = new Map<string, string | null>();
  readonly #related = new Set<string>();

  enter(point: NormalPoint): void {
    this.#types.set(point.code, point.frame_type);
    once(this.#likes, likeness(point.code), point.code);
    once(this.#names, nameKey(point.frame_type, point), point.code);
    if (isCommand(point.frame_type) && point.related_code !== '') this.#related.add(point.related_code);
  }

  typeOf(code: string): FrameType | undefined {
    return this.#types.get(code);
  }

  /** The only code that looks like this one; null where none or several do. */
  like(code: string): string | null {
    return this.#likes.get(likeness(code)) ?? null;
  }

  /** The only point of this type with the name and device of the other one; null where none or several are. */
  named(type: FrameType, other: NormalPoint): string | null {
    return this.#names.get(nameKey(type, other)) ?? null;
  }

  /** True for a code that a command has for its related point. */
  isRelated(code: string): boolean {
    return this.#related.has(code);
  }
}

function once(codes: Map<string, string | null>, key: string, code: string): void {
  codes.set(key, codes.has(key) ? null : code);
}

function nameKey(type: FrameType, { slave_id, name }: NormalPoint): string {
  return `${type} ${slave_id} ${name.trim()}`;
}

/** Letter case, width and marks left out. A mark between two digits stays: BAY1_1 is not BAY11. */
function likeness(code: string): string {
  return code
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d)[\s_.-]+(?=\d)/g, '_')
    .replace(/(?<!\d)[\s_.-]+|[\s_.-]+(?!\d)/g, '');
}
