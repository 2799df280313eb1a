import { PROJECT_ENDING } from '#shared/domain/projects.ts';

/** A path with another name in its place: the separator of the path is kept. */
function beside(path: string, name: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return `${path.slice(0, cut + 1)}${name}`;
}

/** A file of a folder, with the separator that the folder has. */
export function inFolder(folder: string, name: string): string {
  return `${folder}${folder.includes('\\') ? '\\' : '/'}${name}`;
}

/** `…/site.loopcheck` becomes `…/site-2026-03-01-1403.loopcheck`: a name that does not exist yet. */
export function copyPath(path: string, now: Date): string {
  const stamp = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  const plain = path.toLowerCase().endsWith(PROJECT_ENDING) ? path.slice(0, -PROJECT_ENDING.length) : path;
  return `${plain}-${stamp}${PROJECT_ENDING}`;
}

/** What a person wrote as the path of a project: a name alone is meant beside `present`, and the ending may be left out. */
export function projectPath(text: string, present: string): string {
  const given = text.trim();
  const named = given === '' || given.toLowerCase().endsWith(PROJECT_ENDING) ? given : `${given}${PROJECT_ENDING}`;
  return named === '' || /[\\/]/.test(named) ? named : beside(present, named);
}
