import type { DoctorCode, DoctorParams } from '#shared/domain/doctor.ts';
import type { AppError, ErrorCode } from '#shared/domain/errors.ts';
import { type Encryption, type LineSettings, TlsFailure, type TlsFault } from '../../../transport/types.ts';

export interface LineFinding {
  readonly code: DoctorCode;
  readonly params: DoctorParams;
}

/** The system's short word for what went wrong (`EHOSTUNREACH`), or an empty text. */
function systemWord(error: AppError): string {
  const { cause } = error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

/** `192.168.1.20:502`, `COM3`. */
export function targetOf(line: LineSettings): string {
  if (line.kind === 'serial') return line.comPort ?? '';
  return `${line.ip.includes(':') ? `[${line.ip}]` : line.ip}:${line.port}`;
}

/** `9600 8N1`, as screens and messages write it. */
export function formatOf(line: Pick<LineSettings, 'baudRate' | 'dataBits' | 'parity' | 'stopBits'>): string {
  return `${line.baudRate} ${line.dataBits}${line.parity}${line.stopBits}`;
}

/** Whose port it is: name of the protocol and the port it usually has. */
export interface UsualPort {
  readonly protocol: string;
  readonly usual: number;
}

/** Why a connection could not be opened, in the words of the doctor. */
export function tcpFinding(error: AppError, line: LineSettings, { protocol, usual }: UsualPort): LineFinding {
  const target = targetOf(line);
  const word = systemWord(error);
  if (word === 'ENOTFOUND' || word === 'EAI_AGAIN') return { code: 'LINE_NAME_UNKNOWN', params: { target: line.ip } };
  switch (error.code) {
    case 'TRANSPORT_REFUSED':
      return { code: 'LINE_REFUSED', params: { target, protocol, usual } };
    case 'TIMEOUT_CONNECT':
      return { code: 'LINE_TIMEOUT', params: { target, ms: line.connectTimeoutMs } };
    case 'TRANSPORT_PERMISSION':
      return { code: 'LINE_FORBIDDEN', params: { target } };
    default:
      return { code: 'LINE_NO_ROUTE', params: { target, detail: word || error.said } };
  }
}

const TLS_CODES: Readonly<Record<TlsFault, DoctorCode>> = {
  none: 'TLS_NONE',
  silent: 'TLS_SILENT',
  closed: 'TLS_CLOSED',
  version: 'TLS_VERSION',
  cipher: 'TLS_CIPHER',
  'client-wanted': 'TLS_CLIENT_WANTED',
  'client-unknown': 'TLS_CLIENT_UNKNOWN',
  'client-expired': 'TLS_CLIENT_EXPIRED',
  'client-refused': 'TLS_CLIENT_REFUSED',
  name: 'TLS_NAME',
  'wrong-name': 'TLS_WRONG_NAME',
  expired: 'TLS_EXPIRED',
  'not-yet-valid': 'TLS_NOT_YET_VALID',
  untrusted: 'TLS_UNTRUSTED',
  'self-signed': 'TLS_SELF_SIGNED',
  certificate: 'TLS_CERTIFICATE',
  other: 'TLS_FAILED',
};

/** What is wrong with the encryption, where that is why a line did not open or has ended; null otherwise. */
export function tlsFinding(error: AppError, line: LineSettings): LineFinding | null {
  const { cause } = error;
  if (!(cause instanceof TlsFailure)) return null;
  const params = { target: targetOf(line), ms: line.connectTimeoutMs, detail: cause.said, ...cause.facts };
  return { code: TLS_CODES[cause.fault], params };
}

/** A certificate that expires within this time is told. */
const EXPIRES_SOON_MS = 30 * 86_400_000;

/** What is said of an encrypted connection that stands. */
export function encryptionFinding(encryption: Encryption | null, line: LineSettings, wallMs: number): LineFinding {
  const validTo = encryption?.validTo ?? null;
  const params = {
    version: encryption?.version ?? 'TLS',
    subject: encryption?.subject ?? '',
    until: validTo === null ? '—' : new Date(validTo).toISOString().slice(0, 10),
  };
  if (!line.tls?.isVerified) return { code: 'TLS_UNVERIFIED', params };
  return { code: validTo !== null && validTo - wallMs < EXPIRES_SOON_MS ? 'TLS_EXPIRES' : 'TLS_GOOD', params };
}

const PORT_CODES: Partial<Record<ErrorCode, DoctorCode>> = {
  TRANSPORT_PORT_MISSING: 'PORT_MISSING',
  TRANSPORT_PORT_TAKEN: 'PORT_BUSY',
  TRANSPORT_PERMISSION: 'PORT_FORBIDDEN',
  TIMEOUT_CONNECT: 'PORT_HUNG',
};

/** Why a serial port could not be opened; `present` are the ports there are. */
export function serialFinding(error: AppError, line: LineSettings, present: readonly string[]): LineFinding {
  const port = targetOf(line);
  const code = PORT_CODES[error.code];
  if (code === 'PORT_MISSING') return { code, params: { port, present: present.join(', ') || '—' } };
  if (code === 'PORT_HUNG') return { code, params: { port, ms: line.connectTimeoutMs } };
  return code ? { code, params: { port } } : { code: 'PORT_FAILED', params: { port, detail: error.said } };
}
