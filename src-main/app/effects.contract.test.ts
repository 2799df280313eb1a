import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '#shared/client/client.ts';
import { EFFECT_RULES } from '#shared/contract/effect.ts';
import { type InputOf, type Operation, type OperationName, operations } from '#shared/contract/index.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import { Threads } from '../platform/threads.ts';
import { FakePlant } from '../runtime/testing/fake-driver.ts';
import { FakeModel } from '../runtime/testing/fake-model.ts';
import { fakeModelDriver } from '../runtime/testing/fake-model-driver.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { createDocumentThread } from './document-thread.ts';
import { createDriverRegistry } from './driver-registry.ts';
import { type Pair, type RunningCore, silentPeer, startCore, startPair, until } from './testing/running-core.ts';
import type { CorePorts } from './types.ts';

const NAMES = Object.keys(operations) as OperationName[];
const entryOf = (name: OperationName): Operation => operations[name];
const named = (effect: Operation['effect']) => NAMES.filter((name) => entryOf(name).effect === effect);

/** A Modbus pair with true octets, a device with a model that records what it is asked, and a meter that is not started. */
interface World {
  readonly running: RunningCore;
  /** Address of another service. */
  readonly other: string;
  readonly pair: Pair;
  readonly plant: FakePlant;
  readonly model: number;
  readonly meter: number;
  readonly point: number;
  readonly control: number;
  /** A setpoint of the device that was written once. */
  readonly setpoint: number;
  readonly job: string;
  /** The table of the client, tried at its device. */
  readonly tableJob: string;
  /** A check session with results of one of its two items, another without, and the record of the first. */
  readonly check: number;
  readonly item: string;
  readonly spareItem: string;
  /** The item of the point that is read. */
  readonly read: string;
  readonly spareCheck: number;
  /** A channel with a finding that can be mended, and the revision of its table. */
  readonly mend: { readonly channel_id: number; readonly revision: string; readonly rule: 'no_feedback' };
  /** A comparison of that channel with the client, and a file that was given in to be compared. */
  readonly comparison: string;
  readonly compareFile: string;
  /** Digest of a file of the first. */
  readonly attached: string;
  readonly record: () => File;
  /** What passed between client and server. */
  readonly capture: () => File;
  /** A capture that the project keeps. */
  readonly kept: string;
}

