/** The log control blocks of a device for people (IEC 61850-7-2, 17.3): what they enter into which log, and what that log has. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { hexText } from '../../../protocol-kit/bytes.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { readInParts } from '../data-set-parts.ts';
import type { MmsValue } from '../mms/types.ts';
import { formatReference, keyOf } from '../model/references.ts';
import { blockNames } from '../model/report-blocks.ts';
import { utcMs } from '../model/time.ts';
import { componentIndex, typeAt } from '../model/types.ts';
import { resultsByMember } from '../read-attribute.ts';
import { isValue, itemError } from '../reading.ts';
import { TRIGGER, wordsOf } from '../reports/bits.ts';
import type { WritingOptions } from '../writing.ts';

const CONSTRAINT = 'LG';

type Row = Readonly<Record<string, unknown>>;

/** What came of it: words for the stage, the rows, and whether the device gave none. */
export interface LogReading {
  readonly detail: Message;
  readonly result: Readonly<Record<string, unknown>>;
  readonly isRefused?: boolean;
}

/** Reads the blocks of all logical devices, or of one, in as few requests as the PDU size allows. */
export async function logBlocks(options: WritingOptions, wanted: string, context: ExchangeContext): Promise<LogReading> {
  const { index } = options.memory.model;
  const places = index.model.devices
    .filter(({ name }) => wanted === '' || name === wanted)
    .flatMap(({ name: domain, nodes }) =>
      nodes.flatMap((node) =>
        blockNames(node, CONSTRAINT).map((name) => ({ domain, node: node.name, constraint: CONSTRAINT, path: [name] })),
      ),
    );
  if (places.length === 0) {
    return { detail: say(index.model.devices.length > 0 ? 'log.none' : 'log.none_known'), result: { blocks: [] } };
  }
  const found = resultsByMember(await readInParts([places.map(keyOf)], options, context));
  let refused = 0;
  const blocks = places.map((place): Row => {
    const key = keyOf(place);
    const node = index.node(place.domain, place.node);
    const type = node && typeAt(node.type, [CONSTRAINT, ...place.path]);
    const whole = found.get(key);
    const member = (name: string): MmsValue | null => {
      const at = type ? componentIndex(type, name) : -1;
      const inside = whole && isValue(whole) && whole.kind === 'structure' ? whole.items[at] : undefined;
      const result = inside ?? found.get(`${key}$${name}`);
      return result && isValue(result) ? result : null;
    };
    if (member('LogEna')) return { reference: formatReference(place), ...blockFields(member) };
    refused += 1;
    const [error] = [...found].flatMap(([name, result]) => (name === key || name.startsWith(`${key}$`) ? (itemError(result) ?? []) : []));
    return { reference: formatReference(place), error: error?.said ?? say('iec61850.nothing_read') };
  });
  const count = blocks.length - refused;
  const detail = refused === 0 ? say('log.listed', { count }) : say('log.listed_some', { count, refused });
  return { detail, result: { blocks }, isRefused: count === 0 };
}

function blockFields(member: (name: string) => MmsValue | null): Row {
  const text = (name: string) => {
    const value = member(name);
    return value?.kind === 'visible-string' || value?.kind === 'mms-string' ? value.text : '';
  };
  const octets = (name: string) => {
    const value = member(name);
    return value?.kind === 'octet-string' || value?.kind === 'bit-string' ? value.octets : new Uint8Array(0);
  };
  const enabled = member('LogEna');
  const period = member('IntgPd');
  const entry = (name: string) => (octets(name).every((octet) => octet === 0) ? null : hexText(octets(name)));
  return {
    enabled: enabled?.kind === 'boolean' && enabled.value,
    log: text('LogRef'),
    data_set: text('DatSet'),
    triggers: wordsOf(TRIGGER, octets('TrgOps')),
    integrity_ms: period?.kind === 'unsigned' || period?.kind === 'integer' ? Number(period.value) : null,
    oldest_time: timeText(member('OldEntrTm')),
    newest_time: timeText(member('NewEntrTm')),
    oldest_entry: entry('OldEntr'),
    newest_entry: entry('NewEntr'),
  };
}

function timeText(value: MmsValue | null): string | null {
  const ms = utcMs(value);
  return ms === null ? null : new Date(ms).toISOString();
}
