import { say } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { failureBody } from './envelope.ts';

/** What is used of the socket. */
interface BrokenSocket {
  readonly destroyed: boolean;
  readonly writable: boolean;
  write(text: string): unknown;
  destroySoon(): void;
}

const REASONS: Readonly<Record<string, { status: number; reason: string; said: Message }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'Request Header Fields Too Large', said: say('http.headers_too_large') },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout', said: say('http.request_slow') },
};
const OTHER = { status: 400, reason: 'Bad Request', said: say('http.no_request') };

/** Answers octets that never became a request, in the envelope like every failure, and ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: BrokenSocket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, reason, said } = REASONS[error.code ?? ''] ?? OTHER;
  const text = JSON.stringify({ ...failureBody('CONFIG_NOT_JSON', said, null), code: status });
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  }
  socket.destroySoon();
}
