/** `npm run icons`: draws the pictures of the program anew, after a change of resources/icons/icon.svg. */
import { writeIcons } from './lib/icons.ts';

await writeIcons();
