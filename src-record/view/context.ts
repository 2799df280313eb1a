import type { CompactNode, ExplainedIndex } from '#shared/domain/check-explained.ts';
import type { RecordFile } from '#shared/domain/check-record.ts';
import type { RecordModel } from '../model.ts';
import type { RecordWords } from '../words.ts';

/** Meaning of the frames of a record; a line is read when somebody looks at it. */
export class Explained {
  readonly #lines: readonly string[];
  readonly #index: ExplainedIndex;

  /** `text`: lines as the record has them. */
  constructor(text: string) {
    this.#lines = text.trim().split('\n');
    this.#index = JSON.parse(this.#lines.at(-1) ?? '') as ExplainedIndex;
  }

  get omitted(): number {
    return this.#index.omitted;
  }

  /** Nodes of a frame of entry `seq` (from 1) of a part; empty where it has none. */
  nodes(part: string, seq: number, frame: number): readonly CompactNode[] {
    const line = this.#index.parts[part]?.[seq - 1]?.[frame];
    return line === null || line === undefined ? [] : (JSON.parse(this.#lines[line] ?? '[]') as CompactNode[]);
  }
}

/** What every section of the document is made from. */
export interface Context {
  readonly model: RecordModel;
  readonly explained: Explained;
  readonly words: RecordWords;
  readonly files: ReadonlyMap<string, RecordFile>;
}
