import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

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
          testTimeout: 120_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'dom',
          include: ['src-renderer/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['src-renderer/test-setup.ts'],
          css: false,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
