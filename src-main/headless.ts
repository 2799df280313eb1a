import { join } from 'node:path';

const LEAST_NODE = 22;

// Everything else is loaded behind this check: on an older Node a native part would end the process without a word.
if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  console.error(
    `Loopcheck needs Node ${LEAST_NODE} or newer, this is ${process.versions.node}. ` +
      'Use "npm run serve", which brings its own, or node_modules/.bin/node.',
  );
  process.exit(1);
}

const isSource = import.meta.filename.endsWith('.ts');
let prepare: ((dataDir: string) => void) | undefined;
if (!isSource) {
  const [{ keepYoungSmall }, { keepCompiled, keepFirstCompiled }] = await Promise.all([
    import('./platform/young-generation.ts'),
    import('./platform/compile-cache.ts'),
  ]);
  // before anything that was kept is looked at: it holds for the flags of that moment
  keepYoungSmall();
  keepCompiled(process.argv.slice(2));
  prepare = keepFirstCompiled;
}
const { runHeadless } = await import('./app/run-headless.ts');
const built = join(import.meta.dirname, isSource ? '../out' : '..');
// of sources that were changed since, the demo of the build is not the demo
const dirs = { pagesDir: join(built, 'renderer'), viewDir: join(built, 'record'), demoDir: isSource ? null : join(built, 'demo') };
// Timers and sockets of parts that did not end in time must not keep the process.
process.exit(await runHeadless(dirs, undefined, prepare));
