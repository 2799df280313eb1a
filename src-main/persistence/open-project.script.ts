/** A process of its own that opens a project for the tests of lock and permissions: `<path> hold|once`. */
import { toAppError } from '#shared/domain/errors.ts';
import { openProject } from './index.ts';

const [path = '', mode] = process.argv.slice(2);
try {
  const store = openProject(path, { create: mode === 'hold', holder: 'Loopcheck script', wallMs: () => Date.UTC(2026, 3, 4) });
  console.log(JSON.stringify({ opened: true }));
  // a store that nobody refers to is collected, and its lock goes with it
  if (mode === 'hold') process.stdin.on('end', () => store.close()).resume();
  else store.close();
} catch (thrown) {
  const { code, message } = toAppError(thrown);
  console.log(JSON.stringify({ code, message }));
}
