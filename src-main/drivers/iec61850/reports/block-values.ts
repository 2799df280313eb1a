/** What report control blocks were set to when the model of a device was learnt: for the comparison with a file, and to write one. */
import { isCancelled, toAppError } from '#shared/domain/errors.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { ChannelMemory } from '../channel-memory.ts';
import { readInParts } from '../data-set-parts.ts';
import type { MmsValue } from '../mms/types.ts';
import { keyOf } from '../model/references.ts';
import type { BlockValues } from '../model/report-blocks.ts';
import { bitsText } from '../model/report-blocks.ts';
import { typeAt } from '../model/types.ts';
import { resultsByMember } from '../read-attribute.ts';
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
  if (places.length === 0) return new Map();
  try {
    const context = { signal, isStopping: () => signal.aborted, retries: 0 };
    const found = resultsByMember(await readInParts([places.map(keyOf)], { client, memory }, context));
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
    return values;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isCancelled(error) || signal.aborted || error.code.startsWith('TRANSPORT_')) throw error;
    return new Map();
  }
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
    default:
      return null;
  }
}
