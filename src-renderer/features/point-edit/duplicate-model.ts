import { NewPoint, type Point } from '#shared/contract/points.ts';
import { registersOf } from '#shared/domain/registers.ts';
import { type EditPlan, NOTHING, type PlannedLine } from './edit-plan.ts';

/** How copies differ from what they are copies of, from one to the next. */
export interface CopyRule {
  readonly copies: number;
  readonly addressStep: number;
  readonly slaveStep: number;
  /** Added to the last number of the code. */
  readonly codeStep: number;
}

const LAST_NUMBER = /^(.*?)(\d+)(\D*)$/s;

/** A text with its last number raised: `BAY09_U` by 2 is `BAY11_U`. Without a number one is put behind it. */
export function raised(text: string, by: number): string {
  const found = LAST_NUMBER.exec(text);
  if (!found) return `${text}_${by + 1}`;
  const [, head = '', digits = '', tail = ''] = found;
  return `${head}${String(BigInt(digits) + BigInt(by)).padStart(digits.length, '0')}${tail}`;
}

/** A text beside the code: the first number that is the one raised in the code is raised with it. */
function alongside(text: string, code: string, copy: string): string {
  if (text === code) return copy;
  const [, , digits] = LAST_NUMBER.exec(code) ?? [];
  const [, , raisedDigits] = LAST_NUMBER.exec(copy) ?? [];
  if (digits === undefined || raisedDigits === undefined) return text;
  const same = [...text.matchAll(/\d+/g)].find(([number]) => BigInt(number) === BigInt(digits));
  if (!same) return text;
  const { index, 0: number } = same;
  const next = String(BigInt(raisedDigits)).padStart(number.length, '0');
  return text.slice(0, index) + next + text.slice(index + number.length);
}

/** The smallest step with which no copy gets a code of the selection or of another copy, and the addresses lie behind each other. */
export function suggestedRule(points: readonly Point[]): CopyRule {
  const codes = points.map(({ code }) => code);
  const taken = new Set(codes);
  const isFree = (step: number) => codes.every((code) => !taken.has(raised(code, step)));
  let codeStep = 1;
  while (codeStep < points.length && !isFree(codeStep)) codeStep += 1;
  const ends = points.map((point) => point.address + registersOf(point));
  const first = points.reduce((least, { address }) => Math.min(least, address), Number.POSITIVE_INFINITY);
  const end = ends.reduce((most, each) => Math.max(most, each), 0);
  return { copies: 1, addressStep: Math.max(1, end - first), slaveStep: 0, codeStep };
}

function placeText({ code, slave_id, address }: Pick<Point, 'code' | 'slave_id' | 'address'>): string {
  return `${code} · ${slave_id} · ${address}`;
}

/** The copies as points to add; a relation within the selection leads to the copy of the related point. */
export function duplicatePlan(points: readonly Point[], { copies, addressStep, slaveStep, codeStep }: CopyRule): EditPlan {
  if (points.length === 0 || copies < 1) return NOTHING;
  const codes = new Set(points.map(({ code }) => code));
  const made = Array.from({ length: copies }, (_, index) => index + 1).flatMap((turn) =>
    points.map((point) => {
      const code = raised(point.code, codeStep * turn);
      const copy = NewPoint.safeParse({
        ...point,
        code,
        name: alongside(point.name, point.code, code),
        reference: alongside(point.reference, point.code, code),
        address: point.address + addressStep * turn,
        slave_id: point.slave_id + slaveStep * turn,
        related_code: codes.has(point.related_code) ? raised(point.related_code, codeStep * turn) : point.related_code,
      });
      const line: PlannedLine = {
        key: `${point.id} ${turn}`,
        code: point.code,
        before: placeText(point),
        after: placeText({ code, slave_id: point.slave_id + slaveStep * turn, address: point.address + addressStep * turn }),
      };
      return { copy: copy.success ? copy.data : null, line };
    }),
  );
  return {
    changes: made.flatMap(({ copy }) => (copy ? [{ op: 'add' as const, point: copy }] : [])),
    lines: made.map(({ line }) => line),
  };
}
