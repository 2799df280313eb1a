import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // of two cores one would be idle otherwise
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'node',
          include: ['src-{main,shared,preload}/**/*.test.ts', 'tools/**/*.test.ts'],
          exclude: ['tools/interop/**'],
          environment: 'node',
          pool: 'forks',
          testTimeout: 20_000,
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
          testTimeout: 20_000,
        },
      },
    ],
  },
});
