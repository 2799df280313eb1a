/**
 * The process that kill.test.ts kills: opens the project `<path>` and makes changes for ever. Prints what it is going to change as a
 * JSON line `{"try": …}`, and `{"done": …}` once the store confirmed it. `<seed>` names the run.
 */

import { writeSync } from 'node:fs';
import { quoted } from '#shared/messages/index.ts';
import { openProject } from './index.ts';
import { testAudit, testChannel, testPoint } from './test-project.ts';

/** One change; ids are 0 while it is only tried. */
export type Change =
  | { readonly do: 'channel'; readonly id: number; readonly name: string }
  | { readonly do: 'points'; readonly channelId: number; readonly word: string; readonly count: number }
  | { readonly do: 'remove'; readonly channelId: number; readonly word: string }
  | { readonly do: 'removeChannel'; readonly channelId: number }
  | { readonly do: 'setting'; readonly name: string; readonly value: string }
  | { readonly do: 'audit'; readonly id: number; readonly code: string }
  | { readonly do: 'close'; readonly id: number; readonly detail: string }
  /** An entry of the check; the first of a process begins its part. */
  | { readonly do: 'check'; readonly part: string; readonly seq: number };

const [path = '', seed = '1'] = process.argv.slice(2);
const store = openProject(path, { create: true, holder: 'Loopcheck kill test', wallMs: () => Date.UTC(2026, 3, 4) });
const channelIds = store.channels.list().map((channel) => channel.id);
const AT = '2026-04-04T05:06:08.000Z';
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
let state = Number(seed) >>> 0;

/** A whole number below `bound` by xorshift, so that a seed names a run. */
function random(bound: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state % bound;
}

/** The line has to be out before the next change begins, so it is written without a buffer. */
function confirmed<Result>(change: Change, run: () => Result, settle: (result: Result) => Change = () => change): Result {
  writeSync(1, `${JSON.stringify({ try: change })}\n`);
  const result = run();
  writeSync(1, `${JSON.stringify({ done: settle(result) })}\n`);
  return result;
}

function addChannel(name: string): void {
  const { id } = confirmed(
    { do: 'channel', id: 0, name },
    () => store.channels.add(testChannel(name)),
    (added) => ({ do: 'channel', id: added.id, name }),
  );
  channelIds.push(id);
}

function changePoints(channelId: number, word: string): void {
  const codes = Array.from({ length: 2 + random(60) }, (_, index) => `${word}-${index}`);
  const added = confirmed({ do: 'points', channelId, word, count: codes.length }, () => store.points.add(channelId, codes.map(testPoint)));
  if (random(4) > 0) return;
  const ids = added.map((point) => point.id);
  confirmed({ do: 'remove', channelId, word }, () => store.points.remove(channelId, ids));
}

/** A change so large that it is written beside the table; it is carried over while later changes are made. */
async function loadPoints(channelId: number, word: string): Promise<void> {
  const codes = Array.from({ length: 501 + random(2000) }, (_, index) => `${word}-${index}`);
  const load = await store.points.prepare(channelId, { removed: [], changed: [], added: codes.map(testPoint) }, nextTurn);
  if (random(4) === 0) load.discard();
  else confirmed({ do: 'points', channelId, word, count: codes.length }, () => load.confirm());
}

/** Its rows go while later changes are made. */
function removeChannel(channelId: number): void {
  confirmed({ do: 'removeChannel', channelId }, () => store.channels.remove(channelId, nextTurn));
  channelIds.splice(channelIds.indexOf(channelId), 1);
}

function writeAudit(channelId: number, word: string): void {
  const id = confirmed(
    { do: 'audit', id: 0, code: word },
    () => store.audit.open(testAudit(word, channelId)),
    (opened) => ({ do: 'audit', id: opened, code: word }),
  );
  confirmed({ do: 'close', id, detail: word }, () => store.audit.close(id, 'accepted', quoted(word), '2026-04-04T05:06:08.000Z'));
}

let entries = 0;

function checkPoint(): void {
  const check = store.checks.list()[0] ?? store.checks.add({ uuid: 'check', name: 'Check', createdAt: AT, cover: {} });
  const head = { id: `part ${seed}`, session: check.uuid, parents: [], computer: '', program: '', started_at: AT, not_before: '' };
  entries += 1;
  const entry = {
    part: head.id,
    seq: entries,
    orderAt: AT,
    item: 'item',
    verdict: 'passed',
    mapping: '{}',
    body: '{}',
    digest: `${entries}`,
  } as const;
  const change = { do: 'check', part: head.id, seq: entries } as const;
  confirmed(change, () => store.checks.append(check.id, [entry], entries === 1 ? [{ head, digest: '' }] : []));
}

for (let round = 0; ; round++) {
  // carrying over and sweeping go on between the changes
  await nextTurn();
  const word = `${seed}.${round}`;
  const channelId = channelIds[random(channelIds.length || 1)];
  const kind = random(14);
  if (channelId === undefined || kind === 0) addChannel(word);
  else if (kind === 10) await loadPoints(channelId, word);
  else if (kind === 11 && channelIds.length > 2) removeChannel(channelId);
  else if (kind >= 12) checkPoint();
  else if (kind < 6) changePoints(channelId, word);
  else if (kind < 8) {
    const name = `s${random(3)}`;
    confirmed({ do: 'setting', name, value: word }, () => store.settings.write(name, word));
  } else writeAudit(channelId, word);
}
