/** Diagnostic questions to meters over a standing session. Reads only. */

import { AppError, toAppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import type { ConnectionDiagnostics, IdentityCursor, IdentityObject, IdentityPart, ProbeAnswer } from '../../spi/diagnostics.ts';
import type { ExchangeContext, PointConfig } from '../../spi/index.ts';
import { addressOfNumber } from '../codec/address.ts';
import { type Edition, errorWordMessage, REFUSED } from '../codec/control.ts';
import { decodeElement } from '../codec/format.ts';
import { findItem } from '../dictionary/dictionary.ts';
import type { ReceivedFrame } from '../link/framer.ts';
import { targetOf } from '../meter-point.ts';
import { type MeterRequest, type MeterTarget, readRequest } from '../meter-request.ts';
import { OWN_NUMBER_DI } from './diagnostics-frames.ts';

/** The connection as far as a question needs it. */
export interface MeterAsker {
  /** Runs one exchange. Throws what failed. */
  ask(request: MeterRequest, context: ExchangeContext): Promise<ReceivedFrame>;
  /** The point table as it is now. */
  points(): readonly PointConfig[];
}

/** The harmless question of each edition: the own number, the energy total. A refusal is an answer too. */
const PROBE_DI: Readonly<Record<Edition, number>> = { 2007: OWN_NUMBER_DI, 1997: 0x9010 };

/** What a meter says about itself, by edition; the number of an object is its place here. */
const IDENTITY: Readonly<Record<Edition, readonly number[]>> = {
  2007: [0x0400040b, 0x0400040c, 0x04000404, 0x04000402, 0x04000405, 0x04000406, 0x04000407, 0x04000409, 0x04000403, 0x0400040d],
  1997: [0xc032, 0xc030, 0xc033, 0xc034],
};

/** The questions as the services ask them. */
export function meterQuestions(asker: MeterAsker): ConnectionDiagnostics {
  return {
    probe: (slaveId, context) => probe(slaveId, asker, context),
    identify: (slaveId, cursor, context) => identify(slaveId, cursor, asker, context),
    scan: () => Promise.reject(new AppError('CONFIG_INVALID', say('dlt645.no_registers'))),
  };
}

/** The meter as the points of the table ask it, in each edition they use; without points its number in the 2007 edition. */
function targetsOf(slaveId: number, points: readonly PointConfig[]): MeterTarget[] {
  const targets = new Map<string, MeterTarget>();
  for (const point of points) {
    if (point.slave_id !== slaveId) continue;
    const target = targetOf(point);
    targets.set(`${target.address} ${target.edition}`, target);
  }
  if (targets.size === 0) return [{ slaveId, address: addressOfNumber(slaveId), edition: 2007 }];
  return [...targets.values()];
}

/**
 * Asks in the editions of the table, then in the other one: a meter that is silent in one edition may speak the other. Only silence leads to
 * the next question.
 */
async function probe(slaveId: number, asker: MeterAsker, context: ExchangeContext): Promise<ProbeAnswer> {
  const own = targetsOf(slaveId, asker.points());
  const editions = new Set(own.map(({ edition }) => edition));
  const [first] = own;
  const others = ([2007, 1997] as const)
    .filter((edition) => !editions.has(edition))
    .map((edition): MeterTarget => ({ slaveId, address: first?.address ?? addressOfNumber(slaveId), edition }));
  const hasPoints = asker.points().some((point) => point.slave_id === slaveId);
  let silence: AppError | null = null;
  for (const target of [...own, ...others]) {
    try {
      const answer = answerOf(target, await asker.ask(readRequest(target, PROBE_DI[target.edition]), context));
      if (editions.has(target.edition) || !hasPoints) return answer;
      const params = { address: target.address, answering: target.edition, set: [...editions].join(', ') };
      return { ...answer, remark: { code: 'ADDRESS_EDITION', params } };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'TIMEOUT_RESPONSE' || context.isStopping()) throw error;
      silence ??= error;
    }
  }
  throw silence ?? new AppError('INTERNAL', say('dlt645.no_question'));
}

function answerOf({ edition }: MeterTarget, { control, data }: ReceivedFrame): ProbeAnswer {
  if ((control & REFUSED) === 0) return { kind: 'value', detail: null };
  return { kind: 'refused', detail: errorWordMessage(data[0] ?? null, edition) };
}

/** One identifier at a time; those that the meter does not have are left out. The cursor counts them. */
async function identify(
  slaveId: number,
  cursor: IdentityCursor | null,
  asker: MeterAsker,
  context: ExchangeContext,
): Promise<IdentityPart> {
  const target = targetsOf(slaveId, asker.points())[0];
  const place = cursor?.objectId ?? 0;
  const di = target ? IDENTITY[target.edition][place] : undefined;
  if (!target || di === undefined) return { objects: [], conformity: '', next: null };
  const { control, data } = await asker.ask(readRequest(target, di), context);
  const object = (control & REFUSED) === 0 ? identityObject(target.edition, di, place, data) : null;
  const hasMore = place + 1 < IDENTITY[target.edition].length;
  return {
    objects: object ? [object] : [],
    conformity: `DL/T 645-${target.edition}`,
    next: hasMore ? { category: target.edition, objectId: place + 1 } : null,
  };
}

function identityObject(edition: Edition, di: number, id: number, data: Uint8Array): IdentityObject | null {
  const item = findItem(edition, di);
  const octets = data.slice(edition === 2007 ? 4 : 2);
  if (!item) return null;
  try {
    const [part] = decodeElement(octets, item.format);
    return { id, name: item.nameEn, octets, text: part?.text ? `${part.text}${item.unit ? ` ${item.unit}` : ''}` : '' };
  } catch {
    return { id, name: item.nameEn, octets };
  }
}
