import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { run } from './run.ts';

/**
 * Makes the project of the demo into `out/demo`, from the sources, in a process of its own. While somebody develops there is none: what is changed would not be in it.
 * `root`: folder of the project.
 */
export function buildDemo(root: string): Plugin {
  const dir = join(root, 'out/demo');
  let isDevelopment = false;
  return {
    name: 'demo-project',
    apply: 'build',
    configResolved(config) {
      isDevelopment = config.mode === 'development';
    },
    async writeBundle() {
      rmSync(dir, { recursive: true, force: true });
      if (isDevelopment) return;
      const ended = await run(process.execPath, [join(root, 'tools/make-demo.ts'), dir], { stdio: ['ignore', 2, 2] });
      if (ended.code !== 0) throw new Error('The project of the demo was not made; what was said is above.');
    },
  };
}
