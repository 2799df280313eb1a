import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { malformedVectors, octets, pduVectors } from '../vectors/load.ts';
import { decodeRequest, encodeRead, encodeRequest } from './request.ts';
import { decodeResponse, encodeResponse, exceptionOf, expectEcho, readAnswerData } from './response.ts';

describe('golden PDU vectors', () => {
  for (const { name, request, response } of pduVectors) {
    if (request) {
      it(`${name}: request, both ways`, () => {
        expect(encodeRequest(request.decoded)).toEqual(request.bytes);
        expect(decodeRequest(request.bytes)).toEqual(request.decoded);
      });
    }
    if (response) {
      it(`${name}: answer, both ways`, () => {
        expect(encodeResponse(response.decoded)).toEqual(response.bytes);
        expect(decodeResponse(response.bytes)).toEqual(response.decoded);
      });
    }
  }

  it('cover every function in both directions and every exception of the standard', () => {
    const functions = [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 15, 16, 17, 20, 21, 22, 23, 24, 43];
    const seen = (side: 'request' | 'response') => new Set(pduVectors.map((vector) => vector[side]?.bytes[0]));
    for (const code of functions) {
      expect(seen('request')).toContain(code);
      expect(seen('response')).toContain(code);
    }
    const exceptions = pduVectors.flatMap(({ response }) => (response?.decoded.kind === 'exception' ? [response.decoded.exception] : []));
    for (const code of [1, 2, 3, 4, 5, 6, 8, 10, 11]) expect(exceptions).toContain(code);
  });
});

describe('malformed PDU vectors', () => {
  for (const { name, direction, bytes } of malformedVectors) {
    it(`${direction}, ${name}: refused as PROTOCOL_MALFORMED`, () => {
      const decode = direction === 'request' ? decodeRequest : decodeResponse;
      expect(() => decode(bytes)).toThrow(expect.objectContaining({ code: 'PROTOCOL_MALFORMED' }));
    });
  }
});

describe('encoding beyond the standard', () => {
  it('refuses 126 registers and 2001 coils', () => {
    expect(() => encodeRead(3, 0, 126)).toThrow(AppError);
    expect(() => encodeRead(1, 0, 2001)).toThrow(AppError);
    expect(() => encodeRead(3, 65536, 1)).toThrow(AppError);
  });

  it('refuses a register value that is no 16-bit number', () => {
    expect(() => encodeRequest({ functionCode: 6, address: 0, value: 65536 })).toThrow(AppError);
    expect(() => encodeRequest({ functionCode: 6, address: 0, value: 1.5 })).toThrow(AppError);
  });
});

describe('what a client runs on an answer', () => {
  it('gives the data of a read as a view', () => {
    const answer = octets('03 04 00 01 00 02');
    const data = readAnswerData(answer, 3, 2);
    expect(data).toEqual(octets('00 01 00 02'));
    expect(data.buffer).toBe(answer.buffer);
  });

  it('refuses an answer to another quantity', () => {
    expect(() => readAnswerData(octets('03 02 00 01'), 3, 2)).toThrow(/byte count 2/);
    expect(() => readAnswerData(octets('03 04 00 01'), 3, 2)).toThrow(/2 octets of data/);
    expect(() => readAnswerData(octets('01 02 00 01'), 1, 8)).toThrow(AppError);
  });

  it('tells an echo of another value, and what came back', () => {
    const request = octets('06 00 01 00 03');
    expect(() => expectEcho(request, octets('06 00 01 00 03'))).not.toThrow();
    expect(() => expectEcho(request, octets('06 00 01 00 04'))).toThrow(/06 00 01 00 04 came back/);
    expect(() => expectEcho(request, octets('06 00 01 00'))).toThrow(expect.objectContaining({ code: 'PROTOCOL_MISMATCH' }));
  });

  it('compares address and quantity only where the standard echoes no data', () => {
    const request = octets('10 00 01 00 02 04 00 0A 01 02');
    expect(() => expectEcho(request, octets('10 00 01 00 02'))).not.toThrow();
    expect(() => expectEcho(request, octets('10 00 01 00 01'))).toThrow(AppError);
  });

  it('finds the exception code', () => {
    expect(exceptionOf(octets('83 02'))).toBe(2);
    expect(exceptionOf(octets('03 02 00 01'))).toBe(0);
  });
});
