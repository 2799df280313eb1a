import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { BerReader } from '../../../protocol-kit/ber/reader.ts';
import { BerWriter } from '../../../protocol-kit/ber/writer.ts';
import { hex, octets } from '../testing/captures.ts';
import { decodeMms, encodeMms, invokeIdOf } from './codec.ts';
import { decodeResult, encodeResult } from './data.ts';
import type { MmsPdu, MmsRequest, MmsResponse } from './pdu.ts';
import { readAnswerSize, readRequestSize, resultSize, typeSize, variableSize } from './sizes.ts';
import { decodeType } from './type-description.ts';
import type { MmsResult, MmsType } from './types.ts';
import { accessErrorText, errorText, rejectText } from './words.ts';

const result = (text: string): MmsResult => decodeResult(new BerReader(octets(text)));
const type = (text: string): MmsType => decodeType(new BerReader(octets(text)));
const written = (value: MmsResult): string => {
  const writer = new BerWriter();
  encodeResult(writer, value);
  return hex(writer.finish());
};
/** An element of at most 127 octets in hex. */
const tlv = (tag: string, ...parts: string[]): string => {
  const content = parts.join('').replaceAll(' ', '');
  return `${tag}${(content.length / 2).toString(16).padStart(2, '0')}${content}`;
};
const malformed = expect.objectContaining({ code: 'PROTOCOL_MALFORMED' });

function request(text: string): MmsRequest {
  const pdu = decodeMms(octets(text));
  if (pdu.kind !== 'request') throw new Error(`${pdu.kind} is no request.`);
  expect(hex(encodeMms(pdu))).toBe(text.replaceAll(' ', ''));
  return pdu.request;
}

function response(text: string): MmsResponse {
  const pdu = decodeMms(octets(text));
  if (pdu.kind !== 'response') throw new Error(`${pdu.kind} is no response.`);
  return pdu.response;
}

describe('initiate', () => {
  const OFFER = 'a8 26 80 03 00 fd e8 81 01 05 82 01 05 83 01 0a a4 16 80 01 01 81 03 05 f1 00 82 0c 03 ee 1c 00 00 04 08 00 00 79 ef 18';

  it('reads PDU size, window, nesting and the supported services', () => {
    const pdu = decodeMms(octets(OFFER));
    expect(pdu).toMatchObject({
      kind: 'initiate-request',
      initiate: { localDetail: 65000, maxCalling: 5, maxCalled: 5, nesting: 10, version: 1 },
    });
    if (pdu.kind !== 'initiate-request') throw new Error('no initiate');
    expect([pdu.initiate.parameters.size, pdu.initiate.services.size]).toEqual([11, 85]);
    expect(hex(encodeMms(pdu))).toBe(OFFER.replaceAll(' ', ''));
  });

  it('lets PDU size and nesting be left out', () => {
    const text = 'a919 810101 820101 a411 800101 8103 05f100 8207 0340 0000000000'.replaceAll(' ', '');
    const pdu = decodeMms(octets(text));
    expect(pdu).toMatchObject({ kind: 'initiate-response', initiate: { localDetail: null, nesting: null, maxCalled: 1 } });
    expect(hex(encodeMms(pdu))).toBe(text);
  });
});

describe('invokeID', () => {
  it.each([
    ['00', 0],
    ['7f', 127],
    ['0080', 128],
    ['00ff', 255],
    ['0100', 256],
    ['008000', 32768],
    ['7fffffff', 2 ** 31 - 1],
    ['00ffffffff', 2 ** 32 - 1],
  ])('%s is %d, in request, error and reject', (text, invokeId) => {
    const all = [tlv('a0', tlv('02', text), '8200'), tlv('a2', tlv('80', text), 'a205a003870102'), tlv('a4', tlv('80', text), '810101')];
    for (const text of all) {
      const pdu = decodeMms(octets(text));
      expect(pdu).toMatchObject({ invokeId });
      expect(hex(encodeMms(pdu))).toBe(text);
      expect(invokeIdOf(octets(text))).toBe(invokeId);
    }
  });

  it('accepts leading zeros and refuses what is beyond 32 bits', () => {
    expect(decodeMms(octets('a007 0203000005 8200'))).toMatchObject({ invokeId: 5 });
    expect(() => decodeMms(octets('a009 02050100000000 8200'))).toThrow(malformed);
  });

  it('is not found where there is none', () => {
    expect(invokeIdOf(octets('a003 850100'))).toBeNull();
    expect(invokeIdOf(octets('8b00'))).toBeNull();
    expect(invokeIdOf(octets('a0'))).toBeNull();
    expect(invokeIdOf(octets(''))).toBeNull();
  });
});

