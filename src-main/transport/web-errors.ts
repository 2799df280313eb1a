import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Words of OpenSSL and Node for a certificate that is not accepted. */
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET|DECODE)|INVALID_CA|PATH_LENGTH/;

/** An error of a socket on the way to `url` in the words of the list. */
export function webError(thrown: unknown, url: string): AppError {
  const { code, message } = (thrown ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const cause = { cause: thrown };
  if (code === 'ECONNREFUSED') return new AppError('TRANSPORT_REFUSED', say('publish.refused', { url }), cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new AppError('TRANSPORT_UNREACHABLE', say('publish.unknown_name', { url }), cause);
  if (code === 'ECONNRESET' || code === 'EPIPE') return new AppError('TRANSPORT_LOST', say('publish.lost', { url }), cause);
  if (typeof code === 'string' && UNTRUSTED.test(code)) return new AppError('TRANSPORT_REFUSED', certificateSays(thrown, code, url), cause);
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
    return new AppError('TRANSPORT_UNREACHABLE', say('publish.unreachable', { url, code }), cause);
  const reason = quoted(typeof message === 'string' && message !== '' ? message : String(code ?? 'unknown'));
  return new AppError('TRANSPORT_LOST', say('publish.failed', { url, reason }), cause);
}

function certificateSays(thrown: unknown, code: string, url: string): Message {
  if (/ALTNAME/.test(code)) {
    const { cert } = thrown as { readonly cert?: { readonly subjectaltname?: unknown } };
    return say('publish.certificate_name', { url, names: quoted(String(cert?.subjectaltname ?? '-')) });
  }
  if (/EXPIRED|NOT_YET_VALID/.test(code)) return say('publish.certificate_time', { url, code });
  return say('publish.certificate_untrusted', { url, code });
}
