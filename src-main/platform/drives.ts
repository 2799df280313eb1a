import { readFileSync } from 'node:fs';
import { parse, resolve, sep } from 'node:path';

/** Folders that systems put drives into; each folder below may be another one. */
const HOMES_OF_DRIVES = ['/Volumes', '/media', '/mnt', '/net', '/run/media'];

/** Where drives are put in, by the list of the kernel: it is answered from memory, and asks no drive. Empty on other systems. */
function mountPoints(): readonly string[] {
  try {
    const lines = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    return lines.map((line) => unescaped(line.split(' ')[4] ?? '')).filter((point) => point !== '');
  } catch {
    return [];
  }
}

/** Blanks and the like stand there as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

function holds(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** The folder below a home of drives, as `/Volumes/NAS`. */
function inHome(path: string): string | null {
  const home = HOMES_OF_DRIVES.find((folder) => path !== folder && holds(folder, path));
  if (home === undefined) return null;
  const [first = ''] = path.slice(home.length + 1).split(sep);
  return `${home}/${first}`;
}

/** Name of the drive that a path seems to lie on, as far as its text and the lists of the system tell it. The drive itself is not asked. */
export function driveOf(path: string, points: readonly string[] = mountPoints()): string {
  const whole = resolve(path);
  const { root } = parse(whole);
  if (root !== '/') return root.toLowerCase();
  const found = [root, ...points.filter((point) => holds(point, whole)), ...(points.length > 0 ? [] : [inHome(whole) ?? root])];
  return found.reduce((longest, point) => (point.length > longest.length ? point : longest));
}
