/** Times of a line that carries DL/T 645 frames. */
import { isSerial } from '#shared/domain/enums.ts';
import { bitsPerOctet } from '#shared/domain/serial.ts';
import type { DriverChannelSettings } from '../../spi/index.ts';
import { FRAME_OVERHEAD } from '../codec/frame.ts';

/** Silence between a reply and the next request, where the channel names none: slow adapters need it. */
const SILENCE_MS = 20;
/** Longest gap between two octets of a frame; a longer one ends it (DL/T 645-2007, 5.1: 500 ms). */
const OCTET_GAP_MS = 500;

/** Times in milliseconds. */
export interface LineTiming {
  /** What an octet takes; 0 over TCP, where nothing is reckoned from the baud rate. */
  readonly octetMs: number;
  /** Silence in front of every request. */
  readonly silenceMs: number;
  /** Silence in the middle of a frame after which its rest is not waited for any more. */
  readonly octetGapMs: number;
}

type TimeSettings = Pick<
  DriverChannelSettings,
  'connType' | 'baudRate' | 'dataBits' | 'stopBits' | 'parity' | 'requestGapMs' | 'timeoutMs'
>;

/** A gateway adds its own delays, so on TCP a rest may take as long as an answer. */
export function lineTiming(settings: TimeSettings): LineTiming {
  const { requestGapMs, timeoutMs } = settings;
  if (!isSerial(settings.connType)) return { octetMs: 0, silenceMs: requestGapMs ?? 0, octetGapMs: Math.max(timeoutMs, OCTET_GAP_MS) };
  const octetMs = (bitsPerOctet(settings) * 1000) / settings.baudRate;
  return { octetMs, silenceMs: requestGapMs ?? SILENCE_MS, octetGapMs: OCTET_GAP_MS };
}

/** Data octets of a request: the identifier. A reply repeats it, so a read moves four of them in the 2007 edition beside the frames. */
const DI_OCTETS = { 2007: 4, 1997: 2 } as const;

/**
 * Octets of a read and its reply with `dataOctets` of value: 32 + n and the preambles of both in the 2007 edition, four less in that of
 * 1997.
 */
export function readOctets(edition: 2007 | 1997, dataOctets: number, preambles: number): number {
  return 2 * (FRAME_OVERHEAD + DI_OCTETS[edition] + preambles) + dataOctets;
}
