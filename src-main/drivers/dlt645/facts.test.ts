import { describe, expect, it } from 'vitest';
import { encodeAddress } from './codec/address.ts';
import { encodeFrame } from './codec/frame.ts';
import { factsOfMeterFrame } from './facts.ts';

const address = encodeAddress('000000000012');
const di = Uint8Array.of(0x00, 0x01, 0x01, 0x02);
const asked = { kind: 'tx', request: null } as const;
const request = encodeFrame({ address, control: 0x11, data: di }, 4);

describe('facts of DL/T 645 frames', () => {
  it('are meter, function and identifier, with and without octets that wake the meter', () => {
    const facts = {
      slave: '000000000012',
      function: 0x11,
      names: ['read', '读数据'],
      addresses: [{ from: 0x02010100, to: 0x02010100 }],
      references: ['02010100'],
    };
    expect(factsOfMeterFrame(request, asked)).toEqual(facts);
    const answer = encodeFrame({ address, control: 0x91, data: Uint8Array.of(...di, 0x23, 0x22) });
    expect(factsOfMeterFrame(answer, { kind: 'rx', request })).toEqual(facts);
  });

  it('tell a refusal with its error word, for the identifier that was asked', () => {
    const refusal = encodeFrame({ address, control: 0xd1, data: Uint8Array.of(0x02) });
    expect(factsOfMeterFrame(refusal, { kind: 'rx', request })).toMatchObject({ function: 0x11, error: 2, references: ['02010100'] });
    expect(factsOfMeterFrame(refusal, { kind: 'rx', request: null })).not.toHaveProperty('references');
  });

  it('are of the edition of 1997 by its functions', () => {
    const frame = encodeFrame({ address, control: 0x01, data: Uint8Array.of(0x10, 0x90) });
    expect(factsOfMeterFrame(frame, asked)).toMatchObject({ function: 1, addresses: [{ from: 0x9010, to: 0x9010 }], references: ['9010'] });
  });

  it('are none of noise, and of a frame with a wrong checksum', () => {
    expect(factsOfMeterFrame(request, { kind: 'noise', request: null })).toBeNull();
    for (let at = 4; at < request.length; at++) {
      const broken = request.slice();
      broken[at] = (broken[at] ?? 0) ^ 0x11;
      expect(factsOfMeterFrame(broken, asked)).toBeNull();
    }
  });
});
