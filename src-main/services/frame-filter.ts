import { isServing } from '#shared/domain/enums.ts';
import { invalidField } from '#shared/domain/errors.ts';
import type { FrameField } from '#shared/domain/frame-filter/fields.ts';
import { compares, type Fact, type FrameReader, fitsFilter } from '#shared/domain/frame-filter/match.ts';
import { type FilterNode, type FilterTest, parseFrameFilter } from '#shared/domain/frame-filter/parse.ts';
import { isListening } from '#shared/domain/listening.ts';
import { english, say } from '#shared/messages/index.ts';
import type { CarriedPoints, DriverChannelSettings, Explanation, FrameFacts, PointConfig } from '../drivers/spi/index.ts';
import type { Turns } from '../platform/turns.ts';
import type { FrameRecord } from '../runtime/logs/frame-log.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { configsInTurns } from '../runtime/values/configs-in-turns.ts';
import { carriedBy, contextOf, explain } from './frame-entries.ts';
import { type FramePair, pairOf } from './frame-pairs.ts';
import { maskedHex } from './masking.ts';

/** A filter may mean so many points: each is asked of each frame. */
const MOST_POINTS = 500;
const POINTS_A_LOOK = 200;
const NONE: readonly Fact[] = [];
/** A flag that is there. */
const IS: readonly Fact[] = [1];

/** Decides about the entries of the log of one channel. */
export type FrameTest = (record: FrameRecord) => boolean;

/**
 * The test of a filter for the log of a channel; null for an empty one, which every entry passes. Throws an issue of the field `filter` for one that is wrong, and for one
 * that means too many points.
 */
export async function frameTest(channel: ChannelRuntime, text: string | undefined, turns: Turns): Promise<FrameTest | null> {
  const parsed = parseFrameFilter(text ?? '');
  if ('fault' in parsed) throw invalidField('filter', parsed.fault.said);
  const { node } = parsed;
  if (!node) return null;
  const settings = toDriverSettings(channel.settings, channel.driver);
  const points = new Map<FilterTest, readonly PointConfig[]>();
  for (const test of pointTests(node)) points.set(test, await pointsOf(channel, test, turns));
  return (record) => fitsFilter(node, new RecordReader(channel, settings, record, points));
}

/** Tests of a filter that ask for points. */
function pointTests(node: FilterNode): readonly FilterTest[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap(pointTests);
    case 'not':
      return pointTests(node.node);
    case 'test':
      return node.field === 'point' ? [node] : [];
    default:
      return [];
  }
}

/** Points of the table as it is now whose codes a test means. */
async function pointsOf(channel: ChannelRuntime, { comparison, values }: FilterTest, turns: Turns): Promise<readonly PointConfig[]> {
  const found: PointConfig[] = [];
  for (const [at, point] of (await configsInTurns(channel.points, turns.breathe)).entries()) {
    if (at % POINTS_A_LOOK === 0) await turns.breathe();
    const sense = comparison === '!=' ? '==' : comparison;
    if (values.some((value) => compares(point.code, sense, value))) found.push(point);
  }
  if (found.length > MOST_POINTS) throw invalidField('filter', say('filter.many_points', { count: found.length, most: MOST_POINTS }));
  return found;
}

/** What an entry has, worked out when it is asked for. */
class RecordReader implements FrameReader {
  readonly #channel: ChannelRuntime;
  readonly #settings: DriverChannelSettings;
  readonly #record: FrameRecord;
  readonly #points: ReadonlyMap<FilterTest, readonly PointConfig[]>;
  #facts: FrameFacts | null | undefined;
  #explanation: Explanation | null | undefined;
  #pair: FramePair | undefined;
  #carried: CarriedPoints | null | undefined;

  constructor(
    channel: ChannelRuntime,
    settings: DriverChannelSettings,
    record: FrameRecord,
    points: ReadonlyMap<FilterTest, readonly PointConfig[]>,
  ) {
    this.#channel = channel;
    this.#settings = settings;
    this.#record = record;
    this.#points = points;
  }

  decide(test: FilterTest): boolean | undefined {
    const points = this.#points.get(test);
    if (!points) return undefined;
    const carried = this.#carries();
    if (!carried) return false;
    const isCarried = points.some(carried);
    return test.comparison === '!=' ? !isCarried : isCarried;
  }

