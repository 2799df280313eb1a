import { describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import { hex, octets } from '../testing/captures.ts';
import { decodeApdu, encodeApdu, MMS_APPLICATION_CONTEXT } from './acse.ts';
import { type ConnectTpdu, decodeTpdu, disconnectReason, encodeConnect, TsduAssembler } from './cotp.ts';
import { decodeAbortPpdu, decodeAcceptPpdu, decodeConnectPpdu, decodeRefusePpdu, decodeUserData, encodePpdu } from './presentation.ts';
import { decodeSpdu, encodeSpdu } from './session.ts';

const malformed = { code: 'PROTOCOL_MALFORMED' };
const CR = octets('11e00000000100c0010dc2020001c1020001');

describe('COTP', () => {
  it('reads size and selectors of a CR, in any order', () => {
    const wanted = {
      kind: 'cr',
      destination: 0,
      source: 1,
      class: 0,
      tpduSize: 8192,
      callingSelector: octets('0001'),
      calledSelector: octets('0001'),
    };
    expect(decodeTpdu(CR)).toEqual(wanted);
    expect(decodeTpdu(octets('11e00000000100c1020001c2020001c0010d'))).toEqual(wanted);
    expect(decodeTpdu(octets('14e00000000100c1020001c60100c2020001c0010d'))).toEqual(wanted);
  });

  it('keeps selectors as octets: 00 01, 01 and 00 00 00 01 are three addresses (pitfall 16)', () => {
    const selectors = ['0001', '01', '00000001', ''].map(octets);
    const again = selectors.map((calledSelector) => {
      const tpdu: ConnectTpdu = { kind: 'cr', destination: 0, source: 1, class: 0, tpduSize: null, callingSelector: null, calledSelector };
      return decodeTpdu(encodeConnect(tpdu));
    });
    expect(again.map((tpdu) => tpdu.kind === 'cr' && tpdu.calledSelector)).toEqual(selectors);
  });

  it('leaves out what is null (pitfall 17)', () => {
    const bare = { kind: 'cr', destination: 0, source: 1, class: 0, tpduSize: null, callingSelector: null, calledSelector: null } as const;
    expect(hex(encodeConnect(bare))).toBe('06e00000000100');
    expect(decodeTpdu(octets('06e00000000100'))).toEqual(bare);
  });

  it.each([
    ['', 'length indicator'],
    ['05', 'of the TPDU is 5, 0 octets follow'],
    ['01f0', 'length indicator of a DT is 1'],
    ['05e000000001', 'at least 6'],
    ['07e00000000100c0', 'reaches beyond its end'],
    ['09e00000000100c0090d', 'reaches beyond its end'],
    ['09e00000000100c00106', '2^6, 2^7 to 2^16'],
    ['02c000', 'none of CR, CC, DR, DT and ER'],
    ['05800000000100', 'none of'],
  ])('refuses %s', (text, message) => {
    expect(() => decodeTpdu(octets(text))).toThrow(expect.objectContaining({ ...malformed, message: expect.stringContaining(message) }));
  });

  it('reads ER and the reasons of a DR', () => {
    expect(decodeTpdu(octets('047000010200'))).toEqual({ kind: 'er', destination: 1, cause: 2 });
    expect(decodeTpdu(octets('06800000000188'))).toMatchObject({ kind: 'dr', reason: 136 });
    expect([disconnectReason(136), disconnectReason(77)]).toEqual([
      { en: 'connection request refused', zh: '连接请求被拒绝' },
      say('osi.reason', { reason: 77 }),
    ]);
  });

  it('limits what segments join to, whatever their sizes', () => {
    const assembler = new TsduAssembler();
    for (let count = 0; count < 10; count++) expect(assembler.push(new Uint8Array(10), false, 100)).toBeNull();
    expect(() => assembler.push(new Uint8Array(1), true, 100)).toThrow(expect.objectContaining({ code: 'FRAME_LENGTH' }));
    const empty = new TsduAssembler();
    expect(() => {
      for (;;) empty.push(new Uint8Array(0), false, 100);
    }).toThrow('100 are accepted');
    expect(empty.buffered).toBeLessThanOrEqual(101);
  });
});

describe('session', () => {
  const selector = octets('0001');
  const connect = (length: number) =>
    ({ kind: 'connect', callingSelector: selector, calledSelector: selector, userData: new Uint8Array(length).fill(5) }) as const;

  it.each([0, 1, 127, 128, 200, 228, 229, 230, 231, 254, 255, 256, 300, 5000, 60_000])(
    'reads back user data of %i octets: lengths are not those of BER (pitfall 2)',
    (length) => {
      const bytes = encodeSpdu(connect(length));
      expect(decodeSpdu(bytes)).toEqual(connect(length));
      const isLong = bytes.length > 2 + 254;
      expect(bytes[1] === 0xff).toBe(isLong);
    },
  );

  it('passes over unknown parameters, and takes extended user data', () => {
    const spdu = decodeSpdu(octets('0d0e 0506130100160102 3c0177 c2 0161'));
    expect(spdu).toEqual({ kind: 'connect', callingSelector: null, calledSelector: null, userData: octets('61') });
  });

  it('reads a refusal and its reason', () => {
    const bytes = encodeSpdu({ kind: 'refuse', reason: 129, userData: octets('3000') });
    expect(decodeSpdu(bytes)).toEqual({ kind: 'refuse', reason: 129, userData: octets('3000') });
    expect(decodeSpdu(octets('0c00'))).toMatchObject({ reason: null });
    expect(decodeSpdu(octets('1a00'))).toEqual({ kind: 'abort-accept' });
  });

  it.each(['0d05c1', '0dff', '0dff0010', '01000200', '0100', '0900ff', '0704aabbccdd', '0d03c10561', ''])('refuses %s', (text) => {
    expect(() => decodeSpdu(octets(text))).toThrow(expect.objectContaining(malformed));
  });

  it('takes everything behind the two headers of a data SPDU', () => {
    expect(decodeSpdu(octets('01000100'))).toEqual({ kind: 'data', userData: octets('') });
    expect(decodeSpdu(octets('0103100101 0100 6100'))).toEqual({ kind: 'data', userData: octets('6100') });
  });
});

describe('presentation', () => {
  it('reads data with the transfer syntax before the context, octet-aligned data, and any context', () => {
    const wanted = [{ contextId: 5, octets: octets('8b00') }];
    expect(decodeUserData(octets('610d300b 06025101 020105 a0028b00'))).toEqual(wanted);
    expect(decodeUserData(octets('61093007 020105 81028b00'))).toEqual(wanted);
    expect(decodeUserData(octets('6181 0a 3081 07 020105 a0028b00'))).toEqual(wanted);
  });

  it.each(['6100ff', '6003020103', '61053003020103', '61083106020103a00100', '610a3008020103a00100ffff', '61093007 0205ffffffffff'])(
    'refuses %s',
    (text) => {
      expect(() => decodeUserData(octets(text))).toThrow(expect.objectContaining(malformed));
    },
  );

  it('reads back a refusal of the provider, and aborts of both kinds', () => {
    const refuse = { kind: 'refuse', results: [{ result: 2, transferSyntax: null }], reason: 3, data: [] } as const;
    expect(decodeRefusePpdu(encodePpdu(refuse))).toEqual(refuse);
    const provider = { kind: 'abort', reason: 5, data: [] } as const;
    expect(decodeAbortPpdu(encodePpdu(provider))).toEqual(provider);
    expect(decodeAbortPpdu(octets('a000'))).toEqual({ kind: 'abort', reason: null, data: [] });
    expect(decodeAbortPpdu(octets('3000'))).toEqual({ kind: 'abort', reason: 0, data: [] });
  });

  it('refuses another mode, missing parameters and a flood of contexts', () => {
    expect(() => decodeConnectPpdu(octets('3105a003800100'))).toThrow('mode of the presentation is 0');
    expect(() => decodeAcceptPpdu(octets('3105a003800101'))).toThrow('parameters of the normal mode');
    const context = { id: 1, abstractSyntax: '2.2.1.0.1', transferSyntaxes: ['2.1.1'] };
    const flood = encodePpdu({
      kind: 'connect',
      callingSelector: null,
      calledSelector: null,
      contexts: new Array(33).fill(context),
      data: [],
    });
    expect(() => decodeConnectPpdu(flood)).toThrow('33 presentation contexts');
  });
});

describe('ACSE', () => {
  it('leaves out titles, and reads them when they are there', () => {
    const none = { apTitle: null, aeQualifier: null };
    const aarq = {
      kind: 'aarq',
      applicationContext: MMS_APPLICATION_CONTEXT,
      called: none,
      calling: none,
      password: null,
      information: null,
    } as const;
    expect(hex(encodeApdu(aarq))).toBe('6009a107060528ca220203');
    expect(decodeApdu(encodeApdu(aarq))).toEqual(aarq);
    const named = { ...aarq, called: { apTitle: '1.3.9999.23', aeQualifier: 300 }, password: octets('7365637265') };
    expect(decodeApdu(encodeApdu(named))).toEqual(named);
  });

  it('passes over a title in another form than an object identifier', () => {
    expect(decodeApdu(octets('6011 a107060528ca220203 a206 3004 31020102'))).toMatchObject({
      called: { apTitle: null },
    });
  });

  it('reads a refusal of either source', () => {
    const aare = (tag: string) => octets(`6115 a107060528ca220203 a203020101 a305 ${tag}0302010d`);
    expect(decodeApdu(aare('a1'))).toMatchObject({ result: 1, diagnosticSource: 'user', diagnostic: 13, information: null });
    expect(decodeApdu(aare('a2'))).toMatchObject({ result: 1, diagnosticSource: 'provider', diagnostic: 13 });
  });

  it.each(['', '7000', '6000', '6109a107060528ca220203', '600da107060528ca220203be022800'])('refuses %s', (text) => {
    expect(() => decodeApdu(octets(text))).toThrow(expect.objectContaining(malformed));
  });
});
