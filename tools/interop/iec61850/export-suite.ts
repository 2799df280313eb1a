import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '../../lib/paths.ts';
import { output } from '../peer.ts';
import { findPython } from '../python.ts';
import { expectEqual, type Report, type Suite } from '../report.ts';
import { freePort, type Service } from '../service.ts';
import { Device } from './device.ts';
import { JsonPeer } from './json-peer.ts';

const LIBIEC61850 = { name: 'pyiec61850-ng', version: '1.6.1.10' };
const OPEN61850 = { name: 'open61850', version: '0.9.12' };
/** The generator of libiec61850, a program in Java of its source tree (tools/model_generator). */
const GENERATOR = process.env.LIBIEC61850_GENCONFIG ?? inRoot('.interop/genconfig.jar');

/** What a foreign client finds in a device. */
interface Browsed {
  readonly devices: readonly string[];
  readonly names: Readonly<Record<string, readonly string[]>>;
  readonly types: Readonly<Record<string, string>>;
  readonly sets: Readonly<Record<string, readonly string[]>>;
}

/** A foreign stack that serves the model of an SCL file. */
interface Loader {
  readonly name: string;
  /** Attributes that it serves otherwise, whatever the file says. */
  isOwnWay(key: string): boolean;
  /** Serves an SCL file; answers the port. */
  serve(peer: JsonPeer, file: string, folder: string): Promise<number>;
  start(): Promise<JsonPeer>;
}

/** Report blocks have an Owner where a server is told so: no file says it. */
const OWNER = /\$(?:BR|RP)\$[^$]+\$Owner$/;
/** The server has them in any edition but where it is told one. */
const RESERVATION = /\$BR\$[^$]+\$ResvTms$/;
/** One spelling of it stands in the mapping to MMS, the other in the services. */
const ENTRY_TIME = /\$BR\$[^$]+\$Time[oO]fEntry$/;
/** open61850's server has no logs: it takes the file without their control blocks. */
const LOG_BLOCK = /\$LG\$/;

/** Simulated devices, of files of both editions and of a point table. */
const DEVICES: readonly { readonly name: string; readonly file: string | null }[] = [
  { name: 'the plant', file: inRoot('tools/interop/iec61850/plant.cid') },
  { name: 'the demo bay', file: inRoot('resources/demo/bay.cid') },
  { name: 'a relay of edition 1', file: inRoot('src-main/drivers/iec61850/model/testing/relay-ed1.icd') },
  { name: 'a device of a point table', file: null },
];
const TABLE = [
  { frame_type: 1, code: 'door', reference: 'TABLD0/GGIO1.Ind1.stVal[ST]' },
  { frame_type: 0, code: 'power', reference: 'TABLD0/MMXU1.TotW.mag.f[MX]' },
  { frame_type: 2, code: 'breaker', reference: 'TABLD0/CSWI1.Pos[CO]', protocol: { control_model: 4 } },
  { frame_type: 3, code: 'limit', reference: 'TABLD0/PTOC1.StrVal.setMag.f[SP]' },
];

/** The file that is made of a learnt model is served by foreign stacks, and a foreign client finds the same in both. */
export const iec61850ExportSuite: Suite = async (service, report) => {
  const loaders = findLoaders(report);
  const client = findPython({ ...LIBIEC61850, script: 'tools/interop/iec61850/lib_client.py' });
  if ('reason' in client) {
    report.skip(LIBIEC61850.name, client.reason);
    return;
  }
  const browser = await JsonPeer.start(client.program, ['-B', ...client.args]);
  try {
    for (const device of DEVICES) await checkExport(service, report, browser, device, loaders);
  } finally {
    await browser.end();
  }
};