  values(field: FrameField): readonly Fact[] {
    const record = this.#record;
    switch (field) {
      case 'dir':
        return record.kind === 'tx' ? ['tx'] : record.kind === 'rx' || record.kind === 'late' ? ['rx'] : NONE;
      case 'kind':
        return [record.kind];
      case 'seq':
        return [record.seq];
      case 'connection':
        return [record.connection];
      case 'length':
        return record.length > 0 ? [record.length] : NONE;
      case 'peer':
        return record.peer === '' ? NONE : [record.peer];
      case 'hex':
        return record.bytes.length > 0 ? [maskedHex(record.bytes, this.#explained()?.secrets ?? [])] : NONE;
      case 'text':
        return this.#texts();
      case 'latency':
        return some(this.#paired().latencyMs);
      case 'since':
        return some(this.#paired().sinceMs);
      case 'request':
        return this.#side() === 'request' ? IS : NONE;
      case 'answer':
        return this.#side() === 'answer' ? IS : NONE;
      case 'unanswered':
        return wantsAnswer(this.#channel, record, this.#told()) && this.#paired().answer === null ? IS : NONE;
      case 'point':
        return this.#carries() ? IS : NONE;
      default:
        return factValues(field, this.#told());
    }
  }

  /** Of a protocol that asks: the frames of the master ask, those of the slave answer. A frame that answers says so by its link. */
  #side(): 'request' | 'answer' | null {
    const { kind, link } = this.#record;
    if (kind !== 'tx' && kind !== 'rx') return null;
    if (link !== null) return 'answer';
    const { settings } = this.#channel;
    return isListening(settings) || (kind === 'tx') === !isServing(settings.conn_type) ? 'request' : 'answer';
  }

  #paired(): FramePair {
    this.#pair ??= pairOf(this.#channel.frames, this.#record);
    return this.#pair;
  }

  #carries(): CarriedPoints | null {
    if (this.#carried === undefined) this.#carried = carriedBy(this.#channel, this.#record, this.#settings);
    return this.#carried;
  }

  #explained(): Explanation | null {
    if (this.#explanation === undefined) this.#explanation = explain(this.#channel, this.#record, this.#settings, true);
    return this.#explanation;
  }

  #told(): FrameFacts | null {
    if (this.#facts === undefined) this.#facts = factsOf(this.#channel, this.#record, this.#settings);
    return this.#facts;
  }

  #texts(): readonly Fact[] {
    const { text } = this.#record;
    const explanation = this.#explained();
    return [...(explanation ? [english(explanation.summary)] : []), english(text)].filter((each) => each !== '');
  }
}

/** What a frame says in numbers and names; null for an event, octets that are none, and a protocol that does not tell. */
export function factsOf(channel: ChannelRuntime, record: FrameRecord, settings: DriverChannelSettings): FrameFacts | null {
  const context = contextOf(channel, record, settings);
  return (context && channel.driver.facts?.(record.bytes, context)) ?? null;
}

/** Addresses that everybody hears and nobody answers. */
const EVERYBODY: ReadonlySet<number | string | undefined> = new Set([0, '999999999999']);

/** True for a request to one slave, where slaves speak only when they are asked. */
export function wantsAnswer({ driver, settings }: ChannelRuntime, { kind, link }: FrameRecord, facts: FrameFacts | null): boolean {
  if (link !== null || (kind !== 'tx' && kind !== 'rx') || driver.diagnostics === undefined) return false;
  const isAsked = isListening(settings) || (kind === 'tx') === !isServing(settings.conn_type);
  return isAsked && facts !== null && !EVERYBODY.has(facts.slave);
}

function factValues(field: FrameField, facts: FrameFacts | null): readonly Fact[] {
  if (!facts) return NONE;
  switch (field) {
    case 'slave':
      return some(facts.slave ?? null);
    case 'function':
      return [...some(facts.function ?? null), ...(facts.names ?? [])];
    case 'cause':
      return facts.cause ? [facts.cause.code, ...facts.cause.names] : NONE;
    case 'error':
      return some(facts.error ?? null);
    case 'address':
      return facts.addresses ?? NONE;
    case 'reference':
      return facts.references ?? NONE;
    default:
      return NONE;
  }
}

function some(value: number | string | null): readonly Fact[] {
  return value === null ? NONE : [value];
}
