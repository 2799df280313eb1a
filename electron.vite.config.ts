import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import sbom from 'rollup-plugin-sbom';
import { asciiChunks } from './tools/lib/ascii-chunks.ts';
import { buildDemo } from './tools/lib/build-demo.ts';
import { compressPages } from './tools/lib/compress-pages.ts';
import { buildDocsPage } from './tools/lib/docs-page.ts';
import { buildGuide } from './tools/lib/guide-pages.ts';
import { buildRecordView } from './tools/lib/record-view.ts';
import { updateKey } from './tools/lib/update-key.ts';

const root = import.meta.dirname;

/** Tells what of other people is bundled; `npm run package:*` puts the parts together (tools/package/legal.ts). */
const bill = () => sbom({ autodetect: false, includeWellKnown: false, saveTimestamp: false, generateSerial: false });

export default defineConfig({
  main: {
    plugins: [buildRecordView(root, bill()), buildDemo(root), bill(), asciiChunks()],
    // Notices of newer versions are checked with it (docs/adr/0066); a build without it looks for none.
    define: { LOOPCHECK_UPDATE_KEY: JSON.stringify(updateKey(process.env)) },
    build: {
      sourcemap: true,
      rolldownOptions: {
        // The contract checks what comes and leaves (src-main/http/server.ts): these are never asked for.
        external: ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
        // Names of functions stay, for the traces of faults in the log; lines are found by the maps of the build, which are not handed out. A file with one sign
        // beyond ASCII would be held with two octets for each of its signs while the program runs (asciiChunks); what others want said of their parts stands in a file
        // of the package.
        output: { minify: { mangle: { keepNames: true }, compress: true, codegen: { asciiOnly: true } }, comments: { legal: false } },
        input: {
          index: resolve(root, 'src-main/index.ts'),
          headless: resolve(root, 'src-main/headless.ts'),
          // Each thread has a file of its own.
          'table-worker': resolve(root, 'src-main/app/table-worker.ts'),
          'document-worker': resolve(root, 'src-main/app/document-worker.ts'),
          'text-worker': resolve(root, 'src-main/app/text-worker.ts'),
          'project-worker': resolve(root, 'src-main/app/project-worker.ts'),
          'history-worker': resolve(root, 'src-main/app/history-worker.ts'),
          'buffer-worker': resolve(root, 'src-main/app/buffer-worker.ts'),
          'record-worker': resolve(root, 'src-main/app/record-worker.ts'),
        },
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
    plugins: [react(), buildDocsPage(root), buildGuide(root), bill(), compressPages()],
    server: {
      host: '127.0.0.1',
      port: 5199,
      strictPort: true,
      proxy: { '/api': 'http://127.0.0.1:8991', '/docs/json': 'http://127.0.0.1:8991' },
    },
    build: {
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      rolldownOptions: { input: resolve(root, 'src-renderer/index.html') },
    },
  },
});
