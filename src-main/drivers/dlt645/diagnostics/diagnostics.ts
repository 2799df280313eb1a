/** The diagnostics of DL/T 645 for the services: both editions, over serial lines and gateways. */
import type { DriverDiagnostics } from '../../spi/diagnostics.ts';
import { addressOfNumber } from '../codec/address.ts';
import { NO_SUCH_DATA } from '../codec/control.ts';
import { diText } from '../dictionary/dictionary.ts';
import { editionOfPoint } from '../meter-point.ts';
import { recogniseMeters } from './diagnostics-frames.ts';
import { meterWildcards, readOctetsOf } from './find-wildcards.ts';

const HIGHEST_METER = 999_999_999_999;

/** Energy, voltage, current and power: every meter has them. */
const USUAL_POINTS = {
  2007: [
    ['EP', 0x00010000],
    ['UA', 0x02010100],
    ['IA', 0x02020100],
    ['P', 0x02030000],
  ],
  1997: [
    ['EP', 0x9010],
    ['UA', 0xb611],
    ['IA', 0xb621],
    ['P', 0xb630],
  ],
} as const;

/** Meters have twelve digits and are found by wildcards; most lines are 2400 8E1, old ones 1200, gateways 9600. */
export const meterDiagnostics: DriverDiagnostics = {
  addresses: { least: 0, most: HIGHEST_METER, usual: [] },
  wildcards: meterWildcards,
  usualLines: { baudRates: [2400, 9600, 1200, 4800], formats: ['8E1', '8N1', '8O1'] },
  scanFunctions: [],
  usualPoints: (protocol) => USUAL_POINTS[editionOfPoint({ protocol })].map(([code, address]) => ({ code, address })),
  addressText: addressOfNumber,
  itemText: (point) => diText(point.address, editionOfPoint(point)),
  questions: (slaveId) => [{ framing: 'dlt645', octets: readOctetsOf(addressOfNumber(slaveId), 2007) }],
  recognise: (octets, sent) => recogniseMeters(octets, sent),
  isMissingAddress: ({ code, data }) => code === 'DEVICE_EXCEPTION' && (wordOf(data) & NO_SUCH_DATA) !== 0,
  // the format comes with the identifier, so there is no order of octets and no base of addresses to be wrong
  judgeTable: () => [],
};

/** The error word of a refusal; 0 where there is none. */
function wordOf(data: unknown): number {
  return typeof data === 'object' && data !== null && 'word' in data && typeof data.word === 'number' ? data.word : 0;
}
