import { crc16 } from '../../../src-main/protocol-kit/crc.ts';
import { Channel, type PointFields, type Row } from '../channel.ts';
import type { Peer } from '../peer.ts';
import { expectEqual, type Report } from '../report.ts';
import type { Service } from '../service.ts';
import type { Fault, FaultyRelay } from './faulty-relay.ts';

const YC = 0;
const SIZE = 300;
const TOLD_FRAMES = 150;
const WATCH_MS = 50;
/** More than a line brings between two looks. */
const WATCHED_FRAMES = 40;
const MODES = ['batch', 'single'] as const;
type Table = 3 | 4;

/** What each register holds: its table and its address, as in 30017. */
const registerOf = (table: Table, address: number): number => table * 10_000 + address;

/** A point, and the only value that is its own. */
interface Own {
  readonly point: PointFields;
  readonly value: number;
}

function single(table: Table, address: number): Own {
  const point = { code: `R${table}_${address}`, frame_type: YC, address, func_code: table, decode: '0x20' };
  return { point, value: registerOf(table, address) };
}

function wide(table: Table, address: number): Own {
  const point = { code: `W${table}_${address}`, frame_type: YC, address, func_code: table, decode: '0x40' };
  return { point, value: registerOf(table, address) * 0x1_0000 + registerOf(table, address + 1) };
}

/** Two registers whose answer has a checksum that ends in 00: eight of its nine octets are a frame as well. */
function withChecksumInZero(table: Table): Own {
  for (let address = 140; address < SIZE - 1; address++) {
    const [first, second] = [registerOf(table, address), registerOf(table, address + 1)];
    const answer = Uint8Array.of(1, table, 4, first >> 8, first & 0xff, second >> 8, second & 0xff);
    if (crc16(answer) >> 8 === 0) return wide(table, address);
  }
  throw new Error(`No two registers of table ${table} have such an answer.`);
}

/** Nothing lies side by side, so a batch asks for each alone: answers of one length, which nothing but their order tells apart. */
const OWN: readonly Own[] = [
  ...[3, 17, 31, 58, 90, 131].map((address) => single(3, address)),
  ...[5, 44, 120].map((address) => single(4, address)),
  wide(3, 220),
  withChecksumInZero(3),
];

/** What is done to answers in one turn. Once a line was seen to double, fewer answers are taken on it: those turns are the last. */
const TURNS: readonly { readonly what: string; readonly faults: readonly Fault[]; readonly rounds: number }[] = [
  { what: 'late', faults: ['late'], rounds: 2 },
  { what: 'half', faults: ['half', 'half', 'prompt'], rounds: 2 },
  { what: 'dropped', faults: ['drop', 'prompt'], rounds: 2 },
  { what: 'twice', faults: ['double'], rounds: 3 },
  { what: 'in all these ways', faults: ['late', 'half', 'double', 'drop', 'prompt', 'prompt'], rounds: 3 },
];
/** Behind so long without a copy a line counts as one that does not double (docs/adr/0020), with a margin. */
const FORGOTTEN_MS = 11_000;
/** Between rounds, so that a device is asked again that was left alone. */
const PAUSE_MS = 1200;

