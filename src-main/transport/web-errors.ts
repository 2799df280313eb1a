import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';

/** An error of a socket on the way to `url` in the words of the list. */
export function webError(thrown: unknown, url: string): AppError {
  const { code, message } = (thrown ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const cause = { cause: thrown };
  if (code === 'ECONNREFUSED') return new AppError('TRANSPORT_REFUSED', say('publish.refused', { url }), cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new AppError('TRANSPORT_UNREACHABLE', say('publish.unknown_name', { url }), cause);
  if (code === 'ECONNRESET' || code === 'EPIPE') return new AppError('TRANSPORT_LOST', say('publish.lost', { url }), cause);
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code))
    return new AppError('TRANSPORT_UNREACHABLE', say('publish.unreachable', { url, code }), cause);
  const reason = quoted(typeof message === 'string' && message !== '' ? message : String(code ?? 'unknown'));
  return new AppError('TRANSPORT_LOST', say('publish.failed', { url, reason }), cause);
}