const SPARE = { frame_type: 0, code: 'SPARE', address: 900, decode: '0x21' } as const;
const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function aWorld(): Promise<World> {
  const plant = new FakePlant();
  plant.latencyMs = 0;
  plant.readsSetpoints = true;
  const peer = await silentPeer();
  const drivers = createDriverRegistry([modbusTcpDriver, dlt645Driver, fakeModelDriver(plant, { model: new FakeModel() })]);
  const openBroker: CorePorts['openBroker'] = async () => ({
    subscribe: async () => {},
    publish: async () => {},
    onLost() {},
    close: async () => {},
  });
  const running = await startCore({}, { drivers, readDocument: createDocumentThread(new Threads(), null), openBroker });
  closings.push(
    () => peer.close(),
    () => running.close(),
  );
  const { api } = running;
  const otherCore = await startCore();
  closings.push(() => otherCore.close());
  const read = { frame_type: 0, code: 'P', address: 100, decode: '0x21' } as const;
  const pair = await startPair(running, { served: [read], read: [read] });
  const point = (await api.call('pointTable', { channel_id: pair.clientId, page: 1, page_size: 1 })).data.items[0]?.id ?? 0;
  const own = { name: 'Model', protocol_type: 5, conn_type: 2, port: peer.port, retries: 3 } as const;
  const model = (await api.call('addChannel', own)).data.id;
  const added = { frame_type: 2, code: 'K', reference: 'BCU1LD0/GGIO1.SPCSO1' } as const;
  const written = { frame_type: 3, code: 'S', reference: 'BCU1LD0/GGIO1.AnOut1' } as const;
  const { items } = (await api.call('addPoints', { channel_id: model, points: [added, written] })).data;
  const setpoint = items[1]?.id ?? 0;
  await api.call('startDevice', { channel_id: model });
  await api.call('readSinglePoint', { channel_id: model, point_id: setpoint, frame_type: 3 });
  await api.call('updatePoint', { point_id: setpoint, frame_type: 3, value: 5 });
  const meter = (await api.call('addChannel', { name: 'Meter', protocol_type: 4, conn_type: 2 })).data.id;
  const scan = { channel_id: pair.clientId, slave_id: 1, func_codes: [3], start: 100, quantity: 1 };
  const job = (await api.call('startScan', scan)).data.id;
  await until(
    () => api.call('jobStatus', { job_id: job }),
    ({ data }) => data.state === 'done',
  );
  const tableJob = (await api.call('startTableJob', { channel_id: pair.clientId })).data.id;
  await until(
    () => api.call('jobStatus', { job_id: tableJob }),
    ({ data }) => data.state === 'done',
  );
  const check = (await api.call('addCheck', { name: 'Visit' })).data.id;
  const spareCheck = (await api.call('addCheck', { name: 'Spare' })).data.id;
  await api.call('addCheckItems', { session_id: check, channel_id: model });
  await api.call('addCheckItems', { session_id: check, channel_id: pair.clientId });
  const checked = (await api.call('checkItems', { session_id: check })).data.items.map(({ item }) => item);
  await api.call('enterCheckResult', { session_id: check, item: checked[0] ?? '', verdict: 'remark', operator: 'Li' });
  await api.call('startCheck', { session_id: check, operator: 'Li', items: [checked[0] ?? ''], commands: true });
  const file = new File(['terminal 2'], 'note.txt');
  const { attachments } = (await api.call('attachToCheck', { session_id: check, operator: 'Li', file })).data;
  const { name, bytes } = (await api.call('checkRecord', { session_id: check })).data as DownloadedFile;
  const record = () => new File([new Uint8Array(bytes)], name);
  const frames = (await api.call('framesFile', { channel_id: pair.clientId, format: 'pcapng' })).data as DownloadedFile;
  const capture = () => new File([new Uint8Array(frames.bytes)], frames.name);
  const kept = (await api.call('keepCapture', { channel_id: pair.clientId })).data.capture.name;
  const checks = {
    check,
    kept,
    item: checked[0] ?? '',
    spareItem: checked[1] ?? '',
    read: checked[2] ?? '',
    spareCheck,
    record,
    capture,
    attached: attachments?.[0]?.sha256 ?? '',
  };
  for (const name of ['Plant', 'Spare'])
    await api.call('setPublisher', { ...PUBLISHER, name, target: { ...PUBLISHER.target, prefix: name } });
  const bare = (await api.call('addChannel', { name: 'Bare', protocol_type: 1, conn_type: 2 })).data.id;
  const breaker = { name: 'Breaker', address: 0 };
  const both = [{ ...breaker, frame_type: 1, code: 'CB' } as const, { ...breaker, frame_type: 2, code: 'CTRL' } as const];
  await api.call('addPoints', { channel_id: bare, points: both });
  const { revision } = (await api.call('tableCheck', { channel_id: bare })).data;
  const file_id = (await api.call('giveCompareFile', { file: new File(['编码\nA\n'], 'points.csv') })).data.file_id;
  const of = 'channel' as const;
  const compared = { before: { of, channel_id: bare }, after: { of, channel_id: pair.clientId } };
  const { comparison_id } = (await api.call('comparePoints', compared)).data;
  const mend = { channel_id: bare, revision, rule: 'no_feedback' as const };
  const tables = { tableJob, mend, comparison: comparison_id, compareFile: file_id };
  return {
    other: otherCore.url,
    running,
    pair,
    plant,
    model,
    meter,
    point,
    control: items[0]?.id ?? 0,
    setpoint,
    job,
    ...tables,
    ...checks,
  };
}

type Inputs = { readonly [Name in OperationName]: (world: World) => InputOf<Name> };
const onModbus = ({ pair }: World) => ({ channel_id: pair.clientId });
const onModel = ({ model }: World) => ({ channel_id: model });
const onCheck = ({ check }: World) => ({ session_id: check });
const onDevice = ({ pair }: World) => ({ device_name: pair.device });

