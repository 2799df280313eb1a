import { defineConfig } from 'vitest/config';

/** Proofs about foreign packages themselves: no part of the product's own tests. */
export default defineConfig({
  test: {
    include: ['tools/interop/**/*.test.ts'],
    root: `${import.meta.dirname}/../..`,
    environment: 'node',
    pool: 'forks',
    testTimeout: 20_000,
  },
});
