import { AppError } from '#shared/domain/errors.ts';
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
      return new AppError('TRANSPORT_REFUSED', `${target} refused the connection. The device should listen on this port.`, {
        cause: error,
      });
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new AppError('TRANSPORT_UNREACHABLE', `The name in ${target} has no address. An IP address works without a name service.`, {
        cause: error,
      });
    case 'ETIMEDOUT':
      return new AppError('TIMEOUT_CONNECT', `${target} did not answer the connection request.`, { cause: error });
    case 'EACCES':
    case 'EPERM':
      return new AppError('TRANSPORT_PERMISSION', `The system does not allow a connection to ${target}; a firewall may forbid it.`, {
        cause: error,
      });
    default:
      return new AppError('TRANSPORT_UNREACHABLE', `There is no way to ${target} from this computer${code ? ` (${code})` : ''}.`, {
        cause: error,
      });
  }
}

/** Why listening at `address`:`port` was refused by the system. */
export function listenError(error: unknown, address: string, port: number): AppError {
  const code = systemCode(error);
  const place = endPoint(address, port);
  switch (code) {
    case 'EADDRINUSE':
      return new AppError(
        'TRANSPORT_PORT_TAKEN',
        `Port ${port} on ${address} is in use already. Another port is needed, or an end of its use.`,
        {
          cause: error,
        },
      );
    case 'EACCES':
    case 'EPERM': {
      const hint = port < 1024 ? ' Ports below 1024 need administrator rights on many systems; a port from 1024 up does not.' : '';
      return new AppError('TRANSPORT_PERMISSION', `The system does not allow listening at ${place}.${hint}`, { cause: error });
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new AppError('TRANSPORT_UNREACHABLE', `${address} is no address of this computer; 0.0.0.0 listens on all of them.`, {
        cause: error,
      });
    default:
      return new AppError('TRANSPORT_UNREACHABLE', `Listening at ${place} failed${code ? ` (${code})` : ''}.`, { cause: error });
  }
}

/** A connection that stood and broke. */
export function lostError(error: unknown, label: string): AppError {
  if (isTlsError(error)) return encryptedLoss(error, label);
  const code = systemCode(error);
  const how = code === 'ECONNRESET' ? 'was reset by the peer' : `was lost${code ? ` (${code})` : ''}`;
  return new AppError('TRANSPORT_LOST', `The connection ${label} ${how}.`, { cause: error });
}

/** A write without a connection. */
export function notConnected(label: string): AppError {
  return new AppError('TRANSPORT_NOT_CONNECTED', `The connection ${label} is not open.`);
}
