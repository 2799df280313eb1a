import { resolve } from 'node:path';
import type { OutputOptions } from 'rolldown';

type CodeSplitting = Exclude<OutputOptions['codeSplitting'], boolean | undefined>;

/** What each module imports by itself, as the bundler has it. */
interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/**
 * Puts what a start of the program loads into few files. By itself the bundler gives a file of its own to each set of modules that some later
 * import uses too, although a start has loaded all of them long before: a hundred files, and each is found, read and linked. Here only those count that run without
 * the start: of its modules, those that the same ones of them use are one file, so nobody loads more than it needs.
 *
 * @param start module that a start loads as a whole, with everything that it imports; a path from `root`, like the others
 * @param apart modules of what runs without it: threads, commands, what comes before
 */
export function startChunks(root: string, start: string, apart: readonly string[]): CodeSplitting {
  let names: ReadonlyMap<string, string> | null = null;
  const full = (path: string) => resolve(root, path);
  return {
    // what is imported is in a file of its own, where others use it
    includeDependenciesRecursively: false,
    groups: [
      {
        debugName: 'start',
        name(id, graph) {
          names ??= chunkNames(full(start), apart.map(full), graph);
          return names.get(id) ?? null;
        },
      },
    ],
  };
}

/** Names of files by module, of the modules of the start. Throws for one of the given that is not in the graph. */
export function chunkNames(start: string, apart: readonly string[], graph: ModuleGraph): ReadonlyMap<string, string> {
  const others = apart.map((id) => closure(id, graph));
  const numbers = new Map<string, number>();
  const nameOf = (id: string) => {
    const users = others.map((modules) => (modules.has(id) ? 1 : 0)).join('');
    const number = numbers.get(users) ?? numbers.size + 1;
    numbers.set(users, number);
    return users.includes('1') ? `shared-${number}` : 'start';
  };
  return new Map([...closure(start, graph)].map((id) => [id, nameOf(id)]));
}

function closure(from: string, graph: ModuleGraph): ReadonlySet<string> {
  if (!graph.getModuleInfo(from)) throw new Error(`${from} is no module of the build.`);
  const found = new Set([from]);
  // what is added is visited, too
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