function findLoaders(report: Report): Loader[] {
  const loaders: Loader[] = [];
  const lib = findPython({ ...LIBIEC61850, script: 'tools/interop/iec61850/lib_model.py' });
  const open = findPython({ ...OPEN61850, script: 'tools/interop/iec61850/open_model.py' });
  if (!existsSync(GENERATOR)) {
    report.skip(
      'the generator of libiec61850',
      `LIBIEC61850_GENCONFIG names no genconfig.jar of its source tree, and there is no ${GENERATOR}`,
    );
  } else if (output('java', ['-version']) === null) report.skip('the generator of libiec61850', 'there is no java');
  else if ('reason' in lib) report.skip(LIBIEC61850.name, lib.reason);
  else {
    const start = () => JsonPeer.start(lib.program, ['-B', ...lib.args]);
    // the generator writes arrays without their elements
    const isOwnWay = (key: string) => key.includes('(') || OWNER.test(key) || RESERVATION.test(key);
    loaders.push({ name: `${LIBIEC61850.name} ${LIBIEC61850.version}`, isOwnWay, start, serve: serveGenerated });
  }
  if ('reason' in open) report.skip(OPEN61850.name, open.reason);
  else {
    const start = () => JsonPeer.start(open.program, ['-B', ...open.args]);
    const isOwnWay = (key: string) => OWNER.test(key) || ENTRY_TIME.test(key) || LOG_BLOCK.test(key);
    const serve = (peer: JsonPeer, file: string) => peer.ask<number>('start', file);
    loaders.push({ name: `${OPEN61850.name} ${OPEN61850.version}`, isOwnWay, start, serve });
  }
  return loaders;
}

async function serveGenerated(peer: JsonPeer, file: string, folder: string): Promise<number> {
  const configuration = join(folder, 'model.cfg');
  const said = output('java', ['-jar', GENERATOR, file, configuration]);
  if (said === null || /error|exception/i.test(said)) throw new Error(`the generator fails: ${said ?? 'no output'}`);
  return peer.ask<number>('start', configuration);
}

async function checkExport(
  service: Service,
  report: Report,
  browser: JsonPeer,
  { name, file }: (typeof DEVICES)[number],
  loaders: readonly Loader[],
): Promise<void> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-export-'));
  const served = await Device.add(service, { name: `export of ${name}`, conn_type: 1, port });
  const learner = await Device.add(service, { name: `export of ${name}, learnt`, conn_type: 2, port });
  try {
    if (file === null) await served.addPoints(TABLE);
    else await served.storeFile({ file });
    await served.start();
    await learner.start();
    await learner.learnt();
    const exported = join(folder, 'model.iid');
    writeFileSync(exported, await service.text(`/api/channel/model_export?channel_id=${learner.id}`));
    const own = await browsed(browser, port);
    for (const loader of loaders) {
      await report.check(`export of ${name}: ${loader.name} serves the same tree, types and data sets`, async () => {
        const peer = await loader.start();
        try {
          const theirs = await browsed(browser, await loader.serve(peer, exported, folder));
          expectSame(own, theirs, loader);
        } finally {
          await peer.end();
        }
      });
    }
  } finally {
    await learner.remove();
    await served.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function browsed(browser: JsonPeer, port: number): Promise<Browsed> {
  await browser.ask('connect', port);
  const found = await browser.ask<Browsed>('browse');
  await browser.ask('close');
  return found;
}

function expectSame(own: Browsed, theirs: Browsed, { isOwnWay }: Loader): void {
  expectEqual('devices', [...theirs.devices].sort(), [...own.devices].sort());
  const [before, after] = [Object.entries(own.types), new Map(Object.entries(theirs.types))];
  const missing = before.flatMap(([key]) => (after.has(key) || isOwnWay(key) ? [] : [key]));
  const others = before
    .filter(([key, type]) => after.has(key) && after.get(key) !== type)
    .map(([key, type]) => `${key} ${type} ${after.get(key)}`);
  const more = [...after.keys()].filter((key) => !(key in own.types) && !isOwnWay(key));
  expectEqual('attributes', { missing, others, more }, { missing: [], others: [], more: [] });
  expectEqual('data sets', theirs.sets, own.sets);
}
