import { existsSync, openSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { migrations } from '../persistence/migrations/index.ts';
import { inEarlierVersion, inFolder, testChannel, testPoint } from '../persistence/test-project.ts';
import { Threads } from '../platform/threads.ts';
import { createProjectOpener } from './project-thread.ts';

const open = createProjectOpener(new Threads(), 'test', () => 0);
const beside = { create: false, beside: true };

/** A project so large that a thread looks at it. */
async function makeLarge(path: string): Promise<void> {
  const store = await open(path, { create: true, beside: false });
  const { id } = store.channels.add({ ...testChannel('large'), group: '' });
  store.points.add(
    id,
    Array.from({ length: 8_000 }, (_, index) => ({ ...testPoint(`P${index}`), note: 'n'.repeat(200) })),
  );
  store.close();
}

describe('a large project that is opened beside running lines', () => {
  it('is whole, held by this process, and its lock goes with it', () =>
    inFolder(async (folder) => {
      const path = `${folder}/large.loopcheck`;
      await makeLarge(path);
      const store = await open(path, beside);
      expect(store.points.count(1)).toBe(8_000);
      expect(existsSync(`${path}.lock`)).toBe(true);
      await expect(open(path, beside)).rejects.toMatchObject({ code: 'STATE_STORE', message: expect.stringContaining('in use by test') });
      store.close();
      expect(existsSync(`${path}.lock`)).toBe(false);
    }));

  it('is refused when a page is damaged, as it is without a thread', () =>
    inFolder(async (folder) => {
      const path = `${folder}/damaged.loopcheck`;
      await makeLarge(path);
      writeSync(openSync(path, 'r+'), Buffer.alloc(4096, 0xff), 0, 4096, 4096 * 200);
      const refusal = { code: 'STATE_STORE', message: expect.stringMatching(/damaged.*open a backup/) };
      await expect(open(path, beside)).rejects.toMatchObject(refusal);
      await expect(createProjectOpener(new Threads(), 'test', () => 0, null)(path, beside)).rejects.toMatchObject(refusal);
      expect(existsSync(`${path}.lock`)).toBe(false);
    }));

  it('of an earlier version is copied and brought to the present one', () =>
    inFolder(async (folder) => {
      const path = `${folder}/old.loopcheck`;
      const present = `${folder}/present.loopcheck`;
      await makeLarge(present);
      inEarlierVersion(present, path, 5);
      const store = await open(path, beside);
      expect([store.schemaVersion, store.points.count(1)]).toEqual([migrations.length, 8_000]);
      expect([...store.points.iterate(1)].length, 'and its checksum fits').toBe(8_000);
      expect(store.damagedChannels()).toEqual([]);
      expect(existsSync(`${path}.before-v${migrations.length}.bak`)).toBe(true);
      store.close();
    }));
});