describe('services', () => {
  it('reads what the captures do not show', () => {
    expect(request(tlv('a0', '020101', tlv('a1', 'a003800108', 'a10481024c44')))).toMatchObject({
      objectClass: 8,
      scope: { scope: 'domain', domain: 'LD' },
    });
    expect(request(tlv('a0', '020101', 'ad03800102'))).toEqual({ service: 'delete-named-variable-list', scope: 2, names: [] });
    expect(request(tlv('a0', '020101', tlv('bf4d', tlv('a1', '190161'))))).toEqual({
      service: 'file-directory',
      name: null,
      continueAfter: ['a'],
    });
    expect(request(tlv('a0', '020101', tlv('a5', tlv('a1', '800152'), tlv('a0', '8a00'))))).toMatchObject({ spec: { kind: 'list' } });
    expect(request(tlv('a0', '020101', 'bf4700'))).toEqual({ service: 'unknown', tag: 0xbf47, octets: octets('') });
  });

  it('steps over modifiers of a request', () => {
    expect(decodeMms(octets('a007 020101 3000 8200'))).toMatchObject({ request: { service: 'identify' } });
  });

  it('reads alternate access of every kind', () => {
    const read = (access: string) => {
      const variable = tlv('30', 'a003800161', tlv('a5', access));
      const found = request(tlv('a0', '020101', tlv('a4', tlv('a1', tlv('a0', variable)))));
      return found.service === 'read' && found.spec.kind === 'variables' ? found.spec.items[0]?.access : null;
    };
    expect(read('820102')).toEqual([{ step: { kind: 'index', index: 2 }, inner: null }]);
    expect(read('8400')).toEqual([{ step: { kind: 'all' }, inner: null }]);
    expect(read('a306 800102 810103')).toEqual([{ step: { kind: 'range', low: 2, count: 3 }, inner: null }]);
    expect(read('a00b 810102 3006 8104 6356616c')).toEqual([
      { step: { kind: 'index', index: 2 }, inner: [{ step: { kind: 'component', name: 'cVal' }, inner: null }] },
    ]);
    expect(read('a006 8300 3002 8400')).toEqual([{ step: { kind: 'all' }, inner: [{ step: { kind: 'all' }, inner: null }] }]);
    expect(read('a00d a206800100810101 3003 820100')).toEqual([
      { step: { kind: 'range', low: 0, count: 1 }, inner: [{ step: { kind: 'index', index: 0 }, inner: null }] },
    ]);
  });

  it('takes the selection of a named alternate access and refuses an unknown one', () => {
    const read = (access: string) =>
      decodeMms(octets(tlv('a0', '020101', tlv('a4', tlv('a1', tlv('a0', tlv('30', 'a003800161', tlv('a5', access))))))));
    expect(read('a506 800158 820102')).toMatchObject({
      request: { spec: { items: [{ access: [{ step: { kind: 'index', index: 2 } }] }] } },
    });
    expect(() => read('8600')).toThrow('86 selects nothing');
  });

  it('refuses names, scopes and variables that are none', () => {
    expect(() => decodeMms(octets('a00a 020101 a605 a003 830161'))).toThrow('83 is no object name');
    expect(() => decodeMms(octets('a00e 020101 a109 a003800109 a102 8400'))).toThrow('84 is no scope');
    expect(() => decodeMms(octets('a00b 020101 a406 a104 a0023000'))).toThrow(malformed);
    expect(() => decodeMms(octets('a00a 020101 a405 a103 840100'))).toThrow('Variable access specification');
  });

  it('takes true as any octet but 00', () => {
    for (const octet of ['01', 'ff', '80']) {
      const pdu = decodeMms(octets(`a00f 020101 a40a 8001${octet} a105 a103 800161`));
      expect(pdu).toMatchObject({ request: { withSpecification: true } });
    }
  });
});

