/** One thing after the other that the service has to do on Windows, from its start to its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openPtyPair } from '../../src-main/transport/testing/pty-pair.ts';
import { ConnType, FrameType, ProtocolType } from '../../src-shared/domain/enums.ts';
import { inRoot } from '../lib/paths.ts';
import { Api } from './api.ts';
import { tryCommandFile } from './command-file.ts';
import { contractChecks } from './contract-checks.ts';
import { pause, type WindowsComputer, type WindowsProgram } from './wine.ts';

const START_LIMIT_MS = 100_000;
const VALUE_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 20_000;
const LISTENING = /listening on (http:\/\/\S+)/;
/** Nine ports have a name of one digit; from the tenth on Windows wants another form of it. */
const PORT = 'COM12';
const SPEED = 9600;
const REGISTERS = [2301, 2302];

/** Folders and programs of a trial. */
export interface Trial {
  readonly computer: WindowsComputer;
  /** Folder of the program, as it is in the package. */
  readonly program: string;
  /** Folder for everything that it writes. */
  readonly folder: string;
  /** Told of everything that holds. */
  passed(what: string): void;
}

/** The whole of it. Throws at the first thing that does not hold. */
export async function tryOnWindows(trial: Trial): Promise<void> {
  const { folder, passed } = trial;
  const pair = await openPtyPair();
  const slave = spawn(process.execPath, [inRoot('tools/interop/modbus/modbus-serial-peer.ts'), 'serial-server', pair.b, String(SPEED)]);
  try {
    await prepared(slave);
    trial.computer.plug(PORT, pair.a);
    const data = join(folder, '数据 of a user', 'x'.repeat(90));
    const program = startService(trial, 'first', ['--demo', '--port', '0', '--data', trial.computer.path(data)]);
    const api = new Api(await program.says(LISTENING, START_LIMIT_MS));
    passed('the service listens, in folders with blanks and Chinese names');
    passed(`the demo plant has values: ${await demoValue(api)}`);
    await checkContract(api, passed);
    await checkSerial(api, passed);
    await refusedStarts(trial, { data, port: new URL(api.url).port });
    await stopInOrder(api, program, data, passed);
    await otherFolders(trial);
    await tryCommandFile(trial);
  } finally {
    slave.kill('SIGKILL');
    await pair.end();
  }
}

/** Starts the service with what it says in files of this name. */
function startService({ computer, program, folder }: Trial, name: string, args: readonly string[]): WindowsProgram {
  return computer.start([computer.path(join(program, 'out/main/headless.js')), ...args], join(folder, name));
}

async function demoValue(api: Api): Promise<string> {
  const end = performance.now() + VALUE_LIMIT_MS;
  for (;;) {
    const { data: channels } = await api.client.call('listChannels', {});
    const channel_id = channels.find(({ name }) => name === 'Demo PCS')?.id;
    const table = channel_id && (await api.client.call('pointTable', { channel_id, page: 1, page_size: 1, search: 'PCS_UDC' }));
    const point = table ? table.data.items[0] : undefined;
    if (point?.quality === 'good' && point.value > 0) return `${point.code} = ${point.value} ${point.unit}`;
    if (performance.now() > end) throw new Error('the demo plant has no value');
    await pause(100);
  }
}

async function checkContract(api: Api, passed: Trial['passed']): Promise<void> {
  const faults: string[] = [];
  let count = 0;
  for await (const { asked, fault } of contractChecks(api)) {
    count += 1;
    if (fault !== null) faults.push(`${asked}: ${fault}`);
  }
  if (faults.length > 0) throw new Error(`${faults.length} of ${count} answers are not as the contract says:\n${faults.join('\n')}`);
  passed(`${count} of ${count} requests over HTTP are answered as the contract says`);
}

/** The slave listens and has its registers. */
async function prepared(slave: ChildProcess): Promise<void> {
  if (!slave.stdout || !slave.stdin) throw new Error('the slave has no outputs');
  slave.stdin.on('error', () => {});
  for await (const line of createInterface({ input: slave.stdout })) {
    if (line.startsWith('listening')) slave.stdin.write(`set 3 0 ${REGISTERS.join(' ')}\n`);
    else if (line === 'ok') return;
  }
  throw new Error('the Modbus RTU slave did not come up');
}

