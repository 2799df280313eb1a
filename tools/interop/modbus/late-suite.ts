/** Our RTU master on foreign slaves whose answers come late, half, twice or never: no value of another register, and soon well again. */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SerialPort } from 'serialport';
import { createRandom } from '../../../src-main/platform/seeded-random.ts';
import { openPtyPair, whyNoPtys } from '../../../src-main/transport/testing/pty-pair.ts';
import { inRoot } from '../../lib/paths.ts';
import { installPackages, Peer } from '../peer.ts';
import type { Program } from '../python.ts';
import { expectEqual, type Report, type Suite } from '../report.ts';
import { FAULTS, type Fault, FaultyRelay } from './faulty-relay.ts';
import { checkFaultyLine, type FaultyLine, type FaultyTally } from './late-checks.ts';
import { findPymodbus } from './programs.ts';

/** Pseudo terminals hand octets on at once: an answer may be there before its request can have left at this rate, as on a virtual port. */
const BAUD_RATE = 19_200;
const TIMEOUT_MS = 200;

type Line = 'TCP' | 'pty';
/** What ends or closes something that was opened here. */
type Cleanup = () => unknown;

/** pymodbus and modbus-serial as slaves, RTU over TCP and over pseudo terminals; all four lines at once, each with a channel of its own. */
export const modbusLateSuite: Suite = async (service, report) => {
  mkdirSync(inRoot('.interop'), { recursive: true });
  if (whyNoPtys !== null && !installPackages('socat')) {
    report.skip('faulty RTU lines', whyNoPtys);
    return;
  }
  const slaves: readonly [string, Program][] = [
    ['pymodbus', findPymodbus()],
    ['modbus-serial', { program: process.execPath, args: [inRoot('tools/interop/modbus/modbus-serial-peer.ts')] }],
  ];
  const trials = slaves.flatMap(([name, found]) => (['TCP', 'pty'] as const).map((line) => ({ name, found, line })));
  const seed = Number(process.env.LOOPCHECK_SEED ?? 1);
  const cleanups: Cleanup[] = [];
  try {
    // all are open before the first is asked: a program that starts makes the others late
    const opened = await Promise.all(trials.map((trial, at) => openLine(report, trial, createRandom(100 * seed + at), cleanups)));
    const lines = opened.filter((line) => line !== null);
    const tallies = await Promise.all(lines.map((line) => checkFaultyLine(service, report, line)));
    if (lines.length > 0) await checkTallies(report, lines, tallies);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
};

/** The faults that were meant to come have come, and reads met them. */
async function checkTallies(report: Report, lines: readonly FaultyLine[], tallies: readonly FaultyTally[]): Promise<void> {
  const sum = (count: (at: number) => number) => lines.reduce((total, _, at) => total + count(at), 0);
  const faults = (fault: Fault) => sum((at) => lines[at]?.relay.counts[fault] ?? 0);
  const counts = FAULTS.map((fault) => `${faults(fault)} ${fault}`).join(', ');
  const reads = sum((at) => tallies[at]?.reads ?? 0);
  const good = sum((at) => tallies[at]?.good ?? 0);
  await report.check(`RTU, faulty: ${reads} reads under faults, ${good} with a value; answers: ${counts}`, async () => {
    expectEqual('more than 80 reads a line', reads > 80 * lines.length, true);
    expectEqual('lines without a value under faults', tallies.filter((tally) => tally.good === 0).length, 0);
    for (const fault of FAULTS) expectEqual(`two answers ${fault} a line`, faults(fault) >= 2 * lines.length, true);
  });
}

interface Trial {
  readonly name: string;
  readonly found: Program;
  readonly line: Line;
}

/** Null where the peer cannot be had. */
async function openLine(
  report: Report,
  { name, found, line }: Trial,
  random: () => number,
  cleanups: Cleanup[],
): Promise<FaultyLine | null> {
  const title = `RTU over ${line}, faulty, ${name}`;
  if ('reason' in found) {
    report.skip(title, found.reason);
    return null;
  }
  // modbus-serial serves RTU frames on serial ports only: over TCP the relay is the converter in front of it
  const { peer, slave } = await (name === 'pymodbus' && line === 'TCP' ? openSocketSlave : openSerialSlave)(found, cleanups);
  const relay = new FaultyRelay({ slave, timeoutMs: TIMEOUT_MS, random });
  cleanups.push(() => relay.end());
  const settings = line === 'TCP' ? await listen(relay, cleanups) : await joinPty(relay, cleanups);
  return { title, peer, relay, random, timeoutMs: TIMEOUT_MS, settings };
}

interface Slave {
  readonly peer: Peer;
  readonly slave: Duplex;
}

type Found = Extract<Program, { readonly program: string }>;

async function openSocketSlave({ program, args }: Found, cleanups: Cleanup[]): Promise<Slave> {
  const peer = new Peer(program, [...args, 'rtu-server']);
  cleanups.push(() => peer.end());
  const [, port] = await peer.line();
  const slave = connect({ host: '127.0.0.1', port: Number(port), noDelay: true });
  await once(slave, 'connect');
  return { peer, slave };
}

async function openSerialSlave({ program, args }: Found, cleanups: Cleanup[]): Promise<Slave> {
  const { a, b, end } = await openPtyPair();
  cleanups.push(end);
  const peer = new Peer(program, [...args, 'serial-server', b, String(BAUD_RATE)]);
  cleanups.push(() => peer.end());
  await peer.line();
  return { peer, slave: await openPort(a) };
}

async function openPort(path: string): Promise<SerialPort> {
  const port = new SerialPort({ path, baudRate: BAUD_RATE });
  await once(port, 'open');
  return port;
}

/** Settings of a channel whose octets go over a socket to the relay. */
async function listen(relay: FaultyRelay, cleanups: Cleanup[]): Promise<Readonly<Record<string, unknown>>> {
  const server = createServer({ noDelay: true }, (socket: Socket) => relay.join(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return { conn_type: 2, port: address.port };
}

/** The same over a serial port. */
async function joinPty(relay: FaultyRelay, cleanups: Cleanup[]): Promise<Readonly<Record<string, unknown>>> {
  const { a, b, end } = await openPtyPair();
  cleanups.push(end);
  relay.join(await openPort(b));
  return { conn_type: 0, com_port: a, baud_rate: BAUD_RATE };
}