describe('pitfalls of answers', () => {
  it('4: moreFollows of a name list left out means that more follows', () => {
    expect(response('a10a 020101 a105 a003 1a0161')).toMatchObject({ names: ['a'], moreFollows: true });
    expect(response('a10d 020101 a108 a003 1a0161 810100')).toMatchObject({ moreFollows: false });
    expect(response('a10d 020101 a108 a003 1a0161 8101ff')).toMatchObject({ moreFollows: true });
  });

  it('4: FileRead goes on when it does not say, FileDirectory ends', () => {
    expect(response('a109 020101 bf4903 800161')).toMatchObject({ octets: octets('61'), moreFollows: true });
    expect(response('a10c 020101 bf4906 800161 810100')).toMatchObject({ moreFollows: false });
    expect(response('a10a 020101 bf4d04 a002 3000')).toMatchObject({ entries: [], moreFollows: false });
    expect(response('a108 020101 bf4d02 a000')).toMatchObject({ entries: [], moreFollows: false });
  });

  it('5: members of a structure type keep the order of the device', () => {
    const component = (name: string, text: string) => tlv('30', tlv('80', hex(Buffer.from(name))), tlv('a1', text));
    const found = type(tlv('a2', tlv('a1', component('stVal', '8300'), component('q', '8401f3'), component('t', '9100'))));
    expect(found).toEqual({
      kind: 'structure',
      components: [
        { name: 'stVal', type: { kind: 'boolean' } },
        { name: 'q', type: { kind: 'bit-string', size: -13 } },
        { name: 't', type: { kind: 'utc-time' } },
      ],
    });
  });

  it.each([
    ['850100', 'integer', 0],
    ['8501fd', 'integer', -3],
    ['85020080', 'integer', 128],
    ['8503ff7fff', 'integer', -32769],
    ['850480000000', 'integer', -2147483648],
    ['8505012a05f200', 'integer', 5_000_000_000],
    ['85087fffffffffffffff', 'integer', 2n ** 63n - 1n],
    ['85088000000000000000', 'integer', -(2n ** 63n)],
    ['860200c8', 'unsigned', 200],
    ['860500fffffffe', 'unsigned', 4294967294],
    ['860900ffffffffffffffff', 'unsigned', 2n ** 64n - 1n],
  ])('6: %s is %s %s', (text, kind, value) => {
    expect(result(text)).toEqual({ kind, value });
    expect(written(result(text))).toBe(text);
  });

  it('6: unsigned without its leading zero is not negative', () => {
    expect(result('8601c8')).toEqual({ kind: 'unsigned', value: 200 });
    expect(result('85040000007f')).toEqual({ kind: 'integer', value: 127 });
  });

  it('7: longer lengths than needed are read, elements end within their parent', () => {
    expect(
      decodeMms(octets('a082002d02020005a48126a124a0223020a01ea11c1a07454d53314c44301a114c4c4e302453542442656824737456616c')),
    ).toMatchObject({
      invokeId: 5,
      request: { spec: { items: [{ name: { domain: 'EMS1LD0', item: 'LLN0$ST$Beh$stVal' } }] } },
    });
    expect(() => result('a203 850200 85')).toThrow('its parent holds 1 more');
    expect(() => result('8a84ffffffff')).toThrow(malformed);
    expect(() => result('8a89ffffffffffffffffff')).toThrow(malformed);
    expect(() => decodeMms(octets('8b00 00'))).toThrow('1 octets stand behind the PDU');
  });

  it('7: nesting and size are limited', () => {
    let nested = '830101';
    for (let level = 0; level < 40; level++) nested = tlv('a2', nested);
    const pdu = octets(tlv('a1', '020101', tlv('a4', tlv('a1', nested))));
    expect(() => decodeMms(pdu, { maxDepth: 20, maxOctets: 1000 })).toThrow(malformed);
    expect(decodeMms(pdu)).toHaveProperty('response.results.0.kind', 'structure');
    expect(() => decodeMms(pdu, { maxDepth: 90, maxOctets: 10 })).toThrow('more than the 10 accepted');
  });

  it('8: bits keep their order', () => {
    expect(result('8403034300')).toEqual({ kind: 'bit-string', size: 13, octets: octets('4300') });
    expect(result('84020680')).toEqual({ kind: 'bit-string', size: 2, octets: octets('80') });
    expect(result('840100')).toEqual({ kind: 'bit-string', size: 0, octets: octets('') });
  });

  it('13: a report, a reject and answers are told apart by their PDU alone', () => {
    const kinds = [
      'a309 a007 a103800152 a000',
      'a406800163810101',
      'a403850100',
      'a20a800106a205a003870102',
      '850164',
      '860164',
      '8b00',
      '8c00',
    ];
    expect(kinds.map((text) => decodeMms(octets(text)).kind)).toEqual([
      'information-report',
      'reject',
      'reject',
      'error',
      'cancel-request',
      'cancel-response',
      'conclude-request',
      'conclude-response',
    ]);
    expect(decodeMms(octets('a302 a100'))).toMatchObject({ kind: 'unknown', tag: 0xa3 });
    expect(decodeMms(octets('b0028000'))).toEqual({ kind: 'unknown', tag: 0xb0, octets: octets('8000') });
  });

  it('takes the answer to a definition of a variable list whose NULL is constructed', () => {
    expect(response('a1 05 02 01 07 ab 00')).toEqual({ service: 'define-named-variable-list' });
  });

  it('22: empty strings are values', () => {
    expect(result('8a00')).toEqual({ kind: 'visible-string', text: '' });
    expect(result('9000')).toEqual({ kind: 'mms-string', text: '' });
    expect(result('8900')).toEqual({ kind: 'octet-string', octets: octets('') });
  });

  it('keeps unknown types and odd lengths as they came, and the values around them', () => {
    const odd = ['8b015a', '8300', '84020800', '8500', '8603000001', '870108', '87050b00000000', '8c03000000', '910700000000000000'];
    const found = result(tlv('a2', ...odd));
    if (found.kind !== 'structure') throw new Error('no structure');
    expect(found.items.map((item) => item.kind)).toEqual([
      'other',
      'other',
      'other',
      'other',
      'unsigned',
      'other',
      'other',
      'other',
      'other',
    ]);
    expect(result('840101').kind).toBe('other');
    expect(result('87090b7ff0000000000000')).toEqual({ kind: 'float', value: Number.POSITIVE_INFINITY, width: 64 });
  });
});

