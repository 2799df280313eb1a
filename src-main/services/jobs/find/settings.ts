import type { z } from 'zod';
import { AddChannelBody } from '#shared/contract/channels.ts';
import type { CharacterFormatText, FindBody } from '#shared/contract/jobs.ts';
import { ConnType } from '#shared/domain/enums.ts';
import type { DriverDiagnostics } from '../../../drivers/spi/diagnostics.ts';
import { withProtocolDefaults } from '../../channel-settings.ts';

/** Bits of a character with parity, the longest there is. */
const CHARACTER_BITS = 11;
/** Characters of the question and of the shortest answer. */
const EXCHANGE_CHARACTERS = 8 + 7;
/** What a slave and an adapter take to answer, beside the time on the wire. */
const TURN_ROUND_MS = 80;
const TCP_TIMEOUT_MS = 300;
/** Settings of a serial line that most devices have, in the order in which they are met. */
const USUAL_LINES = {
  baudRates: [9600, 19_200, 38_400, 115_200, 4800, 2400, 57_600, 1200],
  formats: ['8N1', '8E1', '8O1', '8N2'],
} as const satisfies DriverDiagnostics['usualLines'];

/** Characters of a channel name; an address may be longer. */
const LONGEST_NAME = 100;

/** One way to talk to the line that is searched. */
export interface FindSetting {
  /** Null over TCP. */
  readonly baudRate: number | null;
  readonly format: CharacterFormatText | null;
  /** Time to the first octet of an answer. */
  readonly timeoutMs: number;
}

const LATE_TIMEOUTS = 3;

/** Settings of a serial line that a search of this protocol tries where nobody names others. */
export function usualLines({ usualLines: own }: Pick<DriverDiagnostics, 'usualLines'>): NonNullable<DriverDiagnostics['usualLines']> {
  return own ?? USUAL_LINES;
}

/** The settings a search tries, in the order it tries them; one over TCP. */
export function findSettings(request: FindBody, diagnostics: Pick<DriverDiagnostics, 'usualLines' | 'wildcards'>): FindSetting[] {
  const turnRoundMs = diagnostics.wildcards?.turnRoundMs;
  if (request.com_port === null) {
    return [{ baudRate: null, format: null, timeoutMs: request.timeout_ms ?? turnRoundMs?.tcp ?? TCP_TIMEOUT_MS }];
  }
  const usual = usualLines(diagnostics);
  const rates = [...new Set(request.baud_rates ?? usual.baudRates)];
  const formats = [...new Set(request.formats ?? usual.formats)];
  return rates.flatMap((baudRate) =>
    formats.map((format) => ({ baudRate, format, timeoutMs: request.timeout_ms ?? turnRoundMs?.serial ?? serialTimeout(baudRate) })),
  );
}

/** Turn-round and the time of a few characters: a slow line has slow slaves, and adapters deliver in lumps. */
function serialTimeout(baudRate: number): number {
  return TURN_ROUND_MS + Math.ceil((EXCHANGE_CHARACTERS * CHARACTER_BITS * 1000) / baudRate);
}

/** Time one question takes when nobody answers: sending it, waiting, and the silence around it. */
export function questionMs({ baudRate, timeoutMs }: FindSetting): number {
  return timeoutMs + (baudRate === null ? 0 : Math.ceil((EXCHANGE_CHARACTERS * CHARACTER_BITS * 1000) / baudRate) + 10);
}

/** How long late answers are waited for, once nobody has answered with a setting. */
export function lateMs({ timeoutMs }: FindSetting): number {
  return LATE_TIMEOUTS * timeoutMs;
}

/** Time an octet takes on the line, in milliseconds; 0 over TCP. */
export function octetMs({ baudRate }: FindSetting): number {
  return baudRate === null ? 0 : (CHARACTER_BITS * 1000) / baudRate;
}

/** Addresses to ask: the usual ones first, then the rest of the range in order. */
export function findAddresses(request: FindBody, { addresses }: Pick<DriverDiagnostics, 'addresses'>): { usual: number[]; rest: number[] } {
  const first = Math.max(request.first_slave, addresses.least);
  const last = Math.min(request.last_slave, addresses.most);
  const usual = addresses.usual.filter((address) => address >= first && address <= last);
  const rest: number[] = [];
  for (let address = first; address <= last; address++) if (!usual.includes(address)) rest.push(address);
  return { usual, rest };
}

/** Where it was found: `COM3 9600 8N1`, `192.168.1.20:502`. */
export function lineName(request: FindBody, port: number, setting: FindSetting): string {
  if (request.com_port !== null) return `${request.com_port} ${setting.baudRate} ${setting.format}`;
  return `${request.ip.includes(':') ? `[${request.ip}]` : request.ip}:${port}`;
}

/** The channel that talks to the line with this setting, named after it. */
export function channelBody(
  request: FindBody,
  setting: FindSetting,
): z.output<typeof AddChannelBody> & ReturnType<typeof withProtocolDefaults> {
  const line =
    request.com_port === null
      ? { conn_type: ConnType.tcpClient, ip: request.ip, port: request.port }
      : {
          conn_type: ConnType.rtuMaster,
          com_port: request.com_port,
          baud_rate: setting.baudRate ?? undefined,
          ...formatFields(setting.format),
        };
  const body = AddChannelBody.parse({ name: 'search', protocol_type: request.protocol_type, ...line });
  const settings = withProtocolDefaults(body);
  return { ...settings, name: lineName(request, settings.port, setting).slice(0, LONGEST_NAME) };
}

function formatFields(format: CharacterFormatText | null): object {
  if (format === null) return {};
  return { data_bits: Number(format[0]), parity: format[1], stop_bits: Number(format[2]) };
}
