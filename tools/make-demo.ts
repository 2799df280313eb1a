/** Run by the build: `node tools/make-demo.ts FOLDER` makes the project of the demo there. */
import { makeDemo } from './lib/demo-project.ts';

const [dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('Say into which folder: node tools/make-demo.ts out/demo');
await makeDemo(dir);
