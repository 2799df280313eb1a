/** What the simulated device agrees to when a client associates (ISO 9506-2, initiate). */
import type { Bits, Initiate } from '../mms/pdu.ts';

/** What the device takes at most. */
export interface ServerLimits {
  /** Octets of a PDU. */
  readonly maxPduOctets: number;
  /** Outstanding requests, 1 or more. */
  readonly maxOutstanding: number;
  /** Size of the segments of the transport; null leaves it to the client. */
  readonly tpduSize: number | null;
}

/** With less not even an error fits beside a name. */
const LEAST_PDU = 64;
const NESTING = 10;
const VERSION = 1;
/** str1, str2, vnam, valt, vlis. */
const PARAMETERS = [0, 1, 2, 3, 7];
/**
 * status, getNameList, identify, read, write, getVariableAccessAttributes, the three of named variable lists, readJournal, initializeJournal,
 * fileOpen, fileRead, fileClose, fileDirectory, conclude.
 */
const SERVICES = [0, 1, 2, 4, 5, 6, 11, 12, 13, 65, 67, 72, 73, 74, 77, 83];

/** The answer to a proposal; null where it offers PDUs that are too small. */
export function negotiated(proposal: Initiate, limits: ServerLimits): Initiate | null {
  const localDetail = Math.min(proposal.localDetail ?? limits.maxPduOctets, limits.maxPduOctets);
  if (localDetail < LEAST_PDU) return null;
  return {
    localDetail,
    maxCalling: least(proposal.maxCalling, limits.maxOutstanding),
    maxCalled: least(proposal.maxCalled, limits.maxOutstanding),
    nesting: Math.min(proposal.nesting ?? NESTING, NESTING),
    version: VERSION,
    parameters: bits(11, PARAMETERS),
    services: bits(85, SERVICES),
  };
}

function least(proposed: number, own: number): number {
  return Math.max(1, Math.min(proposed, own));
}

function bits(size: number, set: readonly number[]): Bits {
  const octets = new Uint8Array(Math.ceil(size / 8));
  for (const bit of set) octets[bit >> 3] = (octets[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return { size, octets };
}
