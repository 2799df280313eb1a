import { verifyRecord } from '../services/check/records.ts';
import { framesIn } from './record-thread.ts';

/** Where a command writes. */
interface Output {
  out(text: string): void;
  err(text: string): void;
}

const OTHER_VIEWER =
  'What shows this HTML is not of this program: another version wrote it, or somebody changed it. What is proved is its data; merge it, or take the record as JSON, to see them.\n';

/**
 * `verify FILE`: tells whether the record of a check is as it was written, and the digests that have to stand beside its signatures. Answers the exit code: 0 for a whole
 * record, 1 for any other file.
 */
export async function verifyCommand(args: readonly string[], { out, err }: Output, viewDir: string): Promise<0 | 1> {
  const [path] = args;
  if (path === undefined || args.length > 1) {
    err('error: verify takes one file: loopcheck verify record.html\n');
    return 1;
  }
  try {
    const { fault, parts, entries, files, heads, sha256, viewer } = await verifyRecord(path, framesIn(viewDir));
    if (fault) {
      err(`${path} is not as it was written. ${fault.text}\n`);
      return 1;
    }
    out(`${path} is as it was written. Parts: ${parts}, entries: ${entries}, files: ${files}.\n`);
    out(`Digest of the record, which stands beside the signatures with those of its parts:\nsha256:${sha256}\n`);
    if (heads.length > 0) out(`The parts end with these digests:\n${heads.join('\n')}\n`);
    if (viewer === 'other') out(OTHER_VIEWER);
    return 0;
  } catch (thrown) {
    err(`error: ${path} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return 1;
  }
}
