import { describe, expect, it } from 'vitest';
import { SocketReader } from './socket-reader.ts';

/** Octets as a socket hands them to its reader. */
function arrive({ options }: SocketReader, ...octets: number[]): void {
  const buffer = options.buffer as Uint8Array;
  buffer.set(octets);
  options.callback(octets.length, buffer);
}

describe('socket reader', () => {
  it('hands on chunks that stay as they are when others come', () => {
    const reader = new SocketReader();
    const chunks: Uint8Array[] = [];
    reader.start((chunk) => chunks.push(chunk));
    arrive(reader, 1, 2, 3);
    arrive(reader, 9, 8);
    expect(chunks.map((chunk) => [...chunk])).toEqual([
      [1, 2, 3],
      [9, 8],
    ]);
  });

  it('keeps what comes before somebody listens, in order', () => {
    const reader = new SocketReader();
    arrive(reader, 1);
    arrive(reader, 2);
    const octets: number[] = [];
    reader.start((chunk) => octets.push(...chunk));
    arrive(reader, 3);
    expect(octets).toEqual([1, 2, 3]);
  });

  it('goes on reading', () => {
    const { options } = new SocketReader();
    expect(options.callback(1, options.buffer as Uint8Array)).toBe(true);
  });
});