const PUBLISHER = {
  name: 'Plant',
  enabled: false,
  target: { kind: 'mqtt' as const, url: 'mqtt://broker', client_id: '', user: 'plant', prefix: 'plant', qos: 0 as const, retain: false },
  devices: [],
  frame_types: [],
  codes: [],
};

const TEMPLATE = JSON.stringify({
  format: 'loopcheck-project',
  version: 1,
  device: { name: 'Plant' },
  channels: [{ protocol_type: 1, conn_type: 2, points: [] }],
});

/** One right call of every operation; those that end things come last. */
const INPUTS: Inputs = {
  serviceInfo: () => ({}),
  metrics: () => ({}),
  getSettings: () => ({}),
  projectInfo: () => ({}),
  recentProjects: () => ({}),
  missingParts: () => ({}),
  projectText: () => ({}),
  downloadProject: () => ({}),
  listChannels: () => ({}),
  listProtocols: () => ({}),
  listSerialPorts: () => ({}),
  unknownObjects: onModbus,
  touchedSetpoints: onModbus,
  listChecks: () => ({}),
  checkItems: onCheck,
  checkSummary: onCheck,
  checkRecord: onCheck,
  checkHistory: (world) => ({ ...onCheck(world), item: world.item }),
  checkTemplate: onCheck,
  checkFile: ({ check, attached }) => ({ session_id: check, sha256: attached }),
  verifyRecord: ({ record }) => ({ file: record() }),
  checkReferences: onCheck,
  checkPoints: (world) => ({ ...onCheck(world), channel_id: world.pair.serverId, point_ids: [1] }),
  checkRun: () => ({}),
  listEvents: onModbus,
  listAudit: () => ({}),
  listFrames: onModbus,
  pointFrames: (world) => ({ ...onModbus(world), point_id: world.point, frame_type: 0 }),
  framePoints: (world) => ({ ...onModbus(world), seq: 2 }),
  explainFrame: (world) => ({ ...onModbus(world), seq: 2 }),
  frameStatistics: (world) => ({ ...onModbus(world), filter: 'not error' }),
  framesFile: (world) => ({ ...onModbus(world), format: 'pcapng' }),
  listCaptures: () => ({}),
  keepCapture: (world) => ({ ...onModbus(world), name: 'Visit' }),
  captureFile: ({ kept }) => ({ name: kept }),
  iec61850TreeData: onModel,
  iec61850DatasetDetail: (world) => ({ ...onModel(world), dataset: 'BCU1LD0/LLN0$dsMeas' }),
  deviceModel: onModel,
  modelNodes: onModel,
  suggestPoints: (world) => ({ ...onModel(world), references: ['BCU1LD0/MMXU1.A1[MX]'] }),
  modelDifferences: onModel,
  exportModel: onModel,
  jobStatus: ({ job }) => ({ job_id: job }),
  listJobs: () => ({}),
  scanRows: ({ job }) => ({ job_id: job, page: 1, page_size: 10 }),
  scanCsv: ({ job }) => ({ job_id: job }),
  tableJobRows: ({ tableJob }) => ({ job_id: tableJob, page: 1, page_size: 10 }),
  tableJobCsv: ({ tableJob }) => ({ job_id: tableJob }),
  lineStats: onModbus,
  linePlan: onModbus,
  exportPoints: (world) => ({ ...onModbus(world), format: 'csv' }),
  analyseList: (world) => ({ ...onModbus(world), file: new File(['register,name\n40001,U\n'], 'list.csv'), mapping: '{}' }),
  listProfiles: () => ({}),
  profileFile: () => ({ id: 'kepware' }),
  listTemplates: () => ({}),
  makeTemplate: (world) => ({ ...onModbus(world), name: 'Plant' }),
  templateFile: () => ({ id: 'iec104-bay' }),
  addTemplateFile: () => ({ file: new File([TEMPLATE], 'plant.device.json') }),
  useTemplate: () => ({ id: 'own-plant', name: 'Of a template' }),
  deleteTemplate: () => ({ id: 'own-plant' }),
  recordingStatus: onModbus,
  readHistory: (world) => ({ points: `${onModbus(world).channel_id}:0:${world.point}` }),
  setRecording: (world) => ({ ...onModbus(world), mode: 'changed' as const }),
  publishers: () => ({}),
  setPublisher: () => ({ ...PUBLISHER, id: 1 }),
  setPublisherSecrets: () => ({ id: 1, secrets: { password: 'of the broker' } }),
  confirmPublisher: () => ({ id: 1 }),
  testPublisher: () => ({ id: 1 }),
  deletePublisher: () => ({ id: 2 }),
  simulation: ({ pair }) => ({ channel_id: pair.serverId }),
  setSimulation: ({ pair }) => ({ channel_id: pair.serverId, speed: 2 }),
  setLineFaults: ({ pair }) => ({ channel_id: pair.serverId, delay_ms: 1 }),
  saveProfile: () => ({ name: 'Plant', headers: ['register'], mapping: {} }),
  addProfileFile: () => ({
    file: new File([JSON.stringify({ kind: 'loopcheck-list-profile', version: 1, name: 'Other', headers: ['a'], mapping: {} })], 'a.json'),
  }),
  deleteProfile: () => ({ id: 'own-plant' }),
  compareReadings: (world) => ({
    ...onModbus(world),
    candidates: [
      { choice: 'plain0', points: [{ frame_type: 0, code: 'P', address: 100, decode: '0x21' }] },
      { choice: 'plain1', points: [{ frame_type: 0, code: 'P', address: 99, decode: '0x21' }] },
    ],
  }),
  pointsTemplate: () => ({ format: 'csv' }),
  pointItems: () => ({ protocol_type: 4, search: '总' }),
  pointHint: () => ({ protocol_type: 4, address: '0x02010100' }),
  pointReadings: (world) => ({ ...onModbus(world), point_id: world.point, frame_type: 0, known: '5' }),
  pointTable: (world) => ({ ...onModbus(world), page: 1, page_size: 10 }),
  pointHistory: onModbus,
  tableCheck: onModbus,
  comparison: ({ comparison }) => ({ comparison_id: comparison }),
  comparisonRows: ({ comparison }) => ({ comparison_id: comparison }),
  exportComparison: ({ comparison }) => ({ comparison_id: comparison, format: 'csv' }),
  channelSecrets: ({ meter }) => ({ channel_id: meter }),
  autoReadStatus: onDevice,
  listTasks: () => ({}),
  manualReadStatus: onDevice,
  updatePoint: ({ control }) => ({ point_id: control, frame_type: 2, value: 1 }),
  command: ({ model, control }) => ({ channel_id: model, point_id: control, frame_type: 2, step: 'operate', value: 1 }),
  commandState: ({ model, control }) => ({ channel_id: model, point_id: control, frame_type: 2 }),
  sendCheckCommand: ({ item }) => ({ item }),
  deviceOperation: (world) => ({ ...onModel(world), operation: 'reset' }),
  readPoints: (world) => ({ ...onModbus(world), points: [{ code: 'P' }] }),
  waitForPoint: (world) => ({ ...onModbus(world), code: 'P', condition: 'not_good', timeout_ms: 0 }),
  writePoints: (world) => ({ ...onModel(world), points: [{ code: 'K', value: 1 }] }),
  restoreSetpoints: (world) => ({ ...onModel(world), point_ids: [world.setpoint] }),
  keepSetpoints: (world) => ({ ...onModel(world), point_ids: [world.setpoint] }),
  addChannel: () => ({ name: 'Further', protocol_type: 1, conn_type: 2 }),
  confirmChannel: onModbus,
  clearFrames: onModbus,
  resetLineStats: onModbus,
  addCheck: () => ({ name: 'Second visit' }),
  editCheck: (world) => ({ ...onCheck(world), name: 'First visit' }),
  addCheckItems: (world) => ({ ...onCheck(world), ...onModel(world) }),
  editCheckItems: (world) => ({ ...onCheck(world), items: [world.item], group: 'Bay 2' }),
  enterCheckResult: (world) => ({ ...onCheck(world), item: world.item, verdict: 'failed', operator: 'Li' }),
  attachToCheck: (world) => ({ ...onCheck(world), item: world.item, operator: 'Li', file: new File(['terminal 3'], 'note.txt') }),
  setCheckLogo: (world) => ({ ...onCheck(world), file: new File([Buffer.from('89504e470d0a1a0a', 'hex')], 'logo.png') }),
  removeCheckLogo: onCheck,
  orderCheckItems: (world) => ({ ...onCheck(world), by: 'code' }),
  orderByCableList: (world) => ({ ...onCheck(world), file: new File(['code,page\nP,3\n'], 'cables.csv') }),
  applyCheckTemplate: (world) => ({
    ...onCheck(world),
    file: new File(['{"format":"loopcheck-check-template","version":1,"items":[]}'], 'template.json'),
  }),
  stopCheck: () => ({}),
  startCheck: (world) => ({ ...onCheck(world), operator: 'Li', items: [world.item], commands: true }),
  checkStep: (world) => ({ item: world.item, action: 'skip' }),
  announceCheck: (world) => ({ item: world.read }),
  mergeCheck: ({ record }) => ({ file: record() }),
  removeCheckItems: (world) => ({ ...onCheck(world), items: [world.spareItem] }),
  deleteCheck: ({ spareCheck }) => ({ session_id: spareCheck }),
  compareCheck: (world) => ({ ...onCheck(world), operator: 'Li', reference_channel_id: world.pair.serverId, items: [world.read] }),
  compareCheckFile: (world) => ({ ...onCheck(world), operator: 'Li', file: new File(['code,value\nP,5\n'], 'values.csv') }),
  traceCheck: (world) => ({ ...onCheck(world), operator: 'Li', reference_channel_id: world.pair.serverId, items: [world.read] }),
  giveCompareFile: () => ({ file: new File(['编码\nA\n'], 'points.csv') }),
  comparePoints: ({ pair, compareFile }) => ({
    before: { of: 'channel', channel_id: pair.clientId },
    after: { of: 'file', file_id: compareFile },
  }),
  ignoreFindings: (world) => ({ ...onModbus(world), keys: ['overlap 1 A'], ignored: false }),
  mendFindings: ({ mend }) => mend,
  takeDifferences: ({ comparison }) => ({ comparison_id: comparison, kinds: ['added'] }),
  addPoints: (world) => ({ ...onModbus(world), points: [SPARE] }),
  editPoint: ({ point }) => ({ point_id: point, frame_type: 0, name: 'Power' }),
  editPoints: ({ pair, point }) => ({ channel_id: pair.clientId, points: [{ point_id: point, frame_type: 0, name: 'Power' }] }),
  bulkPoints: ({ pair, point }) => ({
    channel_id: pair.clientId,
    changes: [{ op: 'edit', point_id: point, frame_type: 0, name: 'Active power' }],
  }),
  undoPoints: onModbus,
  redoPoints: onModbus,
  deletePoints: ({ meter }) => ({ channel_id: meter, point_ids: [999_999] }),
  updateChannelSecrets: ({ meter }) => ({ channel_id: meter, secrets: { password_02: '123456' } }),
  updateSettings: () => ({ read_only: true }),
  makeToken: () => ({}),
  removeToken: () => ({}),
  listAccesses: () => ({}),
  addAccess: () => ({ name: 'Li', role: 'view' }),
  updateAccess: () => ({ name: 'Li', role: 'operate' }),
  removeAccess: () => ({ name: 'Li' }),
  listSeries: () => ({}),
  addSeries: () => ({ file: new File(['t,P\n0,1\n1,2\n'], 'load.csv') }),
  lookCapture: ({ capture }) => ({ file: capture() }),
  takeCapture: ({ capture }) => ({ file: capture(), name: 'line' }),
  lookKept: ({ kept }) => ({ name: kept }),
  takeKept: ({ kept, pair }) => ({ capture: kept, channel_id: pair.serverId }),
  removeCapture: ({ kept }) => ({ name: kept }),
  removeSeries: () => ({ name: 'load' }),
  listRemotes: () => ({}),
  remoteChannels: () => ({}),
  lookRemote: ({ other }) => ({ address: other }),
  addRemote: ({ other }) => ({ name: 'Cabinet', address: other }),
  removeRemote: () => ({ id: 1 }),
  updateNotice: () => ({}),
  lookForUpdate: () => ({}),
  backupProject: ({ running }) => ({ path: join(running.dir, 'copy.loopcheck') }),
  uploadProject: ({ running }) => ({ file: new File([readFileSync(join(running.dir, 'copy.loopcheck'))], 'sent.loopcheck') }),
  importProjectText: () => ({ mode: 'preview', file: new File(['{}'], 'a.json') }),
  forgetProject: () => ({ path: '/elsewhere/old.loopcheck' }),
  stopAutoRead: onDevice,
  stopManualRead: onDevice,
  cancelJob: ({ job }) => ({ job_id: job }),
  readSinglePoint: (world) => ({ ...onModbus(world), point_id: world.point, frame_type: 0 }),
  manualRead: onDevice,
  startAutoRead: ({ model }) => ({ device_name: model === 0 ? '' : 'Model' }),
  identifyDevice: (world) => ({ ...onModbus(world), slave_id: 1 }),
  startScan: (world) => ({ ...onModbus(world), slave_id: 1, func_codes: [3], start: 100, quantity: 1 }),
  startTableJob: onModbus,
  startFind: () => ({ protocol_type: 1, conn_type: 2, ip: '127.0.0.1', port: 1, from: 1, to: 1 }),
  startDoctor: onModbus,
  importPoints: (world) => ({ ...onModbus(world), mode: 'preview', file: new File(['编码\nA\n'], 'points.csv') }),
  storeDocument: (world) => ({ ...onModel(world), mode: 'preview', file: new File(['SCL A'], 'a.cid') }),
  documentDevices: () => ({ protocol_type: 5, file: new File(['SCL A'], 'a.cid') }),
  deleteDocument: onModel,
  updateChannel: (world) => ({ ...onModbus(world), note: 'looked at' }),
  startDevice: onModbus,
  reloadDevice: onModbus,
  stopDevice: onModbus,
  deleteChannel: onModbus,
  renameProject: ({ running }) => ({ path: join(running.dir, 'renamed.loopcheck') }),
  openDemo: () => ({}),
  openProject: ({ running }) => ({ path: join(running.dir, 'next.loopcheck'), create: true }),
  stopService: () => ({}),
};

