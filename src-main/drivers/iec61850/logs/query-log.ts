/** Reads entries of a log, by time or behind an entry (IEC 61850-7-2, QueryLogByTime and QueryLogAfter; IEC 61850-8-1, ReadJournal). */
import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { attributeJson } from '../attribute-json.ts';
import type { JournalEntry, MmsRequest } from '../mms/pdu.ts';
import { binaryTimeOctets } from '../mms/times.ts';
import type { MmsValue, ObjectName } from '../mms/types.ts';
import type { ModelIndex } from '../model/places.ts';
import { dataSetName, formatReference, parseReference } from '../model/references.ts';
import { utcMs } from '../model/time.ts';
import { typeAt } from '../model/types.ts';
import { wordsAt } from '../model/words.ts';
import { reasonBits, reasonName } from '../reports/bits.ts';
import { sameOctets } from '../reports/segments.ts';
import { requireGoing, type WritingOptions } from '../writing.ts';
import type { LogReading } from './log-blocks.ts';
import type { LogQuery } from './params.ts';

type Request = Extract<MmsRequest, { service: 'read-journal' }>;
type Row = Readonly<Record<string, unknown>>;

/** Name under which devices put the reason for inclusion behind the value that it belongs to. */
const REASON = 'ReasonCode';

export interface QueryOptions extends WritingOptions {
  /** Time limit of a request, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Asks page by page until `max_entries` have come or no more follow; each page goes on behind the last entry of the one before. A page that fails behind others ends
 * the query with what these brought. Throws `CONFIG_INVALID` for a query that means nothing, `CANCELLED`, and for the first page as `MmsClient.request`.
 */
export async function queryLog(options: QueryOptions, query: LogQuery, context: ExchangeContext): Promise<LogReading> {
  const { client, memory, timeoutMs } = options;
  const entries: JournalEntry[] = [];
  let request: Request | null = firstRequest(query);
  let hasMore = false;
  let isRepeated = false;
  let failure: AppError | null = null;
  while (request && entries.length < query.max_entries) {
    requireGoing(context);
    const page: Awaited<ReturnType<typeof ask>> | AppError = await ask(request).catch(toAppError);
    if (page instanceof AppError) {
      if (entries.length === 0 || page.code === 'CANCELLED') throw page;
      failure = page;
      break;
    }
    const last = entries.at(-1);
    // a device that begins anew each time would be asked for ever
    isRepeated = last !== undefined && page.entries.some(({ id }) => sameOctets(id, last.id));
    if (isRepeated) break;
    entries.push(...page.entries);
    hasMore = page.moreFollows;
    request = hasMore && page.entries.length > 0 ? nextRequest(request, page.entries) : null;
  }
  const taken = entries.slice(0, query.max_entries);
  const rows = taken.flatMap((entry) => rowsOf(entry, memory.model.index));
  const more = hasMore || entries.length > taken.length;
  const detail = endWords({ count: taken.length, log: query.log, more, isRepeated, failure });
  return { detail, result: { count: taken.length, more, entries: rows } };

  function ask(wanted: Request) {
    return client.request(wanted, { signal: context.signal, timeoutMs });
  }
}

/** How a query came to its end. */
interface QueryEnd {
  readonly count: number;
  readonly log: string;
  readonly more: boolean;
  readonly isRepeated: boolean;
  readonly failure: AppError | null;
}

function endWords({ count, log, more, isRepeated, failure }: QueryEnd): Message {
  if (isRepeated) return say('log.repeats', { log });
  if (failure) return say('log.read_until', { count, log, reason: failure.said });
  return say(more ? 'log.read_more' : 'log.read', { count, log });
}

function firstRequest(query: LogQuery): Request {
  const { from, to, after_entry: entry, after_time: afterTime } = query;
  if (entry === '' && afterTime !== undefined) throw new AppError('CONFIG_INVALID', say('log.time_without_entry'));
  if (entry !== '' && from !== undefined) throw new AppError('CONFIG_INVALID', say('log.two_begins'));
  if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to)) throw new AppError('CONFIG_INVALID', say('log.range'));
  const octets = (time: string | undefined) => (time === undefined ? new Uint8Array(6) : binaryTimeOctets(Date.parse(time)));
  const after = entry === '' ? null : { time: octets(afterTime), entry: Uint8Array.from(Buffer.from(entry.replaceAll(' ', ''), 'hex')) };
  return {
    service: 'read-journal',
    name: logObject(query.log),
    // devices in use want a time to begin at
    start: after ? null : { kind: 'time', time: octets(from) },
    stop: to === undefined ? null : { kind: 'time', time: octets(to) },
    variables: null,
    after,
  };
}

function nextRequest(before: Request, entries: readonly JournalEntry[]): Request | null {
  const last = entries.at(-1);
  return last ? { ...before, start: null, after: { time: new Uint8Array(last.time), entry: new Uint8Array(last.id) } } : null;
}

function logObject(text: string): ObjectName {
  const name = dataSetName(text);
  if (name === null || name.startsWith('@')) throw new AppError('CONFIG_INVALID', say('log.no_name', { name: text.slice(0, 80) }));
  const slash = name.indexOf('/');
  return { scope: 'domain', domain: name.slice(0, slash), item: name.slice(slash + 1) };
}

/** One row for each value of an entry; one for an annotation. */
function rowsOf({ id, time, variables, annotation }: JournalEntry, index: ModelIndex): Row[] {
  const ms = utcMs({ kind: 'binary-time', octets: time });
  const head = { time: ms === null ? null : new Date(ms).toISOString(), entry_id: hexText(id) };
  if (annotation !== null) return [{ ...head, reference: '', value: annotation, quality: null, device_time: null, reason: '' }];
  const rows: Row[] = [];
  for (const { tag, value } of variables) {
    const before = rows.at(-1);
    if (tag !== REASON) rows.push({ ...head, ...valueFields(tag, value, index), reason: '' });
    else if (before && value.kind === 'bit-string') rows[rows.length - 1] = { ...before, reason: reasonName(reasonBits(value.octets)) };
  }
  return rows;
}

/** The value that a variable has, with its quality and time where it is a data object. */
function valueFields(tag: string, value: MmsValue, index: ModelIndex): Row {
  const reference = parseReference(tag);
  const { domain = '', node = '', constraint = null, path = [] } = reference ?? {};
  const known = constraint === null ? null : index.node(domain, node);
  const type = known && constraint !== null ? typeAt(known.type, [constraint, ...path]) : null;
  const words = (below: readonly string[]) => (constraint === null ? null : wordsAt(index, domain, node, constraint, [...path, ...below]));
  const json = attributeJson(value, type, words, [], path.at(-1) ?? '');
  const shown = reference && constraint !== null ? formatReference(reference) : tag;
  if (!isRecord(json)) return { reference: shown, value: json, quality: null, device_time: null };
  const { q = null, t = null, ...rest } = json;
  return { reference: shown, value: leafText(rest), quality: q, device_time: t };
}

/** The only leaf as it is; several by their names. */
function leafText(value: unknown): unknown {
  const leaves = leavesOf(value, '');
  const [only, other] = leaves;
  return only && !other ? only[1] : leaves.map(([name, leaf]) => `${name} ${String(leaf)}`).join(', ');
}

function leavesOf(value: unknown, name: string): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([part, inside]) => leavesOf(inside, name === '' ? part : `${name}.${part}`));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
