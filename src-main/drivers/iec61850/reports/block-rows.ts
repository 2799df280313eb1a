/** The report control blocks of a device for people: who owns them, and what they send. */

import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import { readInParts } from '../data-set-parts.ts';
import { formatReference, keyOf } from '../model/references.ts';
import { utcMs } from '../model/time.ts';
import { resultsByMember } from '../read-attribute.ts';
import { itemError } from '../reading.ts';
import { typeOfAttribute, type WritingOptions } from '../writing.ts';
import { OPTION, TRIGGER, wordsOf } from './bits.ts';
import { type BlockPlace, blockFrom, blocksOf, type ControlBlock } from './control-block.ts';
import type { ReportBook } from './report-book.ts';

export interface BlocksOptions extends WritingOptions {
  readonly memory: ChannelMemory;
  readonly book: ReportBook;
}

type Row = Readonly<Record<string, unknown>>;

/** What came of it: words for the stage, a row for each block, and whether the device gave none. */
export interface BlocksReading {
  readonly detail: Message;
  readonly result: { readonly blocks: readonly Row[] };
  readonly isRefused?: boolean;
}

/** Reads the blocks of all logical devices, or of one, in as few requests as the PDU size allows. */
export async function reportBlocks(options: BlocksOptions, wanted: string, context: ExchangeContext): Promise<BlocksReading> {
  const { index } = options.memory.model;
  const places = blocksOf(index).filter(({ domain }) => wanted === '' || domain === wanted);
  if (places.length === 0) {
    return { detail: say(index.model.devices.length > 0 ? 'report.none' : 'report.none_known'), result: { blocks: [] } };
  }
  const found = resultsByMember(await readInParts([places.map(keyOf)], options, context));
  const rows: Row[] = [];
  let refused = 0;
  for (const place of places) {
    const type = await typeOfAttribute(options, place, context.signal);
    const block = blockFrom(place, type, found);
    if (block) rows.push(blockRow(block, options));
    else {
      refused += 1;
      rows.push({ reference: formatReference(place), error: whyNot(place, found) });
    }
  }
  const count = rows.length - refused;
  const detail = refused === 0 ? say('report.listed', { count }) : say('report.listed_some', { count, refused });
  return { detail, result: { blocks: rows }, isRefused: count === 0 };
}

function whyNot(place: BlockPlace, found: ReturnType<typeof resultsByMember>): Message {
  const key = keyOf(place);
  const [error] = [...found].flatMap(([name, result]) => (name === key || name.startsWith(`${key}$`) ? (itemError(result) ?? []) : []));
  return error?.said ?? say('iec61850.nothing_read');
}

function blockRow(block: ControlBlock, { book, memory }: BlocksOptions): Row {
  const { key } = block;
  const time = utcMs(block.value('TimeofEntry'));
  const stats = book.of(key)?.stats;
  const has = (name: string) => block.typeOf(name) !== null;
  return {
    reference: block.reference,
    buffered: block.isBuffered,
    state: stateOf(block, book.of(key) !== null),
    owner: block.owner,
    report_id: block.text('RptID'),
    data_set: block.text('DatSet'),
    revision: block.number('ConfRev'),
    option_fields: wordsOf(OPTION, block.octets('OptFlds')),
    triggers: wordsOf(TRIGGER, block.octets('TrgOps')),
    integrity_ms: block.number('IntgPd'),
    buffer_ms: block.number('BufTm'),
    sequence: block.number('SqNum'),
    reserved: has('Resv') ? block.is('Resv') : null,
    reserved_s: block.number('ResvTms'),
    entry_id: has('EntryID') ? hexText(block.octets('EntryID')) : null,
    entry_time: time === null ? null : new Date(time).toISOString(),
    changed_here: [...(memory.reports.changed.get(key)?.keys() ?? [])].join(' '),
    reports: stats?.reports ?? null,
    missing: stats?.gaps ?? null,
    overflows: stats?.overflows ?? null,
    refused: stats?.refused ?? null,
  };
}

function stateOf(block: ControlBlock, isOurs: boolean): string {
  if (isOurs) return 'enabled_here';
  if (block.is('RptEna')) return 'enabled';
  const seconds = block.number('ResvTms') ?? 0;
  if (seconds < 0) return 'configured';
  return block.is('Resv') || seconds > 0 || block.owner !== '' ? 'reserved' : 'free';
}
