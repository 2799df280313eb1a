/** What a station has said to an interrogation, looked at octet by octet. */
import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { type AsduView, openAsdu } from '../codec/asdu.ts';
import { Cause, causeMessage, isUnknownCause } from '../codec/causes.ts';
import type { AsduSizes } from '../codec/sizes.ts';
import { TypeId } from '../codec/types.ts';

/** `isTerminated`: nothing more will come. */
export type StationAnswer =
  | { readonly kind: 'confirmed' | 'silent'; readonly isTerminated: boolean }
  | { readonly kind: 'refused'; readonly isTerminated: boolean; readonly detail: Message };

/** The answer to an interrogation among what came behind it. A mirrored refusal is made of our own octets and proves no sizes. */
export function answersOf(asdus: readonly Uint8Array[], asked: Uint8Array, sizes: AsduSizes): StationAnswer {
  let answer: StationAnswer = { kind: 'silent', isTerminated: false };
  for (const asdu of asdus) {
    const view = viewOf(asdu, sizes);
    if (view?.typeId !== TypeId.C_IC_NA_1) continue;
    // all stations answer with their own addresses
    const isOurs = asdu.at(-1) === asked.at(-1);
    if (!isOurs) continue;
    const { cause, isNegative } = view;
    if (cause === Cause.activationTermination) return { kind: 'confirmed', isTerminated: true };
    if (cause === Cause.activationCon && !isNegative) answer = { kind: 'confirmed', isTerminated: false };
    else if (answer.kind === 'silent' && (isNegative || isUnknownCause(cause))) {
      const detail = isNegative ? say('iec104.cause_negative', { cause: causeMessage(cause) }) : causeMessage(cause);
      answer = { kind: 'refused', isTerminated: true, detail };
    }
  }
  return answer;
}

/** Messages that the station made by itself, read with these sizes: data, its start, and positive answers. */
export function evidenceOf(asdus: readonly Uint8Array[], sizes: AsduSizes): AsduView[] {
  return asdus.flatMap((asdu) => {
    const view = viewOf(asdu, sizes);
    if (!view?.type || view.count === 0 || view.isNegative || isUnknownCause(view.cause)) return [];
    return [view];
  });
}

function viewOf(asdu: Uint8Array, sizes: AsduSizes): AsduView | null {
  try {
    return openAsdu(asdu, sizes);
  } catch {
    return null;
  }
}
