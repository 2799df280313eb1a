/** `npm run deps`: import directions between the rooms of the house. Fails too when it saw no module, which once passed for clean. */
import { checkImports } from './lib/import-rules.ts';

const report = await checkImports();
for (const violation of report.violations) console.error(violation);
console.log(`import rules: ${report.modules} modules, ${report.violations.length} violations`);
process.exitCode = report.modules > 0 && report.violations.length === 0 ? 0 : 1;
