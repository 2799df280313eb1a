import type { DoctorCode, DoctorParams } from '#shared/domain/doctor.ts';
import type { AppError, ErrorCode } from '#shared/domain/errors.ts';
import type { LineSettings } from '../../../transport/types.ts';

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

/** Why a connection could not be opened, in the words of the doctor. */
export function tcpFinding(error: AppError, line: LineSettings): LineFinding {
  const target = targetOf(line);
  const word = systemWord(error);
  if (word === 'ENOTFOUND' || word === 'EAI_AGAIN') return { code: 'LINE_NAME_UNKNOWN', params: { target: line.ip } };
  switch (error.code) {
    case 'TRANSPORT_REFUSED':
      return { code: 'LINE_REFUSED', params: { target } };
    case 'TIMEOUT_CONNECT':
      return { code: 'LINE_TIMEOUT', params: { target, ms: line.connectTimeoutMs } };
    case 'TRANSPORT_PERMISSION':
      return { code: 'LINE_FORBIDDEN', params: { target } };
    default:
      return { code: 'LINE_NO_ROUTE', params: { target, detail: word || error.message } };
  }
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
  return code ? { code, params: { port } } : { code: 'PORT_FAILED', params: { port, detail: error.message } };
}
