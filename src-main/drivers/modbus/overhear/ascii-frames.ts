import type { AsciiFramer } from '../rtu/ascii.ts';
import { answerLength, requestLength } from '../rtu/lengths.ts';
import type { LineItem } from '../rtu/line-framing.ts';
import { isRequest, type OverheardCutter, type OverheardItem } from './frames.ts';

/** The unit id and a checksum of two octets, which `lengths.ts` counts. */
const RTU_OVERHEAD = 3;

/** The cutter of Modbus ASCII: a colon begins a frame, CR LF ends it (MODBUS over Serial Line V1.02, 2.5.2), so nothing but the side can be in doubt. */
export class OverheardAscii implements OverheardCutter {
  readonly #framer: AsciiFramer;

  constructor(framer: AsciiFramer) {
    this.#framer = framer;
  }

  get buffered(): number {
    return this.#framer.buffered;
  }

  get received(): number {
    return this.#framer.received;
  }

  push(chunk: Uint8Array): readonly OverheardItem[] {
    return this.#framer.push(chunk).map(itemOf);
  }

  silence(): readonly OverheardItem[] {
    const at = this.#framer.received - this.#framer.buffered;
    const bytes = this.#framer.giveUp();
    return bytes.length === 0 ? [] : [{ kind: 'noise', bytes, at }];
  }
}

function itemOf(item: LineItem): OverheardItem {
  if (item.kind === 'fault') return { kind: 'noise', bytes: item.bytes, at: item.at };
  const { bytes, unitId, pdu, at } = item;
  const body = Uint8Array.of(unitId, ...pdu);
  const length = pdu.length + RTU_OVERHEAD;
  const asks = requestLength(body, 0, body.length) === length && isRequest(pdu);
  const answers = unitId !== 0 && answerLength(body, 0, body.length) === length;
  // of a function that is not known either may be
  const isKnown = asks || answers;
  const frame = { bytes, unitId, pdu, canAsk: asks || !isKnown, canAnswer: answers || !isKnown, isDoubtful: false, at };
  return { kind: 'frame', frame };
}
