import type { PublishedValue } from './record-queue.ts';
import { KIND_NAMES } from './value-json.ts';

/** Nanoseconds of a millisecond. */
const NS = 1_000_000;

/**
 * A value as a line of the line protocol of InfluxDB: `measurement,device=…,code=…,type=YC value=1.5,good=true,quality="good",sequence=7i,session="…" time`.
 * Time is in nanoseconds. Within its millisecond it is the sequence: a line that is sent again replaces itself, and two values of one millisecond are two.
 */
export function influxLine(measurement: string, { about, value, quality, at, sequence }: PublishedValue, session: string): string {
  const tags = [
    ['device', about.device],
    ['code', about.code],
    ['type', KIND_NAMES[about.frameType]],
    ['name', about.name],
    ['unit', about.unit],
  ] as const;
  const fields = [
    ...(value === null ? [] : [`value=${number(value)}`]),
    `good=${quality === 'good'}`,
    `quality=${text(quality)}`,
    `sequence=${sequence}i`,
    `session=${text(session)}`,
  ];
  // a tag must not be empty
  const set = tags.filter(([, given]) => given !== '').map(([key, given]) => `,${key}=${tag(given)}`);
  return `${name(measurement)}${set.join('')} ${fields.join(',')} ${nanoseconds(at, sequence)}`;
}

/** Escapes comma and space: the rule for a measurement. */
function name(given: string): string {
  return plain(given).replace(/[, ]/g, '\\$&');
}

/** Escapes comma, equals sign and space: the rule for the values of tags. A backslash before another character stands for itself. */
function tag(given: string): string {
  return plain(given).replace(/[,= ]/g, '\\$&');
}

/** In quotation marks, with quotation mark and backslash escaped: the rule for fields that are text. */
function text(given: string): string {
  return `"${given.replace(/["\\]/g, '\\$&')}"`;
}

/** A number with a fraction; without `i` behind it, it is a float whatever it looks like. */
function number(given: number): string {
  return String(given);
}

/** What no line can carry is a percent code: control characters end it, and a backslash before one of these, or at the end, would escape what follows. */
function plain(given: string): string {
  return given
    .toWellFormed()
    .replace(/\p{Cc}/gu, (char) => encodeURIComponent(char))
    .replace(/\\(?=[\\,= ]|$)/g, '%5C');
}

/** The whole milliseconds of `at`, and behind them the last six digits of the sequence. */
function nanoseconds(at: number, sequence: number): string {
  return String(BigInt(Math.floor(at)) * BigInt(NS) + BigInt(sequence % NS));
}
