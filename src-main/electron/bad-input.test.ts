/** The table of bad input in docs/guide/troubleshooting.md: its words are those of the program, in both languages, and none of them is stale. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { toAppError } from '#shared/domain/errors.ts';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
import { startCore } from '../app/testing/running-core.ts';
import { chinese } from '../drivers/testing/explained.ts';
import { toStoreError } from '../persistence/store-error.ts';
import { serialOpenError } from '../transport/serial-errors.ts';
import { setupGivenFiles } from './given-files.ts';
import { textsFor } from './texts.ts';

vi.mock('electron', () => import('./testing/electron-stand-in.ts'));

const PAGES = {
  en: { page: 'troubleshooting.md', section: '## What it says of bad input' },
  zh: { page: 'troubleshooting.zh.md', section: '## 对错误输入的提示' },
} as const;
type Language = keyof typeof PAGES;

let dir = '';
/** What the program said of each thing that was done. */
const said: { readonly what: string; readonly en: string; readonly zh: string }[] = [];

async function refusal(work: () => Promise<unknown>): Promise<Message> {
  const thrown = await work().then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown === null) throw new Error('It was not refused.');
  return toAppError(thrown).said;
}

const keep = (what: string, message: Message) => said.push({ what, en: english(message), zh: chinese(message) });
const open = (projectPath: string) => refusal(() => startCore({ dataDir: join(dir, 'data'), projectPath }));
const errorOf = (code: string) => Object.assign(new Error(code), { code });

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loopcheck bad 输入-'));
  const file = (name: string) => join(dir, `${name}.loopcheck`);
  const running = await startCore({ dataDir: join(dir, 'data'), projectPath: file('plant') });
  keep('opened twice', await open(file('plant')));
  const port = Number(new URL(running.url).port);
  keep('port of the service', await refusal(() => startCore({ dataDir: join(dir, 'other'), port })));
  await running.close();

  const whole = readFileSync(file('plant'));
  writeFileSync(file('future'), whole);
  const database = new Database(file('future'));
  database.pragma('user_version = 999');
  database.close();
  keep('future', await open(file('future')));
  writeFileSync(file('trigger'), whole);
  const tampered = new Database(file('trigger'));
  tampered.exec('CREATE TRIGGER odd AFTER INSERT ON audit BEGIN SELECT 1; END');
  tampered.close();
  keep('trigger', await open(file('trigger')));
  writeFileSync(file('half'), whole);
  truncateSync(file('half'), Math.floor(whole.length / 2));
  keep('half', await open(file('half')));
  writeFileSync(file('other'), randomBytes(500));
  keep('other', await open(file('other')));
  writeFileSync(file('empty'), '');
  keep('empty', await open(file('empty')));
  keep('data folder', await refusal(() => startCore({ dataDir: join(file('empty'), 'data'), projectPath: file('plant') })));
  keep('read-only folder', toStoreError(file('plant'), errorOf('EACCES')).said);
  keep('full disk', toStoreError(file('plant'), errorOf('SQLITE_FULL')).said);
  keep('path of Windows', toStoreError(file('plant'), errorOf('SQLITE_CANTOPEN')).said);
  keep('long name', toStoreError(file('plant'), errorOf('ENAMETOOLONG')).said);
  keep('COM port', serialOpenError(new Error('Opening COM3: Access denied'), 'COM3', []).said);

  const given = setupGivenFiles({ contents: () => null, devServer: null });
  keep('given file', await refusal(() => given.give(join(dir, 'gone.scd'))));
  const [en, zh] = [textsFor(['en']), textsFor(['zh-CN'])];
  for (const name of ['openGiven', 'openGivenDetail'] as const) said.push({ what: name, en: en[name], zh: zh[name] });
  await takenChannelPort();
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function takenChannelPort(): Promise<void> {
  const taken = createServer();
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
  const address = taken.address();
  const core = await startCore({ dataDir: join(dir, 'third'), projectPath: join(dir, 'third.loopcheck') });
  const served = { name: 'S', protocol_type: 1, conn_type: 1, port: typeof address === 'object' ? address?.port : 0 } as const;
  const { data } = await core.api.call('addChannel', served);
  keep('port of a channel', await refusal(() => core.api.call('startDevice', { channel_id: data.id })));
  await core.close();
  await new Promise((done) => taken.close(done));
}

/** The sentences of the middle column, as patterns: `…` is anything. */
function patterns(language: Language): RegExp[] {
  const { page, section } = PAGES[language];
  const text = readFileSync(join(import.meta.dirname, '../../docs/guide', page), 'utf8');
  const [, behind = ''] = text.split(`${section}\n`);
  const rows = (behind.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  const sentences = rows.flatMap((row) => [...(row.split(' | ')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, words]) => words ?? ''));
  return sentences.map((words) => {
    const parts = words.split('…').map((part) => part.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('\\s*.+?\\s*')}$`, 'su');
  });
}

it.each(['en', 'zh'] as const)('has what the program says: %s', (language) => {
  const known = patterns(language);
  expect(said.filter((each) => !known.some((pattern) => pattern.test(each[language])))).toEqual([]);
  expect(known.filter((pattern) => !said.some((each) => pattern.test(each[language])))).toEqual([]);
  expect(known).toHaveLength(said.length);
});

it.runIf(process.platform === 'linux')('says of a name that is too long what is wrong with it', async () => {
  expect(english(await open(join(dir, `${'a'.repeat(300)}.loopcheck`)))).toContain('its name is longer than the drive takes');
  // the draft of a new file has a few more characters
  expect(english(await open(join(dir, `${'a'.repeat(240)}.loopcheck`)))).toContain('its name is longer than the drive takes');
});

it('opens a project in a long path with blanks and Chinese characters', async () => {
  const folder = join(dir, '110 kV 站', 'b'.repeat(120), process.platform === 'win32' ? '' : 'c'.repeat(120));
  mkdirSync(folder, { recursive: true });
  const core = await startCore({ dataDir: join(dir, 'long'), projectPath: join(folder, '进线 1.loopcheck') });
  await core.close();
});

it.runIf(process.platform !== 'win32' && process.getuid?.() !== 0)(
  'says of a folder that can only be read that permission is missing',
  async () => {
    const folder = join(dir, 'locked');
    mkdirSync(folder, { mode: 0o555 });
    expect(english(await open(join(folder, 'a.loopcheck')))).toContain('permission is missing');
  },
);
