/** `npm run serve`: builds what is needed, then serves headless. Arguments go to the service. */
import { buildIfNeeded } from './lib/build.ts';
import { inRoot } from './lib/paths.ts';
import { runService } from './lib/run.ts';

await buildIfNeeded();
process.exitCode = await runService(process.execPath, [inRoot('out/main/headless.js'), ...process.argv.slice(2)]);
