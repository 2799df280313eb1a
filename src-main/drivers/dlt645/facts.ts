import type { ExplainContext, FrameFacts } from '../spi/index.ts';
import { decodeAddress } from './codec/address.ts';
import { type Edition, editionOf, FROM_METER, functionNames, functionOf, REFUSED } from './codec/control.ts';
import { checkFrame, type Dlt645Frame, PREAMBLE } from './codec/frame.ts';
import { decodeDi, diText } from './dictionary/dictionary.ts';

/** Of a frame: meter, function, error word, identifier; of an answer without one that of its request. */
export function factsOfMeterFrame(bytes: Uint8Array, { kind, request }: Pick<ExplainContext, 'kind' | 'request'>): FrameFacts | null {
  const frame = kind === 'noise' ? null : frameOf(bytes);
  if (!frame) return null;
  const code = functionOf(frame.control);
  const names = functionNames(code);
  const isRefused = (frame.control & FROM_METER) !== 0 && (frame.control & REFUSED) !== 0;
  const item = (isRefused ? null : itemOf(frame)) ?? itemOf(request && frameOf(request));
  return {
    slave: decodeAddress(frame.address),
    function: code,
    ...(names ? { names: [names.en, names.zh] } : {}),
    ...(isRefused ? { error: frame.data[0] ?? 'refused' } : {}),
    ...(item ? { addresses: [{ from: item.di, to: item.di }], references: [diText(item.di, item.edition)] } : {}),
  };
}

function frameOf(bytes: Uint8Array): Dlt645Frame | null {
  let at = 0;
  while (bytes[at] === PREAMBLE) at += 1;
  const check = checkFrame(bytes, at);
  return check.kind === 'frame' ? check.frame : null;
}

/** Functions of both editions whose data begin with an identifier. */
const WITH_IDENTIFIER: ReadonlySet<number> = new Set([0x11, 0x12, 0x14, 0x01, 0x02, 0x04]);

function itemOf(frame: Dlt645Frame | null): { readonly di: number; readonly edition: Edition } | null {
  if (!frame) return null;
  const code = functionOf(frame.control);
  const edition = editionOf(code);
  const di = edition !== null && WITH_IDENTIFIER.has(code) ? decodeDi(frame.data, edition) : null;
  return di === null || edition === null ? null : { di, edition };
}