async function checkSerial({ client }: Api, passed: Trial['passed']): Promise<void> {
  const { data: channel } = await client.call('addChannel', {
    name: 'RTU',
    protocol_type: ProtocolType.modbusRtu,
    conn_type: ConnType.rtuMaster,
    com_port: PORT,
    baud_rate: SPEED,
  });
  const points = REGISTERS.map((_, address) => ({ frame_type: FrameType.yc, code: `R${address}`, address, decode: '0x20', slave_id: 1 }));
  const { data: added } = await client.call('addPoints', { channel_id: channel.id, points });
  await client.call('startDevice', { channel_id: channel.id });
  for (const [index, { id, code }] of added.items.entries()) {
    const { data: point } = await client.call('readSinglePoint', { channel_id: channel.id, point_id: id, frame_type: FrameType.yc });
    if (point.value !== REGISTERS[index]) throw new Error(`${code} over ${PORT} is ${point.value} and not ${REGISTERS[index]}`);
  }
  passed(`a Modbus RTU slave is read over ${PORT}: ${REGISTERS.join(', ')}`);
  await client.call('stopDevice', { channel_id: channel.id });
}

/** Starts beside the running service that have to be refused, with what to do in what they say. */
async function refusedStarts(trial: Trial, running: { readonly data: string; readonly port: string }): Promise<void> {
  const { computer, folder, passed } = trial;
  const refused = async (what: string, args: readonly string[], words: RegExp) => {
    const program = startService(trial, what.replaceAll(' ', '-'), args);
    const code = await program.code(START_LIMIT_MS);
    const said = program.said();
    if (code !== 1 || !words.test(said)) throw new Error(`${what}: code ${code}, and not ${words}:\n${said}`);
    passed(`${what}: ${said.trim().split('\n')[0]}`);
  };
  const own = computer.path(join(folder, 'third'));
  await refused('a port that is taken', ['--port', running.port, '--data', own], /port .*(taken|in use)/i);
  await refused('a project that is open', ['--port', '0', '--data', computer.path(running.data), '--demo'], /open|use|lock/i);
  const half = join(folder, 'half.loopcheck');
  writeFileSync(half, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(2000, 7)]));
  await refused('a half-written project', ['--port', '0', '--data', own, '--project', computer.path(half)], /damaged|not .*project|half/i);
}

async function stopInOrder(api: Api, program: WindowsProgram, data: string, passed: Trial['passed']): Promise<void> {
  const running = readdirSync(data);
  if (!running.includes('service.json')) throw new Error(`the running service has no service.json: ${running.join(', ')}`);
  await api.ask('POST', '/api/service/stop', {});
  const code = await program.code(STOP_LIMIT_MS);
  const left = readdirSync(data).filter((name) => /-wal$|-shm$|lock|^service\.json$|^token$/.test(name));
  if (code !== 0 || left.length > 0) throw new Error(`it ended with ${code} and left ${left.join(', ')}:\n${program.said()}`);
  const log = readdirSync(join(data, 'logs')).map((name) => readFileSync(join(data, 'logs', name), 'utf8'));
  if (!log.join('').includes('"msg":"stopped"')) throw new Error('the log does not tell of the end');
  passed('it stops in order: code 0, lock, WAL and service.json gone');
}

/** Where a project may lie. */
async function otherFolders(trial: Trial): Promise<void> {
  const { computer, folder, passed } = trial;
  const deep = join(folder, ...Array.from({ length: 4 }, (_, level) => `${level}${'深'.repeat(60)}`));
  mkdirSync(deep, { recursive: true });
  const program = startService(trial, 'long-path', ['--port', '0', '--data', computer.path(deep)]);
  const url = await program.says(LISTENING, START_LIMIT_MS);
  await new Api(url).ask('POST', '/api/service/stop', {});
  const code = await program.code(STOP_LIMIT_MS);
  if (code !== 0 || !existsSync(join(deep, 'default.loopcheck'))) throw new Error(`no project was made at a long path: ${program.said()}`);
  passed(`a project at a path of ${computer.path(join(deep, 'default.loopcheck')).length} characters`);
}
