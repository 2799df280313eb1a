import { join } from 'node:path';
import { build, type Plugin, type PluginOption } from 'vite';

/** Builds what shows records in a browser into `out/record/view.js` and `view.css`: one script and one style, which stand in every record as HTML. `root`: folder of the project; `bill` tells what is bundled. */
export function buildRecordView(root: string, bill: PluginOption): Plugin {
  return {
    name: 'record-view',
    apply: 'build',
    async writeBundle() {
      await build({
        configFile: false,
        root: join(root, 'src-record/view'),
        logLevel: 'warn',
        publicDir: false,
        plugins: [bill],
        build: {
          outDir: join(root, 'out/record'),
          emptyOutDir: true,
          // the browser of the oldest desktop that reads records
          target: 'chrome108',
          modulePreload: false,
          cssCodeSplit: false,
          rolldownOptions: {
            input: join(root, 'src-record/view/main.ts'),
            output: { format: 'iife', entryFileNames: 'view.js', assetFileNames: 'view[extname]' },
          },
        },
      });
    },
  };
}
