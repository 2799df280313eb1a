import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { UploadQueue } from './upload-queue.ts';

it('works uploads one after the other, lets four wait, refuses the next with its body let through, and goes on after a failure', async () => {
  const queue = new UploadQueue();
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const results = gates.map((gate, index) =>
    queue.run(Readable.from([]), async () => {
      begun.push(index);
      await gate.promise;
      if (index === 1) throw new Error('broken file');
      return index;
    }),
  );
  const settled = Promise.allSettled(results);
  const body = Readable.from(['one', 'two', 'three']);
  await expect(queue.run(body, async () => 'never')).rejects.toMatchObject({ code: 'STATE_BUSY', status: 429 });
  expect(body.readableEnded).toBe(true);
  expect(begun).toEqual([0]);
  for (const [index, gate] of gates.entries()) {
    gate.resolve();
    await results[index]?.catch(() => {});
    expect(begun.length).toBeLessThanOrEqual(index + 2);
  }
  expect((await settled).map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  await expect(queue.run(Readable.from([]), async () => 'again')).resolves.toBe('again');
});
