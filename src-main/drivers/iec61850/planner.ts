/** Which requests a round sends: variables of many objects together, cut to the PDU size, or data sets where these cost less. Pure. */
import { runSteps, type Steps } from '../../platform/steps.ts';
import type { ReadBatch } from '../spi/index.ts';
import type { BoundPoint } from './binding.ts';
import type { VariableSpec } from './mms/pdu.ts';
import { readAnswerSize, readRequestSize } from './mms/sizes.ts';
import type { MmsType } from './mms/types.ts';
import { narrowed, type ReadUnit, type Slot, slotInMembers, type UnitOptions, unitOfPoint, unitsOf } from './read-units.ts';

/** Octets of the name of a data set in a request, beside its characters. */
const DATA_SET_OCTETS = 12;

/** One Read. */
export interface VariableBatch extends ReadBatch {
  readonly kind: 'variables';
  readonly units: readonly ReadUnit[];
  readonly variables: readonly VariableSpec[];
}

/** One Read of a data set. */
export interface DataSetBatch extends ReadBatch {
  readonly kind: 'data-set';
  /** `LD/LN$name`. */
  readonly name: string;
  readonly slots: readonly Slot[];
  /** Members by `LD/LN$FC$DO[$DA]`, in order. */
  readonly order: readonly string[];
  /** Of each member. */
  readonly types: readonly MmsType[];
}

export type PlannedBatch = VariableBatch | DataSetBatch;

/** A data set that may be read instead of variables. */
export interface PlannedSet {
  readonly name: string;
  /** Members by `LD/LN$FC$DO[$DA]`, in order. */
  readonly order: readonly string[];
  /** Place of each member by `LD/LN$FC$DO[$DA]`. */
  readonly members: ReadonlyMap<string, number>;
  readonly types: readonly MmsType[];
  /** Most octets of its values. */
  readonly answerOctets: number;
}

/** What requests may have, and what was learnt of the device. */
export interface PlanLimits extends UnitOptions {
  readonly maxPduOctets: number;
  /** Most variables in one request; infinite until the device refused more. */
  readonly maxVariables: number;
}

/** Units, or points, that are looked at before other work may get its turn. */
const LOOKS_A_STEP = 64;

/** Requests of a round. Each point is in exactly one of them. */
export function planBatches(points: readonly BoundPoint[], sets: readonly PlannedSet[], limits: PlanLimits): PlannedBatch[] {
  return runSteps(batchSteps(points, sets, limits));
}

/** The same in steps. */
export function* batchSteps(points: readonly BoundPoint[], sets: readonly PlannedSet[], limits: PlanLimits): Steps<PlannedBatch[]> {
  const units = yield* unitsOf(points, limits);
  const { batches, rest } = yield* chooseSets(units, sets, limits);
  return [...batches, ...(yield* packSteps(rest, limits))];
}

/** One request for each point. */
export function planSingles(points: readonly BoundPoint[], limits: PlanLimits): VariableBatch[] {
  return runSteps(singleSteps(points, limits));
}

/** The same in steps. */
export function* singleSteps(points: readonly BoundPoint[], limits: PlanLimits): Steps<VariableBatch[]> {
  const batches: VariableBatch[] = [];
  for (const [at, bound] of points.entries()) {
    if (at % LOOKS_A_STEP === LOOKS_A_STEP - 1) yield;
    batches.push(variableBatch([unitOfPoint(bound, limits)]));
  }
  return batches;
}

/** A request of these units. */
export function variableBatch(units: readonly ReadUnit[]): VariableBatch {
  return {
    kind: 'variables',
    slaveId: null,
    pointIds: units.flatMap(({ slots }) => slots.map(({ bound }) => bound.point.id)),
    units,
    variables: units.flatMap(({ items }) => items.map(({ spec }) => spec)),
  };
}

/** What stands for a request that the device could not answer as a whole: its halves, or the leaves of its only unit; empty when it was the least. */
export function smaller(batch: VariableBatch): VariableBatch[] {
  const { units } = batch;
  if (units.length > 1) {
    const middle = units.length >> 1;
    return [variableBatch(units.slice(0, middle)), variableBatch(units.slice(middle))];
  }
  const [unit] = units;
  if (!unit) return [];
  if (!unit.isNarrow) return narrowed(unit).map((each) => variableBatch([each]));
  return unit.slots.length > 1
    ? unit.slots.map(({ bound }) => variableBatch(narrowed({ ...unit, slots: unit.slots.filter((slot) => slot.bound === bound) })))
    : [];
}

/** Fills requests until the question or its answer would be larger than a PDU. */
export function packUnits(units: readonly ReadUnit[], limits: PlanLimits): VariableBatch[] {
  return runSteps(packSteps(units, limits));
}

