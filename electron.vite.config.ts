import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import sbom from 'rollup-plugin-sbom';
import type { PluginOption } from 'vite';
import { asciiChunks } from './tools/lib/ascii-chunks.ts';
import { buildDemo } from './tools/lib/build-demo.ts';
import { compressPages } from './tools/lib/compress-pages.ts';
import { buildDocsPage } from './tools/lib/docs-page.ts';
import { frameFirst } from './tools/lib/frame-first.ts';
import { buildGuide } from './tools/lib/guide-pages.ts';
import { buildRecordView } from './tools/lib/record-view.ts';
import { startChunks } from './tools/lib/start-chunks.ts';
import { updateKey } from './tools/lib/update-key.ts';

const root = import.meta.dirname;

/** Each thread has a file of its own. */
const programs = {
  index: 'src-main/index.ts',
  headless: 'src-main/headless.ts',
  'table-worker': 'src-main/app/table-worker.ts',
  'document-worker': 'src-main/app/document-worker.ts',
  'text-worker': 'src-main/app/text-worker.ts',
  'project-worker': 'src-main/app/project-worker.ts',
  'history-worker': 'src-main/app/history-worker.ts',
  'buffer-worker': 'src-main/app/buffer-worker.ts',
  'record-worker': 'src-main/app/record-worker.ts',
};

/** What they load later, and before the service or in the place of it. */
const besideService = [
  'src-main/platform/young-generation.ts',
  'src-main/platform/compile-cache.ts',
  'src-main/app/run-headless.ts',
  'src-main/app/cli/run-cli.ts',
  'src-main/app/verify-command.ts',
];

/** Tells what of other people is bundled; `npm run package:*` puts the parts together (tools/package/legal.ts). */
const bill = (): PluginOption[] => [
  sbom({ autodetect: false, includeWellKnown: false, saveTimestamp: false, generateSerial: false }),
  // It looks for Rollup as well, which Vite does not have any more.
  { name: 'bill-without-rollup', onLog: (_, { message }) => !message.includes('auto-registration of tool "rollup"') },
];

/** What a laptop reads from its own disk in one piece is not too large, in kB. */
const chunkSizeWarningLimit = 8192;

export default defineConfig({
  main: {
    plugins: [buildRecordView(root, bill()), buildDemo(root), bill(), asciiChunks()],
    // Notices of newer versions are checked with it (docs/adr/0066); a build without it looks for none.
    define: { LOOPCHECK_UPDATE_KEY: JSON.stringify(updateKey(process.env)) },
    build: {
      chunkSizeWarningLimit,
      sourcemap: true,
      rolldownOptions: {
        // The contract checks what comes and leaves (src-main/http/server.ts): these are never asked for.
        external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
        // Names of functions stay, for the traces of faults in the log; lines are found by the maps of the build, which are not handed out. A file with one sign
        // beyond ASCII would be held with two octets for each of its signs while the program runs (asciiChunks); what others want said of their parts stands in a file
        // of the package.
        output: {
          minify: { mangle: { keepNames: true }, compress: true, codegen: { asciiOnly: true } },
          comments: { legal: false },
          codeSplitting: startChunks(root, 'src-main/app/start-service.ts', [...Object.values(programs), ...besideService]),
        },
        input: Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, resolve(root, path)])),
      },
    },
  },
  preload: {
    plugins: [bill()],
    build: {
      // A sandboxed preload has to be one CommonJS file that requires only electron.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(root, 'src-preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    plugins: [react(), frameFirst(), buildDocsPage(root), buildGuide(root), bill(), compressPages()],
    server: {
      host: '127.0.0.1',
      port: 5199,
      strictPort: true,
      proxy: { '/api': 'http://127.0.0.1:8991', '/docs/json': 'http://127.0.0.1:8991' },
    },
    build: {
      outDir: resolve(root, 'out/renderer'),
      chunkSizeWarningLimit,
      minify: true,
      rolldownOptions: { input: resolve(root, 'src-renderer/index.html') },
    },
  },
});
