/** What the control blocks of reports, logs and setting groups were set to when the model of a device was learnt: for the comparison with a file, and to write one. */
import { isCancelled, toAppError } from '#shared/domain/errors.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import { readInParts } from '../data-set-parts.ts';
import type { MmsType, MmsValue } from '../mms/types.ts';
import type { ModelIndex } from '../model/places.ts';
import { keyOf } from '../model/references.ts';
import type { BlockValues } from '../model/report-blocks.ts';
import { bitsText, blockNames } from '../model/report-blocks.ts';
import { componentIndex, typeAt } from '../model/types.ts';
import { resultsByMember } from '../read-attribute.ts';
import { type ItemResult, isValue } from '../reading.ts';
import { blockFrom, blocksOf } from './control-block.ts';

export interface BlockValuesOptions {
  readonly client: Pick<MmsClient, 'request'>;
  readonly memory: ChannelMemory;
  readonly signal: AbortSignal;
}

const MEMBERS = ['RptID', 'DatSet', 'ConfRev', 'OptFlds', 'BufTm', 'TrgOps', 'IntgPd'] as const;

/**
 * Values of all blocks of the learnt model by `LD/LN$FC$name`, each as a file writes it. What the device does not give is left out; nothing where it does not
 * answer. Rejects with `CANCELLED`, and with what ended the association.
 */
export async function readBlockValues({ client, memory, signal }: BlockValuesOptions): Promise<BlockValues> {
  const { index } = memory.model;
  const places = blocksOf(index);
  const others = otherBlocksOf(index);
  if (places.length + others.length === 0) return new Map();
  try {
    const context = { signal, isStopping: () => signal.aborted, retries: 0 };
    const found = resultsByMember(
      await readInParts([[...places.map(keyOf), ...others.map(({ key }) => key)]], { client, memory }, context),
    );
    const values = new Map<string, ReadonlyMap<string, string>>();
    for (const place of places) {
      const node = index.node(place.domain, place.node);
      const type = node && typeAt(node.type, [place.constraint, ...place.path]);
      const block = type && blockFrom(place, type, found);
      if (!block) continue;
      const texts = MEMBERS.flatMap((name) => {
        const value = block.value(name);
        const text = value && textOf(value);
        return text === null ? [] : [[name, text] as const];
      });
      values.set(block.key, new Map(texts));
    }
    for (const block of others) values.set(block.key, valuesOf(block, found));
    return values;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isCancelled(error) || signal.aborted || error.code.startsWith('TRANSPORT_')) throw error;
    return new Map();
  }
}

/** A control block of setting groups or of a log. */
interface OtherBlock {
  readonly key: string;
  readonly type: MmsType;
  readonly members: readonly string[];
}

const GROUP_MEMBERS = ['NumOfSG', 'ActSG'];
const LOG_MEMBERS = ['LogEna', 'LogRef', 'DatSet', 'TrgOps', 'IntgPd'];

function otherBlocksOf({ model }: ModelIndex): OtherBlock[] {
  return model.devices.flatMap(({ name: domain, nodes }) =>
    nodes.flatMap((node) => {
      const found = [
        { path: ['SP', 'SGCB'], members: GROUP_MEMBERS },
        ...blockNames(node, 'LG').map((name) => ({ path: ['LG', name], members: LOG_MEMBERS })),
      ];
      return found.flatMap(({ path, members }) => {
        const type = typeAt(node.type, path);
        return type ? [{ key: [`${domain}/${node.name}`, ...path].join('$'), type, members }] : [];
      });
    }),
  );
}

function valuesOf({ key, type, members }: OtherBlock, found: ReadonlyMap<string, ItemResult>): ReadonlyMap<string, string> {
  const whole = found.get(key);
  return new Map(
    members.flatMap((name) => {
      const inside = whole && isValue(whole) && whole.kind === 'structure' ? whole.items[componentIndex(type, name)] : undefined;
      const value = inside ?? found.get(`${key}$${name}`);
      const text = value && isValue(value) ? textOf(value) : null;
      return text === null ? [] : [[name, text] as const];
    }),
  );
}

function textOf(value: MmsValue): string | null {
  switch (value.kind) {
    case 'visible-string':
    case 'mms-string':
      return value.text;
    case 'integer':
    case 'unsigned':
      return String(value.value);
    case 'bit-string':
      return bitsText(value);
    case 'boolean':
      return String(value.value);
    default:
      return null;
  }
}