/** What has to be done before an operation has something to do. */
const BEFORE: Partial<Record<OperationName, (world: World) => Promise<unknown>>> = {
  async announceCheck(world) {
    const { api } = world.running;
    const expectation = { kind: 'values' as const, references: [{ value: 5, tolerance: 0, percent: 0 }] };
    await api.call('editCheckItems', { ...onCheck(world), items: [world.read], expectation });
    await api.call('startCheck', { ...onCheck(world), operator: 'Li', items: [world.read], way: 'listen' });
  },
  removeCheckItems: ({ running }) => running.api.call('stopCheck', {}),
  compareCheckFile: ({ running }) => running.api.call('stopCheck', {}),
  traceCheck: ({ running }) => running.api.call('stopCheck', {}),
  // the trace may have ended by itself; what it sent has been answered by then
  giveCompareFile: ({ running }) => running.api.call('stopCheck', {}).catch(() => undefined),
};

function ask(world: World, name: OperationName): Promise<unknown> {
  const call = world.running.api.call as (operation: OperationName, input: unknown) => Promise<unknown>;
  return call(name, INPUTS[name](world));
}

/** Octets and exchanges that reached a device so far. */
async function sent({ running, plant }: World): Promise<number> {
  const channels = (await running.api.call('listChannels', {})).data;
  return channels.reduce((sum, channel) => sum + channel.health.tx_bytes, plant.exchanges.length);
}

