import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkImports } from './lib/import-rules.ts';
import { inRoot } from './lib/paths.ts';

const trees: string[] = [];
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true });
});

/** A tree with every room present and `files` on top; its packages are the project's own. */
function plant(files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), 'import-rules-'));
  trees.push(tree);
  const base: Record<string, string> = {
    'src-main/drivers/spi/index.ts': 'export const spi = 1;',
    'src-main/runtime/channel.ts': 'export const channel = 1;',
    'src-main/services/points.ts': 'export const points = 1;',
    'src-main/http/server.ts': 'export const server = 1;',
    'src-main/app/build-core.ts': 'export const core = 1;',
    'src-main/transport/tcp.ts': 'export const tcp = 1;',
    'src-main/persistence/store.ts': 'export const store = 1;',
    'src-main/platform/clock.ts': 'export const clock = 1;',
    'src-main/drivers/modbus/driver.ts': 'export const modbus = 1;',
    'src-preload/index.ts': 'export {};',
    'src-renderer/main.tsx': 'export {};',
    'src-record/model.ts': 'export const model = 1;',
    'src-shared/domain/enums.ts': 'export const enums = 1;',
    'tsconfig.base.json':
      '{"compilerOptions":{"module":"esnext","moduleResolution":"bundler","allowImportingTsExtensions":true,"noEmit":true}}',
    ...files,
  };
  for (const [path, text] of Object.entries(base)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  symlinkSync(inRoot('node_modules'), join(tree, 'node_modules'));
  return tree;
}

const violations: readonly [rule: string, file: string, text: string][] = [
  ['shared-is-leaf', 'src-shared/a.ts', "import '../src-main/platform/clock.ts';"],
  ['shared-packages', 'src-shared/a.ts', "import 'node:fs';"],
  ['renderer-knows-only-shared', 'src-renderer/a.ts', "import '../src-main/services/points.ts';"],
  ['renderer-has-no-node', 'src-renderer/a.ts', "import 'node:path';"],
  ['record-knows-words', 'src-record/a.ts', "import '../src-renderer/main.tsx';"],
  ['renderer-has-no-node', 'src-record/a.ts', "import 'node:fs';"],
  ['preload-knows-only-shared', 'src-preload/a.ts', "import '../src-main/app/build-core.ts';"],
  ['electron-knows-app', 'src-main/electron/a.ts', "import '../services/points.ts';"],
  ['http-knows-services', 'src-main/http/a.ts', "import '../runtime/channel.ts';"],
  ['services-know-runtime', 'src-main/services/a.ts', "import '../drivers/modbus/driver.ts';"],
  ['services-know-runtime', 'src-main/services/b.ts', "import '../persistence/store.ts';"],
  ['runtime-knows-interfaces', 'src-main/runtime/a.ts', "import '../transport/tcp.ts';"],
  ['drivers-know-no-other-driver', 'src-main/drivers/iec104/a.ts', "import '../modbus/driver.ts';"],
  ['drivers-and-runtime-have-no-node', 'src-main/drivers/modbus/a.ts', "import 'node:timers';"],
  ['protocol-kit-imports-nothing', 'src-main/protocol-kit/a.ts', "import '../platform/clock.ts';"],
  ['capture-imports-nothing', 'src-main/capture/a.ts', "import '../drivers/spi/index.ts';"],
  ['transport-knows-platform', 'src-main/transport/a.ts', "import '../runtime/channel.ts';"],
  ['persistence-knows-platform', 'src-main/persistence/a.ts', "import '../services/points.ts';"],
  ['platform-is-leaf', 'src-main/platform/a.ts', "import '../runtime/channel.ts';"],
  ['electron-only-at-the-edge', 'src-main/app/a.ts', "import 'electron';"],
  ['serialport-only-in-transport', 'src-main/services/a.ts', "import 'serialport';"],
  ['sockets-only-in-transport', 'src-main/app/a.ts', "import 'node:net';"],
  ['sqlite-only-in-persistence', 'src-main/app/a.ts', "import 'better-sqlite3';"],
  ['fastify-only-in-http', 'src-main/services/a.ts', "import 'fastify';"],
  ['no-circular', 'src-main/app/a.ts', "import './b.ts';"],
  ['no-circular', 'src-main/app/a.ts', "import type { B } from './b.ts'; export type A = B;"],
  ['no-unresolvable', 'src-main/app/a.ts', "import './missing.ts';"],
];

describe('import rules', () => {
  it('finds nothing in a tree that keeps them, and sees its modules', async () => {
    const report = await checkImports(plant({ 'src-main/services/a.ts': "import '../runtime/channel.ts';" }));
    expect(report.violations).toEqual([]);
    expect(report.modules).toBe(14);
  });

  it.each(violations)('finds a violation of %s planted in %s', async (rule, file, text) => {
    const report = await checkImports(plant({ [file]: text, 'src-main/app/b.ts': "import './a.ts';" }));
    expect(report.violations.map((item) => item.split(':')[0])).toContain(rule);
  });

  it('reports an empty tree as no modules, so that the command fails', async () => {
    const tree = mkdtempSync(join(tmpdir(), 'import-rules-'));
    trees.push(tree);
    for (const room of ['src-main', 'src-preload', 'src-record', 'src-renderer', 'src-shared']) mkdirSync(join(tree, room));
    writeFileSync(join(tree, 'tsconfig.base.json'), '{}');
    expect((await checkImports(tree)).modules).toBe(0);
  });
});
