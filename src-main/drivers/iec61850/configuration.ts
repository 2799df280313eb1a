/** Units, scales and control models as a device has them, read once with its model: a file is not needed to know what a number means. */
import { isCancelled, toAppError } from '#shared/domain/errors.ts';
import type { MmsClient } from './association/mms-client.ts';
import { isTooMuch, refusalOf } from './association/refusals.ts';
import { readItem } from './binding.ts';
import type { MmsResult, MmsType, MmsValue } from './mms/types.ts';
import type { LogicalDevice } from './model/ied-model.ts';
import { componentType } from './model/types.ts';
import { packUnits } from './planner.ts';
import type { ReadUnit } from './read-units.ts';
import { readVariables } from './reads.ts';

export interface ConfigurationOptions {
  readonly client: Pick<MmsClient, 'request' | 'negotiated'>;
  /** Time limit of a request, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const CONSTRAINT = 'CF';
const STRUCTURES: ReadonlySet<string> = new Set(['units', 'sVC', 'magSVC', 'angSVC']);
const NUMBERS: ReadonlySet<string> = new Set(['pulsQty', 'ctlModel']);
/** Requests for one model; what a device with small PDUs has beyond them stays unknown. */
const MOST_REQUESTS = 50;
/** Digits that tell every FLOAT32 from its neighbours. */
const FLOAT32_DIGITS = 9;

/** Something to read: its name in the model, and what comes. */
interface Wanted {
  readonly key: string;
  readonly type: MmsType;
  readonly unit: ReadUnit;
}

/**
 * Values of the attributes that say unit and scale, by `LD/LN$CF$DO$units$SIUnit`, as a file would write them. What the device refuses is left
 * out, and everything behind a request that it does not answer. Rejects with what ended the association, and with `CANCELLED`.
 */
export async function readConfiguration(
  devices: readonly LogicalDevice[],
  options: ConfigurationOptions,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  const wanted = new Map(wantedOf(devices).map((each) => [each.key, each]));
  const maxPduOctets = options.client.negotiated?.maxPduOctets ?? 0;
  const limits = { maxPduOctets, maxVariables: Number.POSITIVE_INFINITY, isNarrowed: () => false };
  const waiting = packUnits(
    [...wanted.values()].map(({ unit }) => unit),
    limits,
  ).map(({ units }) => units);
  let requests = 0;
  for (let units = waiting.shift(); units && requests < MOST_REQUESTS; units = waiting.shift()) {
    requests += 1;
    const answer = await ask(units, options);
    if (answer === 'silent') return values;
    if (answer === 'too-much' && units.length > 1) {
      const middle = units.length >> 1;
      waiting.unshift(units.slice(0, middle), units.slice(middle));
    } else if (typeof answer !== 'string') {
      units.forEach(({ key }, place) => {
        const result = answer[place];
        const type = wanted.get(key)?.type;
        if (type && result && result.kind !== 'failure') addTexts(key, result, type, values);
      });
    }
  }
  return values;
}

/** Units and scales of all data objects, in model order. */
function wantedOf(devices: readonly LogicalDevice[]): Wanted[] {
  const paths = new Map<MmsType, readonly (readonly string[])[]>();
  return devices.flatMap(({ name: domain, nodes }) =>
    nodes.flatMap((node) => {
      const type = componentType(node.type, CONSTRAINT);
      if (!type) return [];
      const known = paths.get(type) ?? pathsIn(type, []);
      paths.set(type, known);
      return known.flatMap((path) => wantedAt({ domain, node: node.name, constraint: CONSTRAINT, type }, path) ?? []);
    }),
  );
}

function wantedAt(place: { domain: string; node: string; constraint: string; type: MmsType }, path: readonly string[]): Wanted | null {
  let type: MmsType | null = place.type;
  for (const step of path) type = type && componentType(type, step);
  if (!type) return null;
  const item = readItem(place, path);
  const key = `${place.domain}/${place.node}$${CONSTRAINT}$${path.join('$')}`;
  const { requestOctets, answerOctets } = item;
  return { key, type, unit: { key, items: [item], slots: [], requestOctets, answerOctets, isNarrow: true } };
}

/** Ways to the attributes below a type; data objects in arrays are left out. */
function pathsIn(type: MmsType, path: readonly string[]): readonly (readonly string[])[] {
  if (type.kind !== 'structure') return [];
  return type.components.flatMap(({ name, type: part }) => {
    const isWanted = part.kind === 'structure' ? STRUCTURES.has(name) : isNumber(part) && NUMBERS.has(name);
    // a data object of this name would be the first step
    return isWanted && path.length > 0 ? [[...path, name]] : pathsIn(part, [...path, name]);
  });
}

function isNumber({ kind }: MmsType): boolean {
  return kind === 'float' || kind === 'integer';
}

async function ask(
  units: readonly ReadUnit[],
  { client, timeoutMs, signal }: ConfigurationOptions,
): Promise<readonly MmsResult[] | 'too-much' | 'refused' | 'silent'> {
  const items = units.flatMap((unit) => unit.items.map(({ spec }) => spec));
  try {
    return await readVariables(client, items, { timeoutMs, signal });
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isCancelled(error) || signal.aborted) throw error;
    if (isTooMuch(error)) return 'too-much';
    if (refusalOf(error) !== null || error.code.startsWith('PROTOCOL_')) return 'refused';
    if (error.code === 'TIMEOUT_RESPONSE') return 'silent';
    throw error;
  }
}

function addTexts(key: string, value: MmsValue, type: MmsType, values: Map<string, string>): void {
  if (value.kind === 'structure') {
    if (type.kind !== 'structure') return;
    value.items.forEach((item, place) => {
      const component = type.components[place];
      if (component) addTexts(`${key}$${component.name}`, item, component.type, values);
    });
  } else if (value.kind === 'integer' || value.kind === 'unsigned') values.set(key, String(value.value));
  else if (value.kind === 'float') values.set(key, floatText(value.value, value.width));
}

/** The shortest number that is this one in its width: 0.001, not 0.0010000000474974513. */
function floatText(value: number, width: 32 | 64): string {
  if (width === 64 || !Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < FLOAT32_DIGITS; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(FLOAT32_DIGITS)));
}
