/** Setting group control blocks of a device, read (IEC 61850-7-2, clause 16). */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import type { ExchangeContext } from '../spi/index.ts';
import { readInParts } from './data-set-parts.ts';
import { typeAt } from './model/types.ts';
import { resultsByMember, valueOfParts } from './read-attribute.ts';
import { itemError } from './reading.ts';
import type { WritingOptions } from './writing.ts';

/** What came of it: words for the stage, the blocks, and whether the device gave none. */
export interface GroupsReading {
  readonly detail: Message;
  readonly result: { readonly groups: readonly Readonly<Record<string, unknown>>[] };
  readonly isRefused?: boolean;
}

/** Reads the control blocks of all logical devices that have groups, or of one, in as few requests as the PDU size allows. */
export async function settingGroups(options: WritingOptions, wanted: string, context: ExchangeContext): Promise<GroupsReading> {
  const { devices } = options.memory.model.index.model;
  const places = devices
    .filter(({ name }) => wanted === '' || name === wanted)
    .flatMap((device) =>
      device.nodes.flatMap((node) => ({ domain: device.name, node: node.name, type: typeAt(node.type, ['SP', 'SGCB']) })),
    )
    .filter(({ type }) => type !== null);
  if (places.length === 0 && wanted === '') return { detail: say('iec61850.no_groups'), result: { groups: [] } };
  const asked = places.length > 0 ? places : [{ domain: wanted, node: 'LLN0', type: null }];
  const keyOf = ({ domain, node }: (typeof asked)[number]) => `${domain}/${node}$SP$SGCB`;
  const found = resultsByMember(await readInParts([asked.map(keyOf)], options, context));
  const refusals: Message[] = [];
  const groups = asked.map((place) => {
    const value = valueOfParts(keyOf(place), place.type, [], { found, words: () => null });
    if (value !== undefined) {
      return { logical_device: place.domain, reference: `${place.domain}/${place.node}.SGCB[SP]`, ...groupFields(value) };
    }
    const [error] = [...found].flatMap(([key, result]) => (key.startsWith(keyOf(place)) ? (itemError(result) ?? []) : []));
    const refusal = error?.said ?? say('iec61850.nothing_read');
    refusals.push(refusal);
    return { logical_device: place.domain, error: refusal };
  });
  const [first] = refusals;
  const count = groups.length - refusals.length;
  if (!first) return { detail: say('iec61850.groups_read', { count }), result: { groups } };
  const detail = count === 0 ? first : say('iec61850.groups_read_some', { count, refused: refusals.length });
  return { detail, result: { groups }, isRefused: count === 0 };
}

function groupFields(value: unknown): Record<string, unknown> {
  const read = (name: string, place: number) => {
    if (typeof value !== 'object' || value === null) return null;
    const fields = value as Readonly<Record<string, unknown>>;
    return fields[name] ?? fields[`(${place})`] ?? null;
  };
  return {
    number_of_groups: read('NumOfSG', 0),
    active_group: read('ActSG', 1),
    edited_group: read('EditSG', 2),
    edit_confirmed: read('CnfEdit', 3),
    last_change: read('LActTm', 4),
  };
}
