import { defineConfig } from 'vitest/config';
import { pages } from './vitest.config.ts';

/** The stores are proved by tests of their own: a page around one proves little of it for its time. */
const STORE_TESTS = ['src-renderer/**/*-store{,s}.test.ts'];

/** A second look at what a run left (tools/mutation-sample.ts) takes every contract: each of them starts a whole service. */
const CONTRACTS = '*';

/**
 * The tests that a mutation run may use: those beside the services and the stores, and the contracts of commands, setpoints, secrets, points, tasks and checks. Whole plants,
 * foreign processes and long proofs are not started once a mutant.
 */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    projects: [
      {
        test: {
          name: 'node',
          include: ['src-main/services/**/*.test.ts', `src-main/app/${CONTRACTS}.contract.test.ts`],
          exclude: ['src-main/app/{examples,factory-test,readme,iec61850-memory}.contract.test.ts'],
          environment: 'node',
          isolate: false,
        },
      },
      { ...pages, test: { ...pages.test, include: STORE_TESTS, setupFiles: ['src-renderer/zod-setup.ts'] } },
    ],
  },
});
