import type { ExplainContext, FrameFacts } from '../spi/index.ts';
import { rangesOf } from './carries.ts';
import { EXCEPTION_BIT, FUNCTION_NAMES } from './codec/functions.ts';
import { MBAP_LENGTH } from './link/mbap.ts';
import { framingOf } from './rtu/settings.ts';

/** Of a Modbus TCP frame: unit, function, exception code, addresses. */
export function factsOfMbap(bytes: Uint8Array, context: ExplainContext): FrameFacts | null {
  if (context.kind === 'noise' || bytes.length <= MBAP_LENGTH) return null;
  const { request } = context;
  const asked = context.isRequest ? bytes : request !== null && request.length > MBAP_LENGTH ? request : null;
  return factsOf(bytes.subarray(MBAP_LENGTH - 1), asked?.subarray(MBAP_LENGTH) ?? null, context);
}

/** The same of a frame of RTU or ASCII, as the channel has them. */
export function factsOfLine(bytes: Uint8Array, context: ExplainContext): FrameFacts | null {
  if (context.kind === 'noise') return null;
  const framing = framingOf(context.settings.protocol);
  const body = framing.bodyOf(bytes);
  const asked = context.isRequest ? body : context.request && framing.bodyOf(context.request);
  return body && body.length > 1 ? factsOf(body, asked?.subarray(1) ?? null, context) : null;
}

/** `body`: unit and PDU of the frame; `asked`: PDU of the request. */
function factsOf(body: Uint8Array, asked: Uint8Array | null, { isRequest, settings }: ExplainContext): FrameFacts {
  const [slave = 0, code = 0] = body;
  const functionCode = code & ~EXCEPTION_BIT & 0xff;
  const isException = !isRequest && (code & EXCEPTION_BIT) !== 0;
  const names = FUNCTION_NAMES[functionCode];
  const base = settings.addressBase;
  const addresses = (asked ? rangesOf(asked) : []).map(({ start, quantity }) => ({ from: start + base, to: start + base + quantity - 1 }));
  return {
    slave,
    function: functionCode,
    ...(names ? { names: [names.en, names.zh] } : {}),
    ...(isException ? { error: body[2] ?? 'exception' } : {}),
    ...(addresses.length > 0 ? { addresses } : {}),
  };
}
