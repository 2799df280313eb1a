/**
 * The meters of a line by the wildcards of the standard: AA stands for a pair of digits, from the high end. Pairs are closed one after the other
 * from the low end (DL/T 645-2007, 5.2.3: abbreviated addresses).
 */
import type { Message } from '#shared/messages/message.ts';
import type { WildcardAnswer, WildcardDevice, WildcardPattern, WildcardSearch } from '../../spi/diagnostics.ts';
import { ANY_METER, addressOfNumber, encodeAddress, isMeant } from '../codec/address.ts';
import { type Edition, editionOf, errorWordMessage, functionOf, REFUSED, readFunctions } from '../codec/control.ts';
import { encodeFrame } from '../codec/frame.ts';
import { encodeDi } from '../dictionary/dictionary.ts';
import type { ReceivedFrame } from '../link/framer.ts';
import { numberOfAnswer, OWN_NUMBER_DI, overhear } from './diagnostics-frames.ts';

/** Preambles of a question: as many as wake every receiver. */
const PREAMBLES = 4;
const OPEN_PAIR = 'AA';
/** Octets of the longest answer to a question: a number of six octets, or an energy with more digits, behind a full preamble. */
const ANSWER_OCTETS = 4 + 12 + 4 + 6;

/**
 * What is asked, and what is asked again: forward active energy differs from meter to meter. The 1997 edition knows no identifier of the
 * address, so energy comes first and the meter number second.
 */
const QUESTIONS: Readonly<Record<Edition, readonly [first: number, again: number]>> = {
  2007: [OWN_NUMBER_DI, 0x00010000],
  1997: [0x9010, 0xc032],
};

/** Patterns carry the edition as points do. */
function editionOfPattern({ protocol }: WildcardPattern): Edition {
  return protocol.edition === 1997 ? 1997 : 2007;
}

/** A read of an identifier by whoever is meant. */
export function readOctetsOf(address: string, edition: Edition, again = false): Uint8Array {
  const data = encodeDi(QUESTIONS[edition][again ? 1 : 0], edition);
  return encodeFrame({ address: encodeAddress(address), control: readFunctions(edition).read, data }, PREAMBLES);
}

/** The search of the house asks these questions. */
export const meterWildcards: WildcardSearch = {
  roots: [
    { text: ANY_METER, protocol: {} },
    { text: ANY_METER, protocol: { edition: 1997 } },
  ],
  // 20 to 500 ms by the standard; gateways wait for the end of what they pass on, and pass it on at once
  turnRoundMs: { serial: 500, tcp: 1000 },
  answerOctets: ANSWER_OCTETS,
  question: (pattern, again) => readOctetsOf(pattern.text, editionOfPattern(pattern), again),
  split,
  exact: ({ protocol }, slaveId) => ({ text: addressOfNumber(slaveId), protocol }),
  judge,
  describe: (pattern) => `DL/T 645-${editionOfPattern(pattern)}`,
};

/** A hundred patterns with the lowest open pair closed; none when all are. */
function split({ text, protocol }: WildcardPattern): WildcardPattern[] {
  const end = text.lastIndexOf(OPEN_PAIR) + OPEN_PAIR.length;
  if (end < OPEN_PAIR.length) return [];
  return Array.from({ length: 100 }, (_, pair) => ({
    text: text.slice(0, end - OPEN_PAIR.length) + String(pair).padStart(2, '0') + text.slice(end),
    protocol,
  }));
}

/** An answer belongs to the question when its function, its address and, where it has data, its identifier do. */
function judge(octets: Uint8Array, sent: Uint8Array): WildcardAnswer {
  const { answers, noise } = overhear(octets, [sent]);
  const asked = requestOf(sent);
  const late = new Map<number, WildcardAnswer['late'][number]>();
  const devices = new Map<number, WildcardDevice>();
  let isHidden = false;
  for (const answer of answers) {
    const slaveId = numberOfAnswer(answer);
    if (asked && !isAnswerTo(answer, asked)) {
      const edition = editionOf(functionOf(answer.control));
      if (slaveId !== null) late.set(slaveId, { slaveId, protocol: edition === 1997 ? { edition } : {} });
    } else if (slaveId === null) isHidden = true;
    else if (!devices.has(slaveId)) devices.set(slaveId, { slaveId, detail: refusalText(answer) });
  }
  return { devices: [...devices.values()], late: [...late.values()], isHidden, noise };
}

function requestOf(sent: Uint8Array): ReceivedFrame | undefined {
  return overhear(sent, []).requests[0];
}

function isAnswerTo({ control, address, data }: ReceivedFrame, asked: ReceivedFrame): boolean {
  if (functionOf(control) !== functionOf(asked.control)) return false;
  // a meter may copy the wildcard
  if (!isMeant(asked.address, address) && !isMeant(address, asked.address)) return false;
  return (control & REFUSED) !== 0 || asked.data.every((octet, at) => data[at] === octet);
}

function refusalText({ control, data }: ReceivedFrame): Message | null {
  if ((control & REFUSED) === 0) return null;
  return errorWordMessage(data[0] ?? null, editionOf(functionOf(control)) ?? 2007);
}
