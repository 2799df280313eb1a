import type { TableWork } from '../services/point-files/table-work.ts';
import type { TextWork } from '../services/project-text/text-work.ts';

/** Table files, whose readers are loaded with the first file. `make` is called once. */
export function lazyTables(make: () => Promise<TableWork>): TableWork {
  const made = once(make);
  return {
    import: async (...given) => (await made()).import(...given),
    analyse: async (...given) => (await made()).analyse(...given),
    cableList: async (...given) => (await made()).cableList(...given),
    references: async (...given) => (await made()).references(...given),
    series: async (...given) => (await made()).series(...given),
    findings: async (...given) => (await made()).findings(...given),
    compare: async (...given) => (await made()).compare(...given),
    comparisonFile: async (...given) => (await made()).comparisonFile(...given),
    export: async (...given) => (await made()).export(...given),
  };
}

/** Text forms of projects, as `lazyTables`. */
export function lazyTexts(make: () => Promise<TextWork>): TextWork {
  const made = once(make);
  return {
    check: async (...given) => (await made()).check(...given),
    read: async (...given) => (await made()).read(...given),
    make: async (...given) => (await made()).make(...given),
  };
}

/** One thread after the other only holds where all calls go to the same work. */
function once<Work>(make: () => Promise<Work>): () => Promise<Work> {
  let making: Promise<Work> | null = null;
  return () => {
    making ??= make().catch((error) => {
      making = null;
      throw error;
    });
    return making;
  };
}