describe('errors', () => {
  it('reads class, code, vendor code and text', () => {
    const error = tlv('a2', 'a0038c0163', '810102', tlv('82', '6e6f21'));
    const pdu = decodeMms(octets(tlv('a2', '800106', '810101', error)));
    expect(pdu).toEqual({
      kind: 'error',
      invokeId: 6,
      error: { errorClass: 12, code: 99, additionalCode: 2, text: 'no!' },
    });
    expect(hex(encodeMms(pdu))).toBe(tlv('a2', '800106', error));
  });

  it.each(['aa05a003880101', 'ad05a003890101', 'a70a800105a105a0038a0102'])('reads and writes %s', (text) => {
    const pdu = decodeMms(octets(text));
    expect(pdu).toHaveProperty('error.code');
    expect(hex(encodeMms(pdu))).toBe(text);
  });

  it('refuses errors and rejects without reason', () => {
    expect(() => decodeMms(octets('a203800106'))).toThrow('holds no error');
    expect(() => decodeMms(octets('a2 09 800106 a204 a0023000'))).toThrow('no class');
    expect(() => decodeMms(octets('a402 3000'))).toThrow('no reason');
    expect(() => decodeMms(octets('a105 020101 a400'))).toThrow('no results');
    expect(() => decodeMms(octets('a108 020101 a603 800100'))).toThrow('holds none');
    expect(() => decodeMms(octets('a107 020101 a502 8200'))).toThrow('no result of Write');
    expect(() => type('a200')).toThrow('no list of components');
  });

  it('has words', () => {
    expect(english(accessErrorText(3))).toBe('object-access-denied (3)');
    expect(english(accessErrorText(77))).toBe('data access error 77');
    expect(english(errorText({ errorClass: 7, code: 2, additionalCode: null, text: null }))).toBe('access: object-non-existent (7/2)');
    expect(english(errorText({ errorClass: 12, code: 9, additionalCode: null, text: 'full' }))).toBe('others: code 9 (12/9), "full"');
    expect(english(errorText({ errorClass: 30, code: 9, additionalCode: null, text: '' }))).toBe('error class 30/9');
    expect(english(rejectText(1, 1))).toBe('confirmed request rejected: unrecognized-service (1/1)');
    expect(english(rejectText(5, 1))).toBe('PDU rejected: invalid-pdu (5/1)');
    expect(english(rejectText(20, 1))).toBe('PDU kind 20 rejected (20/1)');
  });
});

