import { describe, expect, it } from 'vitest';
import { ReceivedFile } from './received-file.ts';

const WORDS = '测点 one two';

describe('a file that was received', () => {
  // small ones lie in a buffer that others share, large ones have their own
  it.each([
    ['in a part of a buffer', Buffer.from(`--${WORDS}--`).subarray(2, 2 + Buffer.byteLength(WORDS)) as Uint8Array<ArrayBuffer>],
    ['in a buffer of its own', new TextEncoder().encode(WORDS)],
  ])('reads like a file of the platform: %s', async (_, octets) => {
    const file = new ReceivedFile(octets, 'a.csv');
    const plain = new File([octets], 'a.csv');
    expect(file).toBeInstanceOf(File);
    expect([file.name, file.size]).toEqual([plain.name, plain.size]);
    expect(await file.arrayBuffer()).toEqual(await plain.arrayBuffer());
    expect([...(await file.bytes())]).toEqual([...(await plain.bytes())]);
    expect((await file.bytes()).length).toBe(plain.size);
    expect(await file.text()).toBe(WORDS);
    expect(await file.slice(2, 9).text()).toBe(await plain.slice(2, 9).text());
    expect(await new Response(file.stream()).text()).toBe(WORDS);
  });

  it('copies nothing of a large one', async () => {
    const octets = new Uint8Array(1_000_000);
    expect(await new ReceivedFile(octets, 'a').arrayBuffer()).toBe(octets.buffer);
  });
});
