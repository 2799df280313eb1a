import type { CheckVerification } from '#shared/contract/check.ts';
import { english, say } from '#shared/messages/index.ts';
import type { DriverRegistry } from '../../runtime/types.ts';
import { explainedLines } from './explained.ts';
import { RecordFault } from './record-fault.ts';
import { readRecord } from './record-file.ts';

/** What a record is held against: what this program writes around its data, in each language, and what its drivers say of frames. */
export interface OwnWords {
  readonly frames: readonly string[];
  readonly drivers: DriverRegistry;
}

/** What a page says of the frames beside what this program says of them. */
class ExplainedProof {
  readonly #wanted: AsyncGenerator<string>;
  /** Line of the page that is otherwise; null: none was. */
  otherAt: number | null = null;

  constructor(path: string, drivers: DriverRegistry) {
    this.#wanted = explainedLines(path, drivers);
  }

  async take(text: string, line: number): Promise<void> {
    if (this.otherAt !== null) return;
    const { value } = await this.#wanted.next();
    if (value !== `${text}\n`) this.otherAt = line;
  }

  async end(line: number): Promise<void> {
    if (this.otherAt === null && !(await this.#wanted.next()).done) this.otherAt = line;
    await this.#wanted.return(undefined);
  }
}

/**
 * Whether a record is as it was written; a fault of the file system is thrown. What stands in an HTML beside its data says what the frames mean and is in no chain: it is made again and compared. Where this version
 * wrote the page it has to be the same; another version may say it in other words, and then nothing proves it.
 */
export async function verifyRecord(path: string, { frames, drivers }: OwnWords): Promise<CheckVerification> {
  const found: Omit<CheckVerification, 'is_whole' | 'fault'> = {
    parts: 0,
    entries: 0,
    files: 0,
    heads: [],
    sha256: null,
    viewer: null,
    explained: null,
  };
  let proof: ExplainedProof | null = null;
  try {
    for await (const piece of readRecord(path)) {
      if (piece.is === 'part') found.parts += 1;
      else if (piece.is === 'entry') found.entries += 1;
      else if (piece.is === 'file') found.files += 1;
      else if (piece.is === 'part_end') found.heads.push(piece.digest);
      else if (piece.is === 'end') found.sha256 = piece.sha256;
      else if (piece.is === 'explained') {
        proof ??= new ExplainedProof(path, drivers);
        await proof.take(piece.text, piece.line);
      } else if (piece.is === 'page') {
        found.viewer = frames.includes(piece.frame) ? 'own' : 'other';
        proof ??= new ExplainedProof(path, drivers);
        await proof.end(piece.line);
        found.explained = proof.otherAt === null ? 'own' : 'other';
      }
    }
    if (found.viewer === 'own' && proof?.otherAt) throw new RecordFault(say('check.explained_changed', { line: proof.otherAt }));
    return { is_whole: true, ...found, fault: null };
  } catch (thrown) {
    if (!(thrown instanceof RecordFault)) throw thrown;
    return { is_whole: false, ...found, viewer: null, explained: null, fault: { said: thrown.said, text: english(thrown.said) } };
  }
}
