import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { inRoot, root } from './tools/lib/paths.ts';
import { pages } from './vitest.config.ts';

/** Page tests that name a store; every other one loads the stores too, and proves little of them for its time. */
const STORE_TESTS = globSync('src-renderer/**/*.test.{ts,tsx}', { cwd: root }).filter((file) =>
  readFileSync(inRoot(file), 'utf8').includes('-store.ts'),
);

/**
 * The tests that a mutation run may use: those beside the services and the stores, and the contracts of writes, points and tasks. Whole plants,
 * foreign processes and long proofs are not started once a mutant.
 */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    projects: [
      {
        test: {
          name: 'node',
          include: ['src-main/services/**/*.test.ts', 'src-main/app/{writes,points,tasks}.contract.test.ts'],
          environment: 'node',
        },
      },
      { ...pages, test: { ...pages.test, include: STORE_TESTS } },
    ],
  },
});
