/** Diagnostic questions of Modbus over a standing session: reads only, one exchange each. */

import { AppError } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type {
  ConnectionDiagnostics,
  IdentityCursor,
  IdentityPart,
  ProbeAnswer,
  ScanAnswer,
  ScanBlock,
  ScanFunction,
} from '../../spi/diagnostics.ts';
import type { ExchangeContext } from '../../spi/index.ts';
import { addressText } from '../address.ts';
import { Exception, exceptionMessage, FUNCTION_NAMES, functionMessage, MAX_ADDRESS } from '../codec/functions.ts';
import { encodeRead, encodeRequest, type ReadFunction, readLimit } from '../codec/request.ts';
import { decodeResponse, exceptionOf, type IdentificationResponse, readAnswerData } from '../codec/response.ts';
import type { ExchangeEnd } from '../link/exchange-session.ts';
import type { SessionRequest } from '../link/session-check.ts';

/** The session as far as a question needs it. */
export interface QuestionSession {
  exchange(request: SessionRequest, context: ExchangeContext): Promise<ExchangeEnd>;
}

/** The harmless question: function 3, address 0, one register. Any answer shows that somebody is there, an exception too. */
export const PROBE_PDU: Uint8Array = encodeRead(3, 0, 1);

/** Functions a scan can use (V1.1b3, 6.1 to 6.4). */
export const SCAN_FUNCTIONS: readonly ScanFunction[] = ([3, 4, 1, 2] as const).map((code) => ({
  code,
  name: FUNCTION_NAMES[code]?.en ?? '',
  largestBlock: readLimit(code),
  isBit: code <= 2,
}));

/** Exceptions of a gateway that did not reach the device behind it (V1.1b3, 7: 10 and 11). */
export const GATEWAY_EXCEPTIONS: readonly number[] = [10, Exception.gatewayTargetFailed];

/** Objects 0 to 6 have names by the standard, 0x80 to 0xFF belong to the maker (V1.1b3, 6.21). */
const OBJECT_NAMES: readonly string[] = [
  'VendorName',
  'ProductCode',
  'MajorMinorRevision',
  'VendorUrl',
  'ProductName',
  'ModelName',
  'UserApplicationName',
];
/** First object beyond the basic category, and beyond the regular one. */
const CATEGORY_START: Readonly<Record<number, number>> = { 2: 3, 3: 0x80 };
const CATEGORY_NAMES = ['', 'basic', 'regular', 'extended'] as const;

/** The questions as the services ask them. */
export function modbusQuestions(session: QuestionSession): ConnectionDiagnostics {
  const ask = async (unitId: number, pdu: Uint8Array, check: (answer: Uint8Array) => void, context: ExchangeContext) => {
    const end = await session.exchange({ unitId, pdu, check }, context);
    if (end.kind === 'failed') throw end.error;
    return end.pdu;
  };
  return {
    async probe(slaveId, context): Promise<ProbeAnswer> {
      const answer = await ask(slaveId, PROBE_PDU, (pdu) => void readAnswerData(pdu, 3, 1), context);
      const exception = exceptionOf(answer);
      if (exception === 0) return { kind: 'value', detail: null };
      return { kind: GATEWAY_EXCEPTIONS.includes(exception) ? 'gateway' : 'refused', detail: exceptionMessage(exception) };
    },
    async identify(slaveId, cursor, context): Promise<IdentityPart> {
      const { category, objectId } = cursor ?? { category: 1, objectId: 0 };
      const pdu = encodeRequest({ functionCode: 43, readCode: category, objectId });
      const answer = await ask(slaveId, pdu, (octets) => void decodeResponse(octets), context);
      const decoded = decodeResponse(answer);
      if (decoded.kind === 'identification') return identityPart(decoded, category, objectId);
      const exception = exceptionOf(answer);
      // beyond the basic objects a refusal is only the end of the list
      if (cursor !== null && category > 1) return { objects: [], conformity: '', next: null };
      const detail = say('modbus.identity_refused', { unit: slaveId, exception: exceptionMessage(exception) });
      throw new AppError('DEVICE_EXCEPTION', detail, { data: { kind: 'exception', detail: english(detail) } });
    },
    async scan(slaveId, block, context): Promise<ScanAnswer> {
      const functionCode = readFunctionOf(block);
      const { start, quantity } = block;
      const pdu = encodeRead(functionCode, start, quantity);
      const answer = await ask(slaveId, pdu, (octets) => void readAnswerData(octets, functionCode, quantity), context);
      const exception = exceptionOf(answer);
      if (exception === 0)
        return { kind: 'values', values: valuesOf(readAnswerData(answer, functionCode, quantity), functionCode, quantity) };
      return {
        kind: 'refused',
        detail: exceptionMessage(exception),
        // 3 is how some devices refuse a quantity, 4 how some refuse an address
        isDivisible: exception >= Exception.illegalDataAddress && exception <= 4,
        isWhole: exception === Exception.illegalFunction,
      };
    },
  };
}

function readFunctionOf({ functionCode, start, quantity }: ScanBlock): ReadFunction {
  const known = SCAN_FUNCTIONS.find((item) => item.code === functionCode);
  if (!known) throw new AppError('CONFIG_INVALID', say('modbus.no_range', { function: functionMessage(functionCode) }));
  if (quantity < 1 || quantity > known.largestBlock) {
    throw new AppError(
      'CONFIG_INVALID',
      say('modbus.scan_block', { function: functionMessage(functionCode), most: known.largestBlock, quantity }),
    );
  }
  if (start < 0 || start + quantity > MAX_ADDRESS + 1) {
    throw new AppError('CONFIG_INVALID', say('modbus.scan_beyond', { last: addressText(MAX_ADDRESS), start, quantity }));
  }
  return functionCode as ReadFunction;
}

function valuesOf(data: Uint8Array, functionCode: ReadFunction, quantity: number): number[] {
  const at = (index: number) => data[index] ?? 0;
  return Array.from({ length: quantity }, (_, index) =>
    functionCode <= 2 ? (at(index >> 3) >> (index & 7)) & 1 : (at(2 * index) << 8) | at(2 * index + 1),
  );
}

/**
 * A part, and where the list goes on: the same category while more follows, then the next one that the conformity level names (V1.1b3,
 * 6.21: the low seven bits are the highest category).
 */
function identityPart(answer: IdentificationResponse, category: number, askedFrom: number): IdentityPart {
  const level = Math.min(3, answer.conformity & 0x7f);
  const objects = answer.objects.map(({ id, value }) => ({ id, name: OBJECT_NAMES[id] ?? '', octets: value }));
  const individual = (answer.conformity & 0x80) !== 0 ? ', single objects too' : '';
  return {
    objects,
    conformity: `${CATEGORY_NAMES[level] || 'unknown'}${individual}`,
    next: nextCursor(answer, category, askedFrom, level),
  };
}

function nextCursor(answer: IdentificationResponse, category: number, askedFrom: number, level: number): IdentityCursor | null {
  // a device that points back would be asked for ever
  if (answer.moreFollows && answer.nextObjectId > askedFrom) return { category, objectId: answer.nextObjectId };
  const next = category + 1;
  return next <= level ? { category: next, objectId: CATEGORY_START[next] ?? 0 } : null;
}
