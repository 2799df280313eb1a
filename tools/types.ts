/** `npm run types`: checks the types of everything, source, tests and tools. */
import { checkTypes } from './lib/types.ts';

const { code } = await checkTypes();
process.exitCode = code ?? 1;