/** The operations that start a job. */
const JOBS = new Set<OperationName>(['startScan', 'startTableJob', 'startFind', 'startDoctor']);

async function ended({ running: { api } }: World, job: string): Promise<void> {
  await until(
    () => api.call('jobStatus', { job_id: job }),
    ({ data }) => data.state !== 'running',
  );
}

async function audits({ running }: World) {
  return (await running.api.call('listAudit', {})).data;
}

/** True for operations that may send octets to a device: the part of the closed list of line access that the API has. */
function mayTouchLine({ effect, line }: Pick<Operation, 'effect' | 'line'>): boolean {
  const rule = EFFECT_RULES[effect].line;
  return rule === 'always' || (rule === 'declared' && line === true);
}

describe('every operation of the contract', () => {
  it('declares an effect, and only a repeatable has to say that it touches the line', () => {
    for (const name of NAMES) {
      const entry = entryOf(name);
      expect([name, entry.effect in EFFECT_RULES]).toEqual([name, true]);
      expect([name, entry.line ?? false]).toEqual([name, entry.effect === 'repeatable' && mayTouchLine(entry)]);
    }
    expect(named('command')).toHaveLength(6);
  });

  it('is on the closed list of line access if it may send something, and only then', () => {
    const pageOf = (name: string) => readFileSync(join(import.meta.dirname, '../../docs/guide', name), 'utf8');
    const listOf = (name: string) => pageOf(name).match(/^- `.*`$/gm);
    expect(listOf('line-access.zh.md')).toEqual(listOf('line-access.md'));
    const page = pageOf('line-access.md');
    const listed = [...page.matchAll(/^- `((?:GET|POST|PUT|DELETE) \/api\/\S+)`$/gm)].map(([, operation]) => operation);
    const may = NAMES.map(entryOf).filter(mayTouchLine);
    expect(listed.toSorted()).toEqual(may.map(({ method, path }) => `${method} ${path}`).toSorted());
  });

  it('while read-only: commands are refused with 409, everything else is done; what may not touch the line sends nothing', async () => {
    const world = await aWorld();
    await world.running.api.call('updateSettings', { read_only: true });
    const spare =
      (
        await world.running.api.call('addPoints', {
          channel_id: world.meter,
          points: [{ frame_type: 0, code: 'M', address: 0x00010000, slave_id: 1 }],
        })
      ).data.items[0]?.id ?? 0;
    let entered = (await audits(world)).total;
    const inputs: Partial<Record<OperationName, object>> = { deletePoints: { channel_id: world.meter, point_ids: [spare] } };
    for (const name of Object.keys(INPUTS) as OperationName[]) {
      await BEFORE[name]?.(world);
      const before = await sent(world);
      const call = world.running.api.call as (operation: OperationName, input: unknown) => Promise<unknown>;
      const end = await call(name, inputs[name] ?? INPUTS[name](world)).then(
        // a job goes on behind its answer, and what it sends is not what the next operation sends
        async (answer) => {
          if (JOBS.has(name)) await ended(world, (answer as { readonly data: { readonly id: string } }).data.id);
          return 'done';
        },
        (error: unknown) => (error instanceof AppError ? `${error.code} ${error.message} ${JSON.stringify(error.data)}` : error),
      );
      if (EFFECT_RULES[entryOf(name).effect].needsWritable) expect([name, end]).toEqual([name, expect.stringMatching(/^STATE_READ_ONLY /)]);
      else expect([name, end]).toEqual([name, 'done']);
      if (name === 'stopService') break;
      if (!mayTouchLine(entryOf(name))) expect([name, await sent(world)]).toEqual([name, before]);
      // another project has none
      const { total } = await audits(world);
      expect([name, total <= entered]).toEqual([name, true]);
      entered = total;
    }
  });

  it('queries leave nothing behind that is sent later', async () => {
    const world = await aWorld();
    const { api } = world.running;
    const requests = async () => (await api.call('lineStats', onModbus(world))).data.slaves.reduce((sum, slave) => sum + slave.requests, 0);
    const [before, exchanges] = [await requests(), world.plant.exchanges.length];
    for (const name of named('query')) await ask(world, name);
    // a single read waits for its turn behind whatever else wants the line
    await ask(world, 'readSinglePoint');
    expect(await requests()).toBe(before + 1);
    await api.call('deviceOperation', { ...onModel(world), operation: 'test' });
    expect(world.plant.exchanges.length).toBe(exchanges + 1);
  });

  it.each(named('command'))(
    '%s is sent once with an audit of its own, whatever the repeats of reads, and refused by a read-only channel',
    async (name) => {
      const world = await aWorld();
      world.plant.command = 'silent';
      world.plant.timeoutMs = 20;
      const before = world.plant.exchanges.length;
      const entered = (await audits(world)).total;
      await ask(world, name).catch((error: unknown) => expect(error).toMatchObject({ code: 'TIMEOUT_RESPONSE' }));
      const exchanges = world.plant.exchanges.slice(before);
      expect(exchanges.map(({ kind, retries }) => [kind, retries])).toEqual([['command', 0]]);
      const { items } = await audits(world);
      expect(items).toHaveLength(entered + 1);
      expect(items[0]).toMatchObject({ channel_id: world.model, source: 'api' });
      expect(items[0]?.closed_at).not.toBeNull();

      await world.running.api.call('updateChannel', { channel_id: world.model, read_only: true });
      // the check has gone on from its only item
      if (name === 'sendCheckCommand') await ask(world, 'startCheck');
      await expect(ask(world, name)).rejects.toMatchObject({ code: 'STATE_READ_ONLY', status: 409 });
      expect([world.plant.exchanges.length, (await audits(world)).total]).toEqual([before + 1, entered + 1]);
    },
  );

  it('is asked again by the client when nobody answered, if it is a query, and only then', async () => {
    for (const name of NAMES) {
      const seen: unknown[] = [];
      const client = createClient(
        ({ url }) => {
          seen.push(url.split('?', 1)[0]);
          return Promise.reject(new AppError('TRANSPORT_NOT_CONNECTED', quoted('The service does not answer.')));
        },
        { pause: async (ms) => void seen.push(ms) },
      );
      await expect(client.call(name, {} as never)).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
      const { path, effect } = entryOf(name);
      expect(seen).toEqual(effect === 'query' ? [path, 200, path, 600, path] : [path]);
    }
  });
});