/** The same in steps. */
export function* packSteps(units: readonly ReadUnit[], limits: PlanLimits): Steps<VariableBatch[]> {
  const most = { request: limits.maxPduOctets - readRequestSize(0), answer: limits.maxPduOctets - readAnswerSize(0) };
  const isLongQuestion = ({ requestOctets, answerOctets }: ReadUnit) => requestOctets * most.answer >= answerOctets * most.request;
  // long questions with short answers and the other way round share requests well: each request takes from both
  const heads = [
    { units: units.filter(isLongQuestion), next: 0 },
    { units: units.filter((unit) => !isLongQuestion(unit)), next: 0 },
  ];
  const batches: VariableBatch[] = [];
  let open: ReadUnit[] = [];
  let used = { request: 0, answer: 0, variables: 0 };
  const fits = (unit: ReadUnit | undefined): unit is ReadUnit => {
    if (!unit || open.length === 0) return unit !== undefined;
    const isWithin = used.request + unit.requestOctets <= most.request && used.answer + unit.answerOctets <= most.answer;
    return isWithin && used.variables + unit.items.length <= limits.maxVariables;
  };
  for (;;) {
    const preferred = used.request * most.answer <= used.answer * most.request ? 0 : 1;
    const head = [heads[preferred], heads[1 - preferred]].find((each) => fits(each?.units[each.next]));
    const unit = head?.units[head.next];
    if (head && unit) {
      head.next += 1;
      if (head.next % LOOKS_A_STEP === 0) yield;
      used = {
        request: used.request + unit.requestOctets,
        answer: used.answer + unit.answerOctets,
        variables: used.variables + unit.items.length,
      };
      open.push(unit);
    } else if (open.length > 0) {
      batches.push(variableBatch(open));
      open = [];
      used = { request: 0, answer: 0, variables: 0 };
    } else return batches;
  }
}

interface Choice {
  readonly batches: readonly DataSetBatch[];
  readonly rest: readonly ReadUnit[];
}

/** Octets of questions and answers. */
interface Octets {
  readonly request: number;
  readonly answer: number;
}

/** Data sets that make the round cheaper: fewer requests, or as many with fewer octets. */
function* chooseSets(units: readonly ReadUnit[], sets: readonly PlannedSet[], limits: PlanLimits): Steps<Choice> {
  if (sets.length === 0) return { batches: [], rest: units };
  const batches: DataSetBatch[] = [];
  const byObject = new Map<string, ReadUnit[]>();
  for (const [at, unit] of units.entries()) {
    if (at % LOOKS_A_STEP === LOOKS_A_STEP - 1) yield;
    const key = objectOf(unit);
    const known = byObject.get(key);
    if (known) known.push(unit);
    else byObject.set(key, [unit]);
  }
  const rest = new Set(units);
  let octets = octetsOf(units);
  const offers: { readonly set: PlannedSet; readonly saved: number }[] = [];
  for (const set of sets) {
    yield;
    if (readAnswerSize(set.answerOctets) > limits.maxPduOctets) continue;
    const { saved } = coverage(set, byObject, rest);
    if (saved > 0) offers.push({ set, saved });
  }
  offers.sort((one, other) => other.saved - one.saved);
  for (const { set } of offers) {
    yield;
    const { covered, slots, saved } = coverage(set, byObject, rest);
    const gone = octetsOf(covered);
    const left = { request: octets.request - gone.request, answer: octets.answer - gone.answer };
    if (saved <= 0 || requestsFor(left, limits) + 1 > requestsFor(octets, limits)) continue;
    const pointIds = slots.map(({ bound }) => bound.point.id);
    batches.push({ kind: 'data-set', slaveId: null, pointIds, name: set.name, slots, order: set.order, types: set.types });
    for (const unit of covered) rest.delete(unit);
    octets = left;
  }
  return { batches, rest: units.filter((unit) => rest.has(unit)) };
}

/** Units whose points all find their parts in a data set, and the octets it saves. */
function coverage(
  set: PlannedSet,
  byObject: ReadonlyMap<string, readonly ReadUnit[]>,
  rest: ReadonlySet<ReadUnit>,
): { covered: readonly ReadUnit[]; slots: Slot[]; saved: number } {
  const objects = new Set([...set.members.keys()].map(objectOfKey));
  const covered: ReadUnit[] = [];
  const found: Slot[] = [];
  let saved = -(set.answerOctets + set.name.length + DATA_SET_OCTETS);
  for (const unit of [...objects].flatMap((object) => byObject.get(object) ?? [])) {
    if (!rest.has(unit)) continue;
    const slots = unit.slots.map(({ bound }) => slotInMembers(bound, set.members));
    const whole = slots.filter((slot) => slot !== null);
    if (whole.length < slots.length) continue;
    covered.push(unit);
    found.push(...whole);
    saved += unit.requestOctets + unit.answerOctets;
  }
  return { covered, slots: found, saved };
}

function objectOf({ slots }: ReadUnit): string {
  const bound = slots[0]?.bound;
  return bound ? `${bound.domain}/${bound.node}$${bound.constraint}$${bound.path[0]}` : '';
}

/** `LD/LN$FC$DO` of a member. */
function objectOfKey(member: string): string {
  return member.split('$', 3).join('$');
}

function octetsOf(units: readonly ReadUnit[]): Octets {
  let [request, answer] = [0, 0];
  for (const unit of units) {
    request += unit.requestOctets;
    answer += unit.answerOctets;
  }
  return { request, answer };
}

/** Least requests that so many octets need. */
function requestsFor({ request, answer }: Octets, limits: PlanLimits): number {
  const least = (octets: number, frame: number) => Math.ceil(octets / Math.max(1, limits.maxPduOctets - frame));
  return Math.max(least(request, readRequestSize(0)), least(answer, readAnswerSize(0)));
}
