import type { FrameFacts } from '../spi/index.ts';
import { type AsduView, decodeObjects, openAsdu } from './codec/asdu.ts';
import { causeNames } from './codec/causes.ts';
import type { AsduSizes } from './codec/sizes.ts';
import { mnemonicOf } from './codec/types.ts';
import { APCI_LENGTH, decodeApdu } from './link/apci.ts';

/** First and last of the causes that say that something is not known (44 to 47). */
const UNKNOWN_CAUSES = { first: 44, last: 47 } as const;

/** Of an APDU: station, type identification, cause, negative confirmation, addresses of objects; of a U or S frame its name. */
export function factsOfApdu(bytes: Uint8Array, sizes: AsduSizes): FrameFacts | null {
  try {
    const apdu = decodeApdu(bytes);
    if (apdu.kind !== 'frame') return null;
    if (apdu.format === 'S') return { names: ['S'] };
    if (apdu.format === 'U')
      return {
        names: [
          apdu.function
            .replace('-', ' ')
            .toUpperCase()
            .replace(/ACT|CON/, (step) => step.toLowerCase()),
        ],
      };
    return factsOfAsdu(openAsdu(bytes, sizes, APCI_LENGTH));
  } catch {
    return null;
  }
}

function factsOfAsdu(asdu: AsduView): FrameFacts {
  const { typeId, cause, isNegative } = asdu;
  const words = causeNames(cause);
  const isUnknown = cause >= UNKNOWN_CAUSES.first && cause <= UNKNOWN_CAUSES.last;
  const mnemonic = mnemonicOf(typeId);
  return {
    slave: asdu.commonAddress,
    function: typeId,
    ...(mnemonic === null ? {} : { names: [mnemonic] }),
    cause: { code: cause, names: words ? [words.en, words.zh] : [] },
    ...(isNegative || isUnknown ? { error: cause } : {}),
    addresses: inRanges(decodeObjects(asdu).map(({ address }) => address)),
  };
}

/** Addresses that follow each other as one range: an ASDU may have 127 objects. */
function inRanges(addresses: readonly number[]): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const address of addresses) {
    const last = ranges.at(-1);
    if (last && address === last.to + 1) last.to = address;
    else ranges.push({ from: address, to: address });
  }
  return ranges;
}
