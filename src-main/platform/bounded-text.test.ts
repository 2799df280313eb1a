import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { boundedText, TooLong } from './bounded-text.ts';

const pieces = (...texts: readonly string[]) => Readable.from(texts.map((each) => Buffer.from(each)));

describe('the text of an answer of somebody who may be anybody', () => {
  it('is taken up to the bound, and no more', async () => {
    expect(await boundedText(pieces('four', 'five'), 8)).toBe('fourfive');
    await expect(boundedText(pieces('four', 'five', '!'), 8)).rejects.toThrow(TooLong);
  });

  it('ends with the signal, that of one which never comes to its end as well', async () => {
    const ending = new AbortController();
    const body = new PassThrough();
    body.write('half');
    const reading = boundedText(body, 8, ending.signal);
    ending.abort();
    await expect(reading).rejects.toThrow('ended');
    expect(body.destroyed).toBe(true);
    await expect(boundedText(new PassThrough(), 8, ending.signal)).rejects.toThrow('ended');
  });
});
