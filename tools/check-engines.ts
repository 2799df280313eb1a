/** `npm run engines [-- --write]`: every package admits the Node that runs it. `--write` takes the `engines` of packages out of the lock file. */
import { checkEngines, dropLockedEngines } from './lib/engines.ts';

if (process.argv.includes('--write')) dropLockedEngines();
const report = checkEngines();
for (const problem of report.problems) console.error(problem);
console.log(`engines: ${report.packages} packages, ${report.problems.length} problems`);
process.exitCode = report.packages > 0 && report.problems.length === 0 ? 0 : 1;
