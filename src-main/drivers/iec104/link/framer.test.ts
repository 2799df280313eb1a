import { describe, expect, it } from 'vitest';
import { decodeAsdu } from '../codec/asdu.ts';
import { STANDARD_SIZES } from '../codec/sizes.ts';
import { octets, readCaptures, streamsOf } from '../testing/captures.ts';
import { APCI_LENGTH, type Apdu, type ApduFault } from './apci.ts';
import { ApduFramer } from './framer.ts';

const captures = readCaptures();

function push(...chunks: readonly Uint8Array[]): { framer: ApduFramer; items: (Apdu | ApduFault)[] } {
  const framer = new ApduFramer();
  return { framer, items: chunks.flatMap((chunk) => framer.push(chunk)) };
}

function fault(items: readonly (Apdu | ApduFault)[]): ApduFault {
  const found = items.find((item) => item.kind === 'fault');
  if (found?.kind !== 'fault') throw new Error('no fault');
  return found;
}

describe('framer over the golden scenarios', () => {
  it('has all of them', () => {
    expect(captures).toHaveLength(60);
    expect(captures.flatMap(streamsOf).flatMap((stream) => stream.apdus).length).toBeGreaterThan(1000);
  });

  it.each(captures.map((capture) => [capture.name, capture] as const))('%s, split at every octet and in every chunk size', (_, capture) => {
    for (const { bytes, apdus } of streamsOf(capture)) {
      const whole = push(bytes).items.map((item) => item.bytes);
      expect(whole).toEqual(apdus);
      for (let cut = 1; cut < bytes.length; cut++) {
        const { framer, items } = push(bytes.subarray(0, cut), bytes.subarray(cut));
        if (items.length !== apdus.length || framer.buffered !== 0) expect.unreachable(`split at ${cut}`);
        for (let index = 0; index < items.length; index++) {
          if (Buffer.compare(items[index]?.bytes ?? bytes, apdus[index] ?? bytes) !== 0)
            expect.unreachable(`split at ${cut}, item ${index}`);
        }
      }
      for (const size of [1, 2, 3, 5, 7, 64, 254]) {
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_none, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(push(...chunks).items.map((item) => item.bytes)).toEqual(apdus);
      }
    }
  });
});

describe('framer and octets that are no frame', () => {
  it('waits behind a lone start octet', () => {
    const { framer, items } = push(octets('68'));
    expect(items).toEqual([]);
    expect(framer.buffered).toBe(1);
    expect(framer.push(octets('0407000000'))).toMatchObject([{ kind: 'frame', format: 'U', function: 'startdt-act' }]);
    expect(framer.buffered).toBe(0);
  });

  it('reports a wrong start octet at once and trusts nothing behind it', () => {
    const { framer, items } = push(octets('680407000000 690407000000'), octets('680443000000'));
    expect(items.map((item) => item.kind)).toEqual(['frame', 'fault', 'fault']);
    expect(fault(items)).toMatchObject({ code: 'FRAME_NOISE', isFatal: true, message: 'The start octet is 0x69, 0x68 would be right.' });
    expect(items.at(-1)).toMatchObject({ bytes: octets('680443000000'), isFatal: true });
    expect(framer.buffered).toBe(0);
  });

  it.each([0, 3, 254, 255])('reports length %i as soon as it is there', (length) => {
    expect(fault(push(octets('68'), Uint8Array.of(length)).items)).toMatchObject({
      code: 'FRAME_LENGTH',
      isFatal: true,
      message: `The length octet is ${length}, 4 to 253 would be right.`,
    });
  });

  it('takes the longest frame', () => {
    const frame = new Uint8Array(255);
    frame.set([0x68, 253]);
    expect(push(frame.subarray(0, 254), frame.subarray(254)).items).toHaveLength(1);
  });

  it('holds no chunk in memory for the sake of an unfinished frame', () => {
    const framer = new ApduFramer();
    framer.push(Uint8Array.from([...octets('680443000000'), 0x68]));
    expect(framer.buffered).toBe(1);
  });
});

describe('malformed frames of scenario 10', () => {
  const capture = captures.find((one) => one.name === '10_malformed_frames');
  const sent = (connection: number) =>
    capture?.events.filter((one) => one.from === 'client' && one.connection === connection && one.bytes.length > 0) ?? [];

  it('faults the bad start octet', () => {
    expect(fault(push(...sent(0).map((one) => one.bytes)).items)).toMatchObject({ code: 'FRAME_NOISE', isFatal: true });
  });

  it.each([
    [1, 'M_SP_NA_1 (1) with SQ 1 and 10 objects has 5 octets of them, 13 would be right.'],
    [2, 'C_SC_NA_1 (45) with SQ 0 and 1 objects has 0 octets of them, 4 would be right.'],
    [3, 'C_IC_NA_1 (100) with SQ 0 and 1 objects has 3 octets of them, 4 would be right.'],
  ])('refuses the ASDU of connection %i', (connection, message) => {
    const bytes = sent(connection).at(-1)?.bytes ?? new Uint8Array(0);
    expect(() => decodeAsdu(bytes, STANDARD_SIZES, APCI_LENGTH)).toThrow(expect.objectContaining({ code: 'PROTOCOL_MALFORMED', message }));
  });

  it('reports the U frame without function, and reads the test frame behind it', () => {
    const { items } = push(...sent(4).map((one) => one.bytes));
    expect(items.map((item) => item.kind)).toEqual(['frame', 'fault', 'frame']);
    expect(fault(items)).toMatchObject({ code: 'PROTOCOL_MALFORMED', isFatal: false });
    expect(items.at(-1)).toMatchObject({ format: 'U', function: 'testfr-act' });
  });
});
