import type { FrameStatisticsRow } from '#shared/contract/frames.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Turns } from '../platform/turns.ts';
import { LatencyHistogram } from '../runtime/logs/latency-histogram.ts';
import { toDriverSettings } from '../runtime/settings.ts';
import type { ChannelRuntime } from '../runtime/types.ts';
import { type FrameTest, factsOf, wantsAnswer } from './frame-filter.ts';
import { pairOf } from './frame-pairs.ts';

/** Rows of a table of statistics; what would need more is counted together in one without slave and function. */
const MOST_ROWS = 1000;

/** Counts of one kind of frame, of a slave. */
class Tally {
  readonly #slave: number | string | null;
  readonly #function: number | null;
  readonly #names: readonly string[];
  readonly #latencies = new LatencyHistogram();
  #frames = 0;
  #octets = 0;
  #errors = 0;
  #requests = 0;
  #unanswered = 0;
  #sumMs = 0;
  #leastMs = Number.POSITIVE_INFINITY;

  constructor(slave: number | string | null, code: number | null, names: readonly string[]) {
    this.#slave = slave;
    this.#function = code;
    this.#names = names;
  }

  add(octets: number, isError: boolean): void {
    this.#frames += 1;
    this.#octets += octets;
    if (isError) this.#errors += 1;
  }

  /** A request, with the time until its answer; null: none came. */
  asked(latencyMs: number | null): void {
    this.#requests += 1;
    if (latencyMs === null) {
      this.#unanswered += 1;
      return;
    }
    this.#latencies.add(latencyMs);
    this.#sumMs += latencyMs;
    this.#leastMs = Math.min(this.#leastMs, latencyMs);
  }

  row(): FrameStatisticsRow {
    const figures = this.#latencies.figures();
    return {
      slave: this.#slave,
      function: this.#function,
      name: this.#names[0] ?? null,
      name_message: nameMessage(this.#names),
      frames: this.#frames,
      octets: this.#octets,
      errors: this.#errors,
      requests: this.#requests,
      unanswered: this.#unanswered,
      latency_ms: figures ? { least: this.#leastMs, mean: this.#sumMs / figures.count, p95: figures.p95, most: figures.max } : null,
    };
  }
}

/** Frames of a log that pass a filter, counted by slave and function, the most frequent ones first; over the whole log, in turns. */
export async function frameStatistics(channel: ChannelRuntime, test: FrameTest | null, turns: Turns, gone: AbortSignal) {
  const { frames } = channel;
  const settings = toDriverSettings(channel.settings, channel.driver);
  const tallies = new Map<string, Tally>();
  const [firstSeq, lastSeq] = [frames.firstSeq, frames.lastSeq];
  for (let seq = firstSeq; seq <= lastSeq; seq++) {
    await turns.breathe();
    gone.throwIfAborted();
    const record = frames.get(seq);
    // what gave way meanwhile is not counted
    if (!record || record.bytes.length === 0 || (test && !test(record))) continue;
    const facts = factsOf(channel, record, settings);
    const [slave, code, names] = [facts?.slave ?? null, facts?.function ?? null, facts?.names ?? []];
    const known = JSON.stringify([slave, code, names[0]]);
    const isFull = tallies.size >= MOST_ROWS && !tallies.has(known);
    const key = isFull ? 'rest' : known;
    const tally = tallies.get(key) ?? (isFull ? new Tally(null, null, []) : new Tally(slave, code, names));
    tallies.set(key, tally);
    tally.add(record.length, facts?.error !== undefined);
    if (record.link !== null || (record.kind !== 'tx' && record.kind !== 'rx')) continue;
    const pair = pairOf(frames, record);
    if (pair.answer !== null || wantsAnswer(channel, record, facts)) tally.asked(pair.latencyMs);
  }
  const items = [...tallies.values()].map((tally) => tally.row()).sort((one, other) => other.frames - one.frames);
  return { items, first_seq: firstSeq, last_seq: lastSeq };
}

function nameMessage([en, zh]: readonly string[]): Message | null {
  return en === undefined || zh === undefined ? null : say('common.text', { text: { en, zh } });
}
