import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import type { DriverDescriptor, DriverLine } from '../../drivers/spi/index.ts';
import { ManualClock } from '../../platform/manual-clock.ts';
import type { TransportEvents } from '../../transport/types.ts';
import { FaultyLines, type LineFaults, NO_FAULTS } from './line-faults.ts';

const FRAME = Uint8Array.of(1, 3, 2, 0, 5, 0x78, 0x47);

/** A line that keeps what is written to it, with faults on it. */
function aLine(
  faults: Partial<LineFaults>,
  { check, random = () => 0 }: { check?: DriverDescriptor['frameCheck']; random?: () => number } = {},
) {
  const clock = new ManualClock();
  const written: { at: number; octets: number[] }[] = [];
  const told: string[] = [];
  let events: TransportEvents | null = null;
  let isClosed = false;
  const line: DriverLine = {
    label: 'client',
    start: (given) => {
      events = given;
    },
    async write(bytes) {
      written.push({ at: clock.monotonicMs(), octets: [...bytes] });
    },
    async close() {
      isClosed = true;
    },
  };
  const lines = new FaultyLines(
    clock,
    random,
    () => check,
    (said) => told.push(english(said)),
  );
  lines.set(faults);
  const wrapped = lines.wrap(line, true);
  wrapped.start({ onData: () => undefined, onClosed: () => undefined });
  const lose = () => events?.onClosed({ kind: 'peer' } as never);
  return { clock, written, told, lines, wrapped, lose, isClosed: () => isClosed };
}

describe('a faulty line', () => {
  it('without faults sends everything as it is, at once', async () => {
    const { written, wrapped, told } = aLine({});
    await wrapped.write(FRAME);
    expect(written).toEqual([{ at: 0, octets: [...FRAME] }]);
    expect(told).toEqual(['The line is not made faulty any more.']);
    expect(wrapped.label).toBe('client');
  });

  it.each([
    ['crc', FRAME, [1, 3, 2, 0, 5, 0x78, 0x47 ^ 0xff]],
    ['sum', Uint8Array.of(0x68, 1, 0x16), [0x68, 1 ^ 0xff, 0x16]],
    [
      'crc',
      new TextEncoder().encode(':010300F0\r\n'),
      [...new TextEncoder().encode(':010300F0\r\n')].map((octet, at) => (at === 8 ? 0x31 : octet)),
    ],
  ] as const)('spoils the checksum where the protocol has it (%s)', async (check, frame, sent) => {
    const { written, wrapped, lines } = aLine({ spoilt: 100 }, { check });
    await wrapped.write(frame);
    expect(written[0]?.octets).toEqual([...sent]);
    expect(lines.counts.spoilt).toBe(1);
  });

  it('has no checksum to spoil where the protocol has none', async () => {
    const { written, wrapped, lines } = aLine({ spoilt: 100 });
    await wrapped.write(FRAME);
    expect(written[0]?.octets).toEqual([...FRAME]);
    expect([lines.hasChecksum, lines.counts.spoilt]).toEqual([false, 0]);
  });

  it('makes one fault of one write, of the share that was asked for', async () => {
    const chances = [0.1, 0.9, 0.5, 0.2];
    const { written, wrapped, lines } = aLine({ silent: 30, half: 100 }, { random: () => chances.shift() ?? 0.99 });
    await wrapped.write(FRAME);
    expect(written).toEqual([]);
    await wrapped.write(FRAME);
    expect(written[0]?.octets).toEqual([1, 3, 2, 0]);
    expect(lines.counts).toMatchObject({ silent: 1, half: 1, spoilt: 0 });
  });

  it('sends late, and in its order, whatever the jitter', async () => {
    const chances = [1, 0, 0.5];
    const { clock, written, wrapped } = aLine({ delayMs: 100, jitterMs: 50 }, { random: () => chances.shift() ?? 0 });
    const sent = [wrapped.write(Uint8Array.of(1)), wrapped.write(Uint8Array.of(2)), wrapped.write(Uint8Array.of(3))];
    await clock.advance(149);
    expect(written).toEqual([]);
    await clock.advance(1);
    await Promise.all(sent);
    expect(written.map(({ octets }) => octets[0])).toEqual([1, 2, 3]);
  });

  it('keeps the octets as they were when they were to be sent', async () => {
    const { clock, written, wrapped } = aLine({ delayMs: 10 });
    const octets = Uint8Array.of(7);
    void wrapped.write(octets);
    octets[0] = 9;
    await clock.advance(10);
    expect(written[0]?.octets).toEqual([7]);
  });

  it('sends nothing any more when the peer has gone or the line was closed', async () => {
    for (const end of ['lose', 'close'] as const) {
      const { clock, written, wrapped, lose } = aLine({ delayMs: 10 });
      void wrapped.write(FRAME);
      if (end === 'lose') lose();
      else await wrapped.close();
      await clock.advance(100);
      expect(written).toEqual([]);
    }
  });

  it('closes a connection in place of an answer, and a serial line is silent', async () => {
    const { written, wrapped, isClosed } = aLine({ hangUp: 100 });
    await wrapped.write(FRAME);
    expect([written.length, isClosed()]).toEqual([0, true]);
    const serial = aLine({ hangUp: 100 });
    const line = serial.lines.wrap(
      { label: '', start: () => undefined, write: async () => undefined, close: () => Promise.reject(new Error('closed')) },
      false,
    );
    await line.write(FRAME);
    expect(serial.lines.counts.hangUp).toBe(1);
  });

  it('refuses connections and addresses, and counts anew with each start of the channel', () => {
    const { lines, told } = aLine({ refuses: true, exceptions: [{ from: 10, to: 12, code: 2 }] });
    expect(lines.refuses()).toBe(true);
    expect([lines.exceptionAt(9, 1), lines.exceptionAt(9, 2), lines.exceptionAt(12, 5), lines.exceptionAt(13, 1)]).toEqual([
      null,
      2,
      2,
      null,
    ]);
    expect(lines.counts).toMatchObject({ refused: 1, exceptions: 2 });
    lines.begin();
    expect(lines.counts).toMatchObject({ refused: 0, exceptions: 0 });
    expect(lines.faults.refuses).toBe(true);
    lines.set(NO_FAULTS);
    expect(told).toEqual(['The line is made faulty on purpose: refuses, exception 2: 10-12', 'The line is not made faulty any more.']);
  });
});