describe('sizes', () => {
  const name = { scope: 'domain', domain: 'EMS1LD0', item: 'MMXU1$MX$TotW$mag$f' } as const;

  it('counts a variable as it is encoded', () => {
    expect(variableSize({ name, access: null })).toBe(36);
    const items = [
      { name, access: [{ step: { kind: 'index', index: 2 }, inner: null }] },
      { name: { scope: 'vmd', item: 'x'.repeat(200) }, access: null },
      { name: { ...name, item: 'x'.repeat(129) }, access: null },
      { name: { scope: 'association', item: 'é' }, access: null },
    ] as const;
    const pdu: MmsPdu = {
      kind: 'request',
      invokeId: 2 ** 32 - 1,
      request: { service: 'read', spec: { kind: 'variables', items }, withSpecification: false },
    };
    const octets = items.reduce((sum, item) => sum + variableSize(item), 0);
    const size = encodeMms(pdu).length;
    expect(readRequestSize(octets)).toBeGreaterThanOrEqual(size);
    expect(size - octets).toBe(23);
  });

  it('knows the answer of a measured value', () => {
    const q: MmsType = { kind: 'bit-string', size: -13 };
    const mag: MmsType = { kind: 'structure', components: [{ name: 'f', type: { kind: 'float', width: 32, exponentWidth: 8 } }] };
    const mv: MmsType = {
      kind: 'structure',
      components: [
        { name: 'mag', type: mag },
        { name: 'q', type: q },
        { name: 't', type: { kind: 'utc-time' } },
      ],
    };
    expect(typeSize(mv)).toBe(26);
    expect(typeSize({ kind: 'array', count: 16, element: mv })).toBe(16 * 26 + 4);
    expect(typeSize({ kind: 'visible-string', size: -255 })).toBe(258);
    expect(typeSize({ kind: 'visible-string', size: -255 }, 32)).toBe(34);
    expect(typeSize({ kind: 'octet-string', size: 8 }, 32)).toBe(10);
    expect([typeSize({ kind: 'integer', size: 64 }), typeSize({ kind: 'unsigned', size: 32 })]).toEqual([10, 7]);
    expect([typeSize({ kind: 'binary-time', hasDate: true }), typeSize({ kind: 'boolean' })]).toEqual([8, 3]);
    expect(typeSize({ kind: 'other', tag: 0x8d, octets: octets('04') }, 10)).toBe(12);
    expect(resultSize({ kind: 'failure', code: 10 })).toBe(3);
    expect(readAnswerSize(10)).toBeGreaterThan(10);
  });
});

describe('a quality that is shared', () => {
  it('has octets of its own: those of a chunk that is filled anew are others', () => {
    // nothing else has these bits
    const chunk = Buffer.from([0x84, 0x03, 0x03, 0x5a, 0xf8]);
    const first = decodeResult(new BerReader(chunk));
    expect(first).toEqual({ kind: 'bit-string', size: 13, octets: octets('5a f8') });
    chunk.fill(0);
    expect(first).toEqual({ kind: 'bit-string', size: 13, octets: octets('5a f8') });
    expect(decodeResult(new BerReader(octets('84 03 03 5a f8')))).toBe(first);
  });
});
