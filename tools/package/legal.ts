/** What of other people is in a package: bill of materials (CycloneDX) and licence texts. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.ts';

/** What is read of a component of a bill. */
export interface Component {
  readonly type: string;
  readonly group?: string;
  readonly name: string;
  readonly version?: string;
  readonly 'bom-ref': string;
  readonly purl?: string;
  readonly licenses?: readonly { readonly license?: { readonly id?: string; readonly name?: string }; readonly expression?: string }[];
  readonly components?: readonly Component[];
}

interface Bill {
  readonly specVersion: string;
  readonly metadata?: { readonly component?: Component };
  readonly components?: readonly Component[];
}

/** Folders of the build, each with a bill of what is bundled there. */
const BUILT = ['main', 'preload', 'record', 'renderer'];
/** Packages that are copied as they are, not bundled: the page at /docs, and the native parts with what they need. */
const COPIED = ['swagger-ui-dist', 'better-sqlite3', '@serialport/bindings-cpp'];
/** Headers for the compiler, not packed; and what reports installations to its maker, not packed and not run. */
const NOT_PACKED = new Set(['node-addon-api', '@scarf/scarf']);
/** Data of others that is part of the program, with the folder that holds its licence. */
export const SUNSPEC_MODELS: Component = {
  type: 'data',
  group: 'sunspec',
  name: 'models',
  version: '7abdf8982d5364f8ae916deee18aac86c11be36d',
  'bom-ref': 'pkg:github/sunspec/models@7abdf8982d5364f8ae916deee18aac86c11be36d',
  purl: 'pkg:github/sunspec/models@7abdf8982d5364f8ae916deee18aac86c11be36d',
  licenses: [{ license: { id: 'Apache-2.0' } }],
};
const DATA_FOLDERS: Readonly<Record<string, string>> = { [SUNSPEC_MODELS['bom-ref']]: 'resources/sunspec' };
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** All components of the package, each once, by name and version. Throws where the build left no bill. */
export function componentsOf(out: string = inRoot('out')): Component[] {
  const all = new Map<string, Component>();
  const add = (component: Component) => {
    const { components, ...own } = component;
    if (own.name !== 'loopcheck') all.set(`${fullName(own)}@${own.version}`, own);
    for (const inner of components ?? []) add(inner);
  };
  for (const part of BUILT) {
    const bill = readJson<Bill>(join(out, part, 'cyclonedx/bom.json'));
    for (const component of bill.components ?? []) add(component);
  }
  for (const name of COPIED) for (const component of copied(name)) add(component);
  add(componentOf(packageAt(inRoot('node_modules/electron')), 'framework'));
  add(SUNSPEC_MODELS);
  return [...all.values()].sort(
    (a, b) => fullName(a).localeCompare(fullName(b), 'en') || String(a.version).localeCompare(String(b.version)),
  );
}

/** A package with everything it needs. */
function copied(name: string, seen = new Set<string>()): Component[] {
  if (seen.has(name) || NOT_PACKED.has(name)) return [];
  seen.add(name);
  const found = packageAt(inRoot('node_modules', name));
  return [componentOf(found, 'library'), ...Object.keys(found.dependencies ?? {}).flatMap((needed) => copied(needed, seen))];
}

function packageAt(folder: string): PackageJson {
  return readJson<PackageJson>(join(folder, 'package.json'));
}

function componentOf({ name, version, license }: PackageJson, type: string): Component {
  const [group, short] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = license === undefined ? [] : [{ license: { id: license } }];
  return { type, ...(group ? { group } : {}), name: short, version, 'bom-ref': purl, purl, licenses };
}

function fullName({ group, name }: Pick<Component, 'group' | 'name'>): string {
  return group ? `${group}/${name}` : name;
}

/** Identifiers of the licences of a component, as it declares them; empty: it declares none. */
export function licencesOf({ licenses = [] }: Component): string[] {
  return licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '').filter((text) => text !== '');
}

/** The bill of the whole program; `version` is that of the program. No time and no number by chance: the same build makes the same file. */
export function billOfMaterials(version: string, components: readonly Component[]): string {
  const root = {
    type: 'application',
    name: 'loopcheck',
    version,
    'bom-ref': `pkg:generic/loopcheck@${version}`,
    licenses: [{ license: { id: 'Apache-2.0' } }],
  };
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: [...new Set(components.map((component) => component['bom-ref']))] }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** The licences of all components, with the texts that their packages bring. */
export function notices(components: readonly Component[]): string {
  const head =
    'Loopcheck contains these parts of other people. Their licences hold for them.\n' +
    'Electron, Chromium and what they contain: LICENSE.electron.txt and LICENSES.chromium.html.\n' +
    'SQLite, within better-sqlite3, is in the public domain.\n';
  const entries = components.map((component) => {
    const title = `${fullName(component)} ${component.version ?? ''}`.trim();
    const licence = licencesOf(component).join(', ') || 'not declared';
    return [title, `Licence: ${licence}`, '', ...licenceTexts(component)].join('\n');
  });
  return [head, ...entries].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceTexts(component: Component): string[] {
  const folder = folderOf(component);
  if (folder === null) return ['(the package brings no text)\n'];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name));
  if (files.length === 0) return ['(the package brings no text)\n'];
  return files.map(({ name }) => `${readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()}\n`);
}

/** Where a package of this very version is installed; null: only within a bundle of another one. */
function folderOf(component: Component): string | null {
  const data = DATA_FOLDERS[component['bom-ref']];
  if (data !== undefined) return inRoot(data);
  const name = fullName(component);
  const places = [inRoot('node_modules', name), ...nested(name)];
  return places.find((place) => existsSync(join(place, 'package.json')) && packageAt(place).version === component.version) ?? null;
}

function nested(name: string): string[] {
  const lock = readJson<{ packages: Record<string, unknown> }>(inRoot('package-lock.json'));
  return Object.keys(lock.packages)
    .filter((path) => path.endsWith(`/node_modules/${name}`))
    .map((path) => inRoot(path));
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(path, 'utf8')) as Content;
}

/** Writes both beside the build, where electron-builder takes them from. */
export function writeLegal(): void {
  const { version } = packageAt(inRoot('.'));
  const components = componentsOf();
  const folder = inRoot('out/legal');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(components));
  writeFileSync(join(folder, 'loopcheck.cdx.json'), billOfMaterials(version, components));
}
