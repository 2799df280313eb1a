import { verifyRecord } from '../services/check/records.ts';

/** Where a command writes. */
interface Output {
  out(text: string): void;
  err(text: string): void;
}

/**
 * `verify FILE`: tells whether the record of a check is as it was written, and the digests that have to stand beside its signatures. Answers the exit code: 0 for a whole
 * record, 1 for any other file.
 */
export async function verifyCommand(args: readonly string[], { out, err }: Output): Promise<0 | 1> {
  const [path] = args;
  if (path === undefined || args.length > 1) {
    err('error: verify takes one file: loopcheck verify record.json\n');
    return 1;
  }
  try {
    const { fault, parts, entries, files, heads, sha256 } = await verifyRecord(path);
    if (fault) {
      err(`${path} is not as it was written. ${fault.text}\n`);
      return 1;
    }
    out(`${path} is as it was written. Parts: ${parts}, entries: ${entries}, files: ${files}.\n`);
    out(`Digest of the record, which stands beside the signatures with those of its parts:\nsha256:${sha256}\n`);
    if (heads.length > 0) out(`The parts end with these digests:\n${heads.join('\n')}\n`);
    return 0;
  } catch (thrown) {
    err(`error: ${path} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    return 1;
  }
}
