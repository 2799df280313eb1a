import type { NormalPoint, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { Steps } from '../../platform/steps.ts';
import { type LookedTable, POINTS_A_STEP, type RuleFinding, type Tell } from './finding.ts';

type PlacingDriver = Pick<ProtocolDriver, 'descriptor' | 'addressSpan'>;

/** Where a point lies: the addresses it covers, end excluded, in one space of addresses. */
export interface PointSpan {
  readonly space: string;
  readonly start: number;
  readonly end: number;
}

/** Where a point lies by the rules of its protocol; null for one that is found neither by an address nor by a reference. */
export function spanOf(driver: PlacingDriver, point: NormalPoint): PointSpan | null {
  const fields = driver.descriptor.pointFields[point.frame_type];
  const isNumbered = fields.includes('address');
  // a reference is one where the driver makes an address space of it
  const isNamed = fields.includes('reference') && driver.addressSpan !== undefined && point.reference !== '';
  if (!isNumbered && !isNamed) return null;
  const { space, length } = driver.addressSpan?.(point) ?? { space: `type ${point.frame_type}`, length: 1 };
  const start = isNumbered ? point.address : 0;
  return { space: `${point.slave_id} ${space}`, start, end: start + length };
}

/** The field that says where a point lies. */
export function placeField(point: NormalPoint): 'address' | 'reference' {
  return point.reference === '' ? 'address' : 'reference';
}

interface Span extends PointSpan {
  readonly at: number;
  readonly point: NormalPoint;
}

/** Points on one address, and points that share only part of their registers. */
export function* placeRules(table: LookedTable, tell: Tell): Steps<void> {
  const spaces = new Map<string, Span[]>();
  for (const [at, point] of table.points.entries()) {
    if (at % POINTS_A_STEP === 0) yield;
    const span = spanOf(table.driver, point);
    if (!span) continue;
    const spans = spaces.get(span.space);
    if (spans) spans.push({ ...span, at, point });
    else spaces.set(span.space, [{ ...span, at, point }]);
  }
  for (const spans of spaces.values()) {
    yield;
    // wide points come before those that lie within them
    spans.sort((a, b) => a.start - b.start || b.end - a.end || a.at - b.at);
    yield* twins(spans, table, tell);
    yield* overlaps(spans, table, tell);
  }
}

/** The same type on the same address, and the same bits of it: probably written twice. */
function* twins(spans: readonly Span[], table: LookedTable, tell: Tell): Steps<void> {
  const first = new Map<string, Span>();
  for (const [index, span] of spans.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    const { point } = span;
    const key = `${span.start} ${span.end} ${point.frame_type} ${point.bit ?? ''} ${point.protocol.width ?? ''}`;
    const twin = first.get(key);
    if (!twin) first.set(key, span);
    else tellPair('same_address', span, twin, table, tell);
  }
}

/** Registers shared in part are probably an address that is off by one. Bits of a register, and points that cover the same, are meant. */
function* overlaps(spans: readonly Span[], table: LookedTable, tell: Tell): Steps<void> {
  let reach: Span | null = null;
  for (const [index, span] of spans.entries()) {
    if (index % POINTS_A_STEP === 0) yield;
    if (span.point.bit !== null) continue;
    const isShared = reach !== null && span.start < reach.end;
    if (reach && isShared && (span.start !== reach.start || span.end !== reach.end)) tellPair('overlap', span, reach, table, tell);
    if (!reach || span.end > reach.end) reach = span;
  }
}

/** Names the two points at one that is looked at; nothing when neither is. */
function tellPair(rule: 'same_address' | 'overlap', span: Span, other: Span, table: LookedTable, tell: Tell): void {
  const [named, own] = table.isOwn(span.at) ? [other, span] : [span, other];
  if (!table.isOwn(own.at)) return;
  const { code } = named.point;
  const finding: RuleFinding = {
    rule,
    severity: 'warning',
    params: rule === 'overlap' ? { code, range: `${named.start}–${named.end - 1}` } : { code },
    at: own.at,
    field: placeField(own.point),
    about: code,
    mend: null,
  };
  tell(finding);
}
