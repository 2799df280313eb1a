import { builtInDrivers } from './built-in-drivers.ts';
import { proveRecord } from './record-job.ts';
import type { ViewPlace } from './record-view.ts';

/** Where a command writes. */
interface Output {
  out(text: string): void;
  err(text: string): void;
}

const OTHER_VIEWER =
  'What shows this HTML is not of this program: another version wrote it, or somebody changed it. What is proved is its data; merge it, or take the record as JSON, to see them.\n';
const EXPLAINED = {
  own: 'What it says of the frames is what this program says of them.\n',
  other:
    'What it says of the frames is not what this program says of them: another version said it, or somebody changed it. Nothing proves it.\n',
} as const;

/**
 * `verify FILE`: tells whether the record of a check is as it was written, and the digests that have to stand beside its signatures. Answers the exit code: 0 for a whole
 * record, 1 for any other file.
 */
export async function verifyCommand(args: readonly string[], { out, err }: Output, view: ViewPlace): Promise<0 | 1> {
  const [path] = args;
  if (path === undefined || args.length > 1) {
    err('error: verify takes one file: loopcheck verify record.html\n');
    return 1;
  }
  try {
    const { fault, parts, entries, files, heads, sha256, viewer, explained } = await proveRecord(path, view, builtInDrivers);
    if (fault) {
      err(`${path} is not as it was written. ${fault.text}\n`);
      return 1;
    }
    out(`${path} is as it was written. Parts: ${parts}, entries: ${entries}, files: ${files}.\n`);
    out(`Digest of the record, which stands beside the signatures with those of its parts:\nsha256:${sha256}\n`);
    if (heads.length > 0) out(`The parts end with these digests:\n${heads.join('\n')}\n`);
    if (viewer === 'other') out(OTHER_VIEWER);
    if (explained) out(EXPLAINED[explained]);
    return 0;
  } catch (thrown) {
    err(`error: ${path} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return 1;
  }
}
