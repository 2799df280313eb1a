import { build, type Plugin } from 'vite';
import { inRoot } from './paths.ts';

/** Builds what shows records in a browser into `out/record/view.js` and `view.css`: one script and one style, which stand in every record as HTML. */
export function buildRecordView(): Plugin {
  return {
    name: 'record-view',
    apply: 'build',
    async writeBundle() {
      await build({
        configFile: false,
        root: inRoot('src-record/view'),
        logLevel: 'warn',
        publicDir: false,
        build: {
          outDir: inRoot('out/record'),
          emptyOutDir: true,
          // the browser of the oldest desktop that reads records
          target: 'chrome108',
          modulePreload: false,
          cssCodeSplit: false,
          rolldownOptions: {
            input: inRoot('src-record/view/main.ts'),
            output: { format: 'iife', entryFileNames: 'view.js', assetFileNames: 'view[extname]' },
          },
        },
      });
    },
  };
}