describe('the client', () => {
  const answers = (...replies: readonly (Error | number)[]) => {
    const left = [...replies];
    return async () => {
      const next = left.shift();
      if (typeof next !== 'number') throw next ?? new Error('asked too often');
      return { status: next, body: { code: next, message: 'x', error: 'TIMEOUT_RESPONSE', data: [] } };
    };
  };
  it('takes the first answer of the service, an error status as well', async () => {
    const client = createClient(answers(new TypeError('reset'), 200), { pause: async () => {} });
    expect((await client.call('listChannels', {})).data).toEqual([]);
    const refused = createClient(answers(504, 200), { pause: async () => {} });
    await expect(refused.call('listChannels', {})).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
  });
  it('ends with the caller, and does not ask again without a pause to wait in', async () => {
    const controller = new AbortController();
    const client = createClient(answers(new TypeError('reset'), 200), { pause: async () => controller.abort() });
    await expect(client.call('listChannels', {}, controller.signal)).rejects.toThrow('reset');
    await expect(createClient(answers(new TypeError('reset'), 200)).call('listChannels', {})).rejects.toThrow('reset');
  });
});

describe('operations of the drivers', () => {
  const told = builtInDrivers.all.flatMap(({ descriptor }) =>
    (descriptor.operations ?? []).map((item) => [`${descriptor.key} ${item.name}`, item] as const),
  );
  it('declare the same three words', () => {
    expect(told.length).toBeGreaterThan(20);
    for (const [name, { effect }] of told) expect([name, effect in EFFECT_RULES]).toEqual([name, true]);
    expect(told.filter(([, { effect }]) => effect === 'query').map(([name]) => name)).toEqual(['dlt645 write_blocks']);
  });

  it('one that only asks is repeated like a read, needs no audit and goes through a read-only channel', async () => {
    const world = await aWorld();
    const entered = (await audits(world)).total;
    const { api } = world.running;
    await api.call('updateChannel', { channel_id: world.model, read_only: true });
    const { data } = await api.call('deviceOperation', { ...onModel(world), operation: 'test' });
    expect(data).not.toHaveProperty('audit_id');
    expect(world.plant.exchanges.at(-1)).toMatchObject({ retries: 3 });
    expect((await audits(world)).total).toBe(entered);
  });

  it('are published with their effect', async () => {
    const world = await aWorld();
    const protocols = (await world.running.api.call('listProtocols', {})).data;
    for (const item of protocols.flatMap((protocol) => protocol.operations ?? [])) expect(item.writes).toBe(item.effect === 'command');
  });
});