export interface FaultyLine {
  readonly title: string;
  readonly peer: Peer;
  readonly relay: FaultyRelay;
  readonly random: () => number;
  readonly timeoutMs: number;
  /** Connection fields of the channel. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Reads while the line was faulty, and those that gave a value. */
export interface FaultyTally {
  readonly reads: number;
  readonly good: number;
}

/** Turns of fault and of health. Every value that is shown after a round is looked at; a point is read once in a round. */
export async function checkFaultyLine(service: Service, report: Report, line: FaultyLine): Promise<FaultyTally> {
  const { title, peer, relay, timeoutMs, settings } = line;
  for (const table of [3, 4] as const) {
    await peer.numbers('set', table, 0, ...Array.from({ length: SIZE }, (_, address) => registerOf(table, address)));
  }
  const fields = { name: title, protocol_type: 2, timeout_ms: timeoutMs, retries: 0, ...settings };
  const channel = await Channel.open(
    service,
    fields,
    OWN.map(({ point }) => point),
  );
  let watch: NodeJS.Timeout | undefined;
  try {
    const check = (what: string, body: () => Promise<void>) => report.check(`${title}: ${what}`, () => withFrames(channel, body));
    await check('prompt, every point is its own', () => expectAllGood(channel));
    const tally = { reads: 0, good: 0 };
    watch = watchDoubling(channel, relay);
    for (const { what, faults, rounds } of TURNS) {
      await check(`answers ${what}, no value of another register`, async () => {
        relay.faults = faults;
        for (let round = 0; round < rounds; round++) {
          if (round > 0) await pause(PAUSE_MS);
          const { success, fail } = await readRound(channel, MODES[round % 2] ?? 'batch');
          tally.reads += success + fail;
          tally.good += success;
        }
      });
      await check(`prompt behind answers ${what}, soon good again`, async () => {
        await expectFirstGood(channel, relay.beWell(), line);
        for (const mode of MODES) await readRound(channel, mode);
      });
    }
    await check('prompt for long, every point is good', async () => {
      await pause(FORGOTTEN_MS);
      await expectAllGood(channel);
    });
    return tally;
  } finally {
    clearInterval(watch);
    await channel.remove();
  }
}

/** Rounds that are read again because the slave was late without the relay's doing. */
const MOST_REPEATS = 5;

/** What the frame log says when answers begin to come twice, and when they have ceased to. */
const DOUBLES = 'Answers come twice on this line';
const DOUBLES_NO_MORE = 'No answer came twice for a while';

/** Lets the relay know whether the channel reckons with answers that come twice. */
function watchDoubling(channel: Channel, relay: FaultyRelay): NodeJS.Timeout {
  return setInterval(async () => {
    const frames = await channel.frames(WATCHED_FRAMES).catch(() => []);
    const last = frames.findLast((text) => text.includes(DOUBLES) || text.includes(DOUBLES_NO_MORE));
    if (last !== undefined) relay.isKnownToDouble = last.includes(DOUBLES);
  }, WATCH_MS);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs a check; where it fails, what was on the line is told with it. */
async function withFrames(channel: Channel, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    const frames = await channel.frames(TOLD_FRAMES);
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${frames.join('\n')}`);
  }
}

/** One round, and a look at every value that is shown behind it. */
async function readRound(channel: Channel, mode: (typeof MODES)[number]): Promise<Awaited<ReturnType<Channel['readAll']>>> {
  const snapshot = await channel.readAll(mode);
  for (const row of (await channel.rows()).values()) expectOwn(row);
  return snapshot;
}

/** Every point is good behind a round. The slave is a program of its own on a busy computer: one that is late by itself is asked again. */
async function expectAllGood(channel: Channel): Promise<void> {
  for (const mode of MODES) {
    let snapshot = await readRound(channel, mode);
    for (let again = 0; again < MOST_REPEATS && snapshot.fail > 0; again++) snapshot = await readRound(channel, mode);
    const { success, fail, last_error } = snapshot;
    expectEqual(`the ${mode} round`, { success, fail, last_error }, { success: OWN.length, fail: 0, last_error: null });
    for (const row of (await channel.rows()).values()) {
      expectEqual(`${row.code} after the ${mode} round`, row.quality, 'good');
    }
  }
}

/** Points are asked for by chance, as a person does who waits for the device, until one answers. */
async function expectFirstGood(channel: Channel, since: number, { random, timeoutMs }: FaultyLine): Promise<void> {
  const promisedMs = Math.max(3 * timeoutMs, 3000);
  for (;;) {
    const { point } = OWN[Math.floor(random() * OWN.length)] ?? { point: { code: '' } };
    const { status, data } = await channel.readSingle(point.code);
    const tookMs = Math.round(performance.now() - since);
    if (status === 200) expectOwn(data as Row);
    if (status === 200 && (data as Row).quality === 'good' && tookMs <= promisedMs) return;
    if (tookMs > promisedMs) throw new Error(`no good value within ${promisedMs} ms; after ${tookMs} ms the answer is ${status}`);
    await pause(20);
  }
}

/** A value that is shown was once read, whatever its quality is now. */
function expectOwn({ code, quality, value }: Row): void {
  const own = OWN.find(({ point }) => point.code === code);
  if (quality !== 'never') expectEqual(`${code}, ${quality},`, value, own?.value);
}
