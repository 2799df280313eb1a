import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { encryptedLoss, isTlsError } from './tls-errors.ts';

/** `127.0.0.1:502`, `[::1]:502`. */
export function endPoint(address: string | undefined, port: number | undefined): string {
  const host = address ?? '?';
  return `${host.includes(':') ? `[${host}]` : host}:${port ?? '?'}`;
}

/** The system's short word for what went wrong (`ECONNREFUSED`), or an empty text. */
function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Why a connection to `target` could not be made. */
export function connectError(error: unknown, target: string): AppError {
  const code = systemCode(error);
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return new AppError('TRANSPORT_REFUSED', say('transport.refused', { target }), {
        cause: error,
      });
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new AppError('TRANSPORT_UNREACHABLE', say('transport.no_address', { target }), {
        cause: error,
      });
    case 'ETIMEDOUT':
      return new AppError('TIMEOUT_CONNECT', say('transport.silent', { target }), { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new AppError('TRANSPORT_PERMISSION', say('transport.not_allowed', { target }), {
        cause: error,
      });
    default:
      return new AppError(
        'TRANSPORT_UNREACHABLE',
        code ? say('transport.no_way_code', { target, code }) : say('transport.no_way', { target }),
        {
          cause: error,
        },
      );
  }
}

/** Why listening at `address`:`port` was refused by the system. */
export function listenError(error: unknown, address: string, port: number): AppError {
  const code = systemCode(error);
  const place = endPoint(address, port);
  switch (code) {
    case 'EADDRINUSE':
      return new AppError('TRANSPORT_PORT_TAKEN', say('transport.port_in_use', { port, address }), {
        cause: error,
      });
    case 'EACCES':
    case 'EPERM': {
      const said = port < 1024 ? say('transport.listen_forbidden_low', { place }) : say('transport.listen_forbidden', { place });
      return new AppError('TRANSPORT_PERMISSION', said, { cause: error });
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new AppError('TRANSPORT_UNREACHABLE', say('transport.not_our_address', { address }), {
        cause: error,
      });
    default:
      return new AppError(
        'TRANSPORT_UNREACHABLE',
        code ? say('transport.listen_failed_code', { place, code }) : say('transport.listen_failed', { place }),
        { cause: error },
      );
  }
}

/** A connection that stood and broke. */
export function lostError(error: unknown, label: string): AppError {
  if (isTlsError(error)) return encryptedLoss(error, label);
  const code = systemCode(error);
  const said =
    code === 'ECONNRESET'
      ? say('transport.reset', { label })
      : code
        ? say('transport.lost_code', { label, code })
        : say('transport.lost', { label });
  return new AppError('TRANSPORT_LOST', said, { cause: error });
}

/** A write without a connection. */
export function notConnected(label: string): AppError {
  return new AppError('TRANSPORT_NOT_CONNECTED', say('transport.not_open', { label }));
}

/** What the system told of datagrams to `target` that were sent: nothing takes them there, or there is no way. */
export function datagramTrouble(error: unknown, target: string): AppError {
  const code = systemCode(error);
  const isRefused = code === 'ECONNREFUSED' || code === 'ECONNRESET';
  if (isRefused) return new AppError('TRANSPORT_REFUSED', say('transport.datagram_refused', { target }), { cause: error });
  return new AppError('TRANSPORT_UNREACHABLE', say('transport.datagram_trouble', { target, code }), { cause: error });
}

/** A datagram that the system did not take. It sends whole datagrams or nothing, so nothing has gone out. */
export function notSent(error: unknown, target: string): AppError {
  return new AppError('TRANSPORT_NOT_CONNECTED', say('transport.datagram_not_sent', { target, code: systemCode(error) }), { cause: error });
}
