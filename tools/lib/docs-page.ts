import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/** Files of the page at `/docs` and where they come from; swagger-ui is built and minified already. */
const FILES: Readonly<Record<string, string>> = {
  'index.html': 'src-renderer/docs/index.html',
  'page.js': 'src-renderer/docs/page.js',
  'icon.svg': 'resources/icons/icon.svg',
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
};

/** Writes the page at `/docs` and what it shows, the description of the interface (OpenAPI), beside the pages. `root`: folder of the project. */
export function buildDocsPage(root: string): Plugin {
  /** A module of the service, run as source: the bundler of the configuration does not follow it. */
  const fromSource = (path: string) => import(/* @vite-ignore */ join(root, path));
  return {
    name: 'docs-page',
    apply: 'build',
    async generateBundle() {
      for (const [name, path] of Object.entries(FILES)) {
        this.emitFile({ type: 'asset', fileName: `docs/${name}`, source: readFileSync(join(root, path)) });
      }
      const { buildOpenApi }: typeof import('../../src-main/http/openapi.ts') = await fromSource('src-main/http/openapi.ts');
      const { DESCRIPTION_FILE }: typeof import('../../src-main/http/description.ts') = await fromSource('src-main/http/description.ts');
      const { VERSION }: typeof import('../../src-main/platform/version.ts') = await fromSource('src-main/platform/version.ts');
      this.emitFile({ type: 'asset', fileName: DESCRIPTION_FILE, source: JSON.stringify(buildOpenApi(VERSION)) });
    },
  };
}
