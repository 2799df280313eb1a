import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** `what` with every message in it in its English words, as the edge of the service tells it. */
export function spoken<What>(what: What): What {
  return speakIn(what) as What;
}

function speakIn(what: unknown): unknown {
  if (Array.isArray(what)) return what.map(speakIn);
  if (typeof what !== 'object' || what === null || what instanceof Error || ArrayBuffer.isView(what)) return what;
  if (isMessage(what)) return english(what);
  return Object.fromEntries(Object.entries(what).map(([key, value]) => [key, speakIn(value)]));
}

function isMessage(what: object): what is Message {
  return 'code' in what && 'params' in what && typeof what.code === 'string' && what.code.includes('.');
}
