import type { FailureBody } from './envelope.ts';

/** What is used of the socket. */
interface BrokenSocket {
  readonly destroyed: boolean;
  readonly writable: boolean;
  write(text: string): unknown;
  destroySoon(): void;
}

const REASONS: Readonly<Record<string, { status: number; reason: string; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'Request Header Fields Too Large', message: 'The header fields are larger than 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout', message: 'The request did not arrive whole within its time.' },
};
const OTHER = { status: 400, reason: 'Bad Request', message: 'The octets received are no HTTP request.' };

/** Answers octets that never became a request, in the envelope like every failure, and ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: BrokenSocket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, reason, message } = REASONS[error.code ?? ''] ?? OTHER;
  const body: FailureBody = { code: status, message, error: 'CONFIG_NOT_JSON', data: null };
  const text = JSON.stringify(body);
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  }
  socket.destroySoon();
}
