import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { IdentityCursor, IdentityObject, IdentityPart } from '../../drivers/spi/diagnostics.ts';
import type { DriverConnection, ExchangeContext } from '../../drivers/spi/index.ts';

/** Parts of a device identification that are asked for; a device that goes on is cut off. */
const MAX_PARTS = 64;

export interface Identity {
  readonly conformity: string;
  /** By id, each once. */
  readonly objects: readonly IdentityObject[];
}

type Ask = <T>(exchange: (connection: DriverConnection, context: ExchangeContext) => Promise<T>) => Promise<T>;

/** Reads all objects a device identifies itself with, one exchange a part. Throws what the first exchange throws; a later refusal ends the list. */
export async function readIdentity(slaveId: number, ask: Ask): Promise<Identity> {
  const objects = new Map<number, IdentityObject>();
  let conformity = '';
  let cursor: IdentityCursor | null = null;
  for (let part = 0; part < MAX_PARTS; part++) {
    const at: IdentityCursor | null = cursor;
    const answer: IdentityPart = await ask((connection, context): Promise<IdentityPart> => {
      if (!connection.diagnostics) throw new AppError('CONFIG_INVALID', say('jobs.no_identification'));
      return connection.diagnostics.identify(slaveId, at, context);
    });
    for (const object of answer.objects) objects.set(object.id, object);
    conformity ||= answer.conformity;
    cursor = answer.next;
    if (cursor === null) break;
  }
  return { conformity, objects: [...objects.values()].sort((a, b) => a.id - b.id) };
}

/** Octets as text: UTF-8 where they are that, else ASCII with dots for the rest. */
export function identityText(octets: Uint8Array): string {
  const text = new TextDecoder().decode(octets);
  if (!/[\uFFFD\p{Cc}]/u.test(text)) return text;
  return Array.from(octets, (octet) => (octet >= 0x20 && octet < 0x7f ? String.fromCharCode(octet) : '.')).join('');
}

/** Vendor, product and revision in one line; empty without objects. */
export function identityLine({ objects }: Identity): string {
  const texts = objects
    .filter((object) => object.id <= 2 || object.id === 4 || object.id === 5)
    .map((object) => object.text ?? identityText(object.octets));
  return [...new Set(texts)].filter((text) => text !== '').join(' ');
}
