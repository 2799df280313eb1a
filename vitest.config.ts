import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { keepTestFilesInMemory } from './tools/lib/memory-folder.ts';
import { inRoot } from './tools/lib/paths.ts';

// Tests start threads and programs from source: each would compile some hundred files anew.
process.env.NODE_COMPILE_CACHE ??= inRoot('node_modules/.cache/compiled');
keepTestFilesInMemory();

const SEED = inRoot('tools/lib/property-seed.ts');
const WITH_STAND_IN = ['src-main/electron/**/*.test.ts', 'src-preload/**/*.test.ts'];

/** Tests of the pages. A worker loads modules and makes a document once for all of its files; `test-setup.ts` puts both back behind each. */
export const pages = {
  plugins: [react()],
  test: {
    name: 'dom',
    include: ['src-{renderer,record}/**/*.test.{ts,tsx}'],
    environment: 'jsdom',
    alias: [{ find: /^zustand$/, replacement: inRoot('src-renderer/test-stores.ts') }],
    pool: 'forks' as const,
    isolate: false,
    setupFiles: [SEED, 'src-renderer/test-setup.ts'],
    css: false,
  },
};

export default defineConfig({
  test: {
    // One more than there are cores: tests of sockets, serial lines and processes wait for a third of their time, and a core would be idle meanwhile.
    maxWorkers: availableParallelism() + 1,
    // Limits are for what hangs: no test waits for time to pass, however busy the computer is.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    projects: [
      {
        test: {
          name: 'node',
          include: ['src-{main,shared,preload}/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['tools/interop/**', ...WITH_STAND_IN],
          environment: 'node',
          setupFiles: [SEED],
          pool: 'forks',
          // Nothing is kept in modules: a worker loads them once for all of its files.
          isolate: false,
        },
      },
      {
        // Parts of the shell are made when they are loaded, beside a stand-in for Electron: each file loads its own.
        test: { name: 'shell', include: WITH_STAND_IN, environment: 'node', setupFiles: [SEED], pool: 'forks' },
      },
      pages,
    ],
  },
});
