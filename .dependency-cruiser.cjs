/**
 * Import directions of docs/adr and architecture: who may know whom. Checked by `npm run deps`; tools/check-imports.test.ts
 * plants a violation of each rule and sees it found. Tests may import more than the code beside them.
 */
const test = '\\.(test|prop\\.test)\\.tsx?$|/testing/';

/** A room of the house may import only what `to` names (besides itself and src-shared). */
function room(name, path, to, pathNotExtra = []) {
  return {
    name,
    severity: 'error',
    from: { path: `^${path}`, pathNot: [test] },
    to: { path: '^src-', pathNot: [`^${path}`, '^src-shared/', ...to.map((item) => `^${item}`), ...pathNotExtra] },
  };
}

/** npm packages and node modules only where they belong. */
function only(name, package_, places) {
  return {
    name,
    severity: 'error',
    from: { path: '^src-', pathNot: [test, ...places.map((item) => `^${item}`)] },
    to: { path: package_ },
  };
}

const spi = 'src-main/drivers/spi/';
const lineTypes = 'src-main/transport/(store-)?types\\.ts$';
const repositories = 'src-main/persistence/(check-|history-|buffer-)?repositories\\.ts$';
const platform = 'src-main/platform/';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: { pathNot: [test] },
      to: { circular: true },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    room('shared-is-leaf', 'src-shared/', []),
    room('renderer-knows-only-shared', 'src-renderer/', []),
    // What a record shows, in a browser and in a workbook: the words of the pages, and pure texts.
    room('record-knows-words', 'src-record/', [
      'src-renderer/i18n/(en|zh|types)',
      'src-renderer/features/check/expectation-text\\.ts$',
      'src-renderer/ui/format\\.ts$',
    ]),
    room('preload-knows-only-shared', 'src-preload/', []),
    room('electron-knows-app', 'src-main/electron/', ['src-main/app/', platform]),
    room('http-knows-services', 'src-main/http/', ['src-main/services/', platform]),
    room('services-know-runtime', 'src-main/services/', ['src-main/runtime/', 'src-main/capture/', spi, repositories, lineTypes, platform]),
    room('runtime-knows-interfaces', 'src-main/runtime/', [spi, lineTypes, repositories, platform, 'src-main/protocol-kit/scaling\\.ts$']),
    {
      name: 'drivers-know-no-other-driver',
      severity: 'error',
      from: { path: '^src-main/drivers/(?!spi/)([^/]+)/', pathNot: [test] },
      to: {
        path: '^src-',
        pathNot: [
          '^src-main/drivers/$1/',
          `^${spi}`,
          '^src-main/drivers/kit/',
          '^src-main/protocol-kit/',
          `^${lineTypes}`,
          `^${platform}`,
          '^src-shared/',
        ],
      },
    },
    room('spi-knows-no-driver', 'src-main/drivers/spi/', [lineTypes, platform]),
    room('protocol-kit-imports-nothing', 'src-main/protocol-kit/', []),
    room('capture-imports-nothing', 'src-main/capture/', []),
    room('transport-knows-platform', 'src-main/transport/', [platform]),
    room('persistence-knows-platform', 'src-main/persistence/', [platform, spi]),
    room('platform-is-leaf', 'src-main/platform/', []),
    {
      name: 'shared-packages',
      severity: 'error',
      from: { path: '^src-shared/', pathNot: [test] },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/(zod|jsep)/' },
    },
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      from: { path: '^src-(renderer|record)/', pathNot: [test] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'drivers-and-runtime-have-no-node',
      severity: 'error',
      from: { path: '^src-main/(drivers|runtime|protocol-kit|capture)/', pathNot: [test] },
      to: { dependencyTypes: ['core'] },
    },
    only('electron-only-at-the-edge', 'node_modules/electron/', ['src-main/electron/', 'src-main/index\\.ts$', 'src-preload/']),
    only('serialport-only-in-transport', 'node_modules/(@serialport|serialport)/', ['src-main/transport/']),
    only('databases-only-in-transport', 'node_modules/(pg|pg-[a-z-]+)/', ['src-main/transport/']),
    only('sockets-only-in-transport', '^(node:)?(net|tls|dgram)$', ['src-main/transport/']),
    only('sqlite-only-in-persistence', 'node_modules/better-sqlite3/', ['src-main/persistence/']),
    only('fastify-only-in-http', 'node_modules/(@fastify|fastify)/', ['src-main/http/', 'src-main/app/']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
};
