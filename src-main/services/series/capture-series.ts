import { MOST_CAPTURE_COLUMNS, MOST_SERIES_VALUES } from '#shared/contract/simulation.ts';
import { AppError, invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { CaptureReader } from '../../capture/capture-reader.ts';
import { type Conversation, Conversations, type Said } from '../../capture/conversations.ts';
import type { CapturedRead, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { SeriesNumbers } from '../../persistence/repositories.ts';
import type { Turns } from '../../platform/turns.ts';
import { CaptureSurvey, type Surveyed } from './capture-survey.ts';

/** Octets of a capture that are worked off between two questions whether the lines should have their turn. */
const OCTETS_A_LOOK = 16_384;
const NS = 1_000_000_000;

/** What is looked through: the octets of a capture, from the first one at each call. */
export interface CaptureWork {
  /** Field of the request that it came in. */
  readonly field: string;
  octets(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  readonly turns: Turns;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What a file of frames holds. */
export interface LookedCapture {
  readonly conversations: readonly Conversation[];
  /** Packets that belong to none. */
  readonly passedOver: number;
}

/** The conversations of a capture, in the order of their first packets. `onSaid` hears what they say. Throws `CONFIG_INVALID` for a file that is none. */
export async function lookIntoCapture({ field, octets, turns, signal }: CaptureWork, onSaid: (said: Said) => void): Promise<LookedCapture> {
  const conversations = new Conversations(onSaid);
  const reader = new CaptureReader((packet) => conversations.push(packet));
  try {
    for await (const piece of octets()) {
      for (let at = 0; at < piece.length; at += OCTETS_A_LOOK) {
        signal.throwIfAborted();
        reader.push(piece.subarray(at, at + OCTETS_A_LOOK));
        await turns.breathe();
      }
    }
    reader.end();
  } catch (thrown) {
    throw thrown instanceof AppError && thrown.code === 'CONFIG_INVALID' ? invalidField(field, thrown.said) : thrown;
  }
  conversations.end();
  return { conversations: conversations.list, passedOver: conversations.passedOver };
}

/** The same, with what can be taken of each. */
export async function surveyCapture(
  work: CaptureWork,
  drivers: readonly ProtocolDriver[],
): Promise<LookedCapture & { surveyed(conversation: Conversation): Surveyed }> {
  const survey = new CaptureSurvey(drivers);
  const looked = await lookIntoCapture(work, survey.hear);
  return { ...looked, surveyed: (conversation) => survey.of(conversation) };
}

/** An address that was read: a column of the series. */
export interface CapturedPlace {
  readonly column: string;
  readonly slaveId: number;
  readonly functionCode: number;
  readonly address: number;
}

export interface CapturedSeries {
  /** Whose reads they are. */
  readonly driver: ProtocolDriver;
  readonly numbers: SeriesNumbers;
  readonly places: readonly CapturedPlace[];
  /** Reads that were answered. */
  readonly reads: number;
}

/** What a master was answered in a conversation (its place in `lookIntoCapture`), as values over time: a column for each address, a row for each answer that brought something new. */
export async function captureSeries(work: CaptureWork, index: number, drivers: readonly ProtocolDriver[]): Promise<CapturedSeries> {
  const { conversations, surveyed } = await surveyCapture(work, drivers);
  const chosen = conversations[index];
  if (!chosen) throw invalidField('conversation', say('capture.no_conversation', { count: conversations.length }));
  const { driver, reason } = surveyed(chosen);
  if (reason) throw invalidField(work.field, reason);
  const finder = driver?.capturedReads?.();
  if (!driver || !finder) throw invalidField(work.field, say('capture.no_reads'));
  const key = keyOf(chosen);
  const rows = new Rows();
  await lookIntoCapture(work, ({ conversation, isToDevice, stretch }) => {
    if (keyOf(conversation) !== key || isToDevice === null) return;
    if (stretch.kind === 'gap') finder.gap(isToDevice);
    else for (const read of finder.push(isToDevice, stretch.bytes)) rows.add(read, stretch.timeNs);
  });
  return { driver, ...rows.series() };
}

function keyOf({ carrier, master, device, line }: Conversation): string {
  return [carrier, master, device, line].join(' ');
}

interface Row {
  readonly timeNs: bigint;
  readonly cells: Map<number, number>;
}

class Rows {
  readonly #columns = new Map<string, CapturedPlace & { readonly at: number }>();
  readonly #last: number[] = [];
  readonly #rows: Row[] = [];
  #reads = 0;

  add({ slaveId, functionCode, start, numbers }: CapturedRead, timeNs: bigint | null): void {
    const before = this.#rows.at(-1);
    // without a time of its own it belongs to what was said before
    const at = timeNs ?? before?.timeNs ?? 0n;
    const cells = new Map<number, number>();
    for (const [offset, number] of numbers.entries()) {
      const column = this.#columnOf(slaveId, functionCode, start + offset);
      if (this.#last[column] === number) continue;
      this.#last[column] = number;
      cells.set(column, number);
    }
    this.#reads += 1;
    if (cells.size === 0) return;
    // times of two directions may cross
    if (before && at <= before.timeNs) for (const [column, number] of cells) before.cells.set(column, number);
    else this.#rows.push({ timeNs: at, cells });
    const count = this.#rows.length * this.#columns.size;
    if (count > MOST_SERIES_VALUES) throw invalidField('file', say('simulation.series_large', { count, most: MOST_SERIES_VALUES }));
  }

  series(): Omit<CapturedSeries, 'driver'> {
    const first = this.#rows[0]?.timeNs;
    if (first === undefined) throw invalidField('file', say('capture.no_reads'));
    const times = Float64Array.from(this.#rows, ({ timeNs }) => Number(timeNs - first) / NS);
    const places = [...this.#columns.values()].sort(
      (a, b) => a.slaveId - b.slaveId || a.functionCode - b.functionCode || a.address - b.address,
    );
    const columns = places.map(({ column, at }): [string, Float64Array] => [
      column,
      Float64Array.from(this.#rows, ({ cells }) => cells.get(at) ?? Number.NaN),
    ]);
    return { numbers: { times, columns: new Map(columns) }, places, reads: this.#reads };
  }

  #columnOf(slaveId: number, functionCode: number, address: number): number {
    const column = `${slaveId}:${functionCode}:${address}`;
    const known = this.#columns.get(column);
    if (known) return known.at;
    const at = this.#columns.size;
    if (at >= MOST_CAPTURE_COLUMNS) throw invalidField('file', say('capture.many_places', { most: MOST_CAPTURE_COLUMNS }));
    this.#columns.set(column, { column, slaveId, functionCode, address, at });
    return at;
  }
}
