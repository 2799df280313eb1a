import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
// biome-ignore lint/plugin: a kill has to come at any moment of a process that runs in real time
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Change } from './kill.script.ts';
import type { ProjectStore } from './repositories.ts';
import { inFolder, openTestProject } from './test-project.ts';

const SCRIPT = `${import.meta.dirname}/kill.script.ts`;
/** A run of some seconds; `npm run soak` asks for a thousand. */
const KILLS = Number(process.env.LOOPCHECK_KILLS ?? 20);
const LANES = 2;
/** A new file every so often, so that the making of a project is killed too and the files stay small. */
const KILLS_A_FILE = 10;
/** One kill in five comes at a random time after the start of the process, the others after a random number of changes. */
const START_MS = 400;
const MOST_CHANGES = 60;

/** What a file has to hold by all that was confirmed. */
interface Expected {
  readonly channels: Map<number, string>;
  /** Points by channel and word. */
  readonly batches: Map<string, number>;
  readonly settings: Map<string, string>;
  /** Code, and the detail once it was closed. */
  readonly audits: Map<number, { readonly code: string; readonly detail: string }>;
  /** Last entry of each part of the check. */
  readonly checks: Map<string, number>;
}

function emptyExpected(): Expected {
  return { channels: new Map(), batches: new Map(), settings: new Map(), audits: new Map(), checks: new Map() };
}

function apply(expected: Expected, change: Change): void {
  switch (change.do) {
    case 'channel':
      expected.channels.set(change.id, change.name);
      break;
    case 'points':
      expected.batches.set(`${change.channelId} ${change.word}`, change.count);
      break;
    case 'remove':
      expected.batches.delete(`${change.channelId} ${change.word}`);
      break;
    case 'removeChannel':
      expected.channels.delete(change.channelId);
      for (const key of expected.batches.keys()) if (key.startsWith(`${change.channelId} `)) expected.batches.delete(key);
      break;
    case 'check':
      expected.checks.set(change.part, change.seq);
      break;
    case 'setting':
      expected.settings.set(change.name, change.value);
      break;
    case 'audit':
      expected.audits.set(change.id, { code: change.code, detail: '' });
      break;
    case 'close':
      expected.audits.set(change.id, { code: expected.audits.get(change.id)?.code ?? '', detail: change.detail });
      break;
  }
}

/** What the file holds, in the same form. */
function actual(store: ProjectStore): Expected {
  const found = emptyExpected();
  for (const channel of store.channels.list()) {
    found.channels.set(channel.id, channel.name);
    for (const point of store.points.iterate(channel.id)) {
      const key = `${channel.id} ${point.code.split('-')[0]}`;
      found.batches.set(key, (found.batches.get(key) ?? 0) + 1);
    }
  }
  expect(store.damagedChannels()).toEqual([]);
  for (const name of ['s0', 's1', 's2']) {
    const value = store.settings.read(name);
    if (typeof value === 'string') found.settings.set(name, value);
  }
  for (const entry of store.audit.list({ channelId: undefined, offset: 0, limit: 1_000_000 }).items) {
    expect(entry.outcome).toBe(entry.closed_at === null ? 'open' : 'accepted');
    found.audits.set(entry.id, { code: entry.code, detail: entry.detail });
  }
  for (const { id } of store.checks.list()) {
    for (const { part, seq } of store.checks.ends(id)) {
      found.checks.set(part, seq);
      const all = store.checks.entriesBehind(id, 0, 100_000).filter(({ entry }) => entry.part === part);
      expect(all.map(({ entry }) => entry.seq)).toEqual(Array.from({ length: seq }, (_, index) => index + 1));
    }
  }
  return found;
}

/** The change that was under way when the kill came may be there whole, with the id the store gave it, or not at all. */
function withPending(expected: Expected, pending: Change, found: Expected): Expected {
  const copy: Expected = structuredClone(expected);
  if (pending.do !== 'channel' && pending.do !== 'audit') apply(copy, pending);
  else apply(copy, { ...pending, id: Math.max(0, ...(pending.do === 'channel' ? found.channels : found.audits).keys()) });
  return copy;
}

/** Reads the lines of a process until it ends; `onDone` is told how many changes were confirmed so far. */
async function follow(child: ChildProcessByStdio<null, Readable, Readable>, expected: Expected, onDone: (count: number) => void) {
  let text = '';
  let pending: Change | null = null;
  let count = 0;
  for await (const part of child.stdout) {
    const lines = (text + String(part)).split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as { try: Change } | { done: Change };
      if ('try' in message) pending = message.try;
      else {
        apply(expected, message.done);
        pending = null;
        count += 1;
        onDone(count);
      }
    }
  }
  return { pending, count };
}

/** Rows of points in a closed file, whoever they belong to. */
function pointsIn(path: string): number {
  const db = new Database(path, { readonly: true });
  try {
    return Number(db.prepare('SELECT count(*) FROM points').pluck().get());
  } finally {
    db.close();
  }
}

/** Starts a process on the file and kills it; answers how many changes it had confirmed and the one that was under way. */
async function killOne(path: string, seed: number, expected: Expected) {
  const child = spawn(process.execPath, [SCRIPT, path, String(seed)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (part) => {
    complaint += String(part);
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  // The kill has to come at any moment, also while the file is made or opened.
  if (seed % 5 === 0) void sleep((seed * 7919) % START_MS).then(kill);
  const changes = (seed * 31) % MOST_CHANGES;
  const result = await follow(child, expected, (count) => {
    if (count > changes) kill();
  });
  const [, signal] = await exited;
  expect({ seed, signal, complaint }).toEqual({ seed, signal: 'SIGKILL', complaint: '' });
  return result;
}

describe('a kill of the process', () => {
  it(`loses no confirmed change and leaves no half one, ${KILLS} times`, { timeout: 60_000 + KILLS * 3000 }, () =>
    inFolder(async (folder) => {
      const firstSeed = 1 + Math.floor(Math.random() * 1_000_000);
      let confirmed = 0;
      let interrupted = 0;
      const lane = async (number: number) => {
        let expected = emptyExpected();
        for (let kill = 0; kill < KILLS / LANES; kill++) {
          if (kill % KILLS_A_FILE === 0) expected = emptyExpected();
          const seed = firstSeed + kill * LANES + number;
          const path = `${folder}/lane${number}-${Math.floor(kill / KILLS_A_FILE)}.loopcheck`;
          const { pending, count } = await killOne(path, seed, expected);
          confirmed += count;
          if (!existsSync(path)) {
            expect({ seed, count, pending }).toEqual({ seed, count: 0, pending: null });
            continue;
          }
          const store = openTestProject(path, false);
          const found = actual(store);
          await store.swept();
          const left = store.channels.list().reduce((sum, { id }) => sum + store.points.count(id), 0);
          store.close();
          expect({ seed, points: pointsIn(path) }).toEqual({ seed, points: left });
          const isThere = pending !== null && !sameContent(found, expected);
          if (isThere) expected = withPending(expected, pending, found);
          if (pending) interrupted += 1;
          expect({ seed, ...found }).toEqual({ seed, ...expected });
        }
      };
      await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
      console.log(`first seed ${firstSeed}: ${KILLS} kills, ${confirmed} confirmed changes, ${interrupted} kills within a change`);
      expect(confirmed).toBeGreaterThan(KILLS);
    }),
  );
});

function sameContent(a: Expected, b: Expected): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function plain(content: Expected): unknown {
  return Object.values(content).map((map: Map<unknown, unknown>) => [...map].sort());
}
