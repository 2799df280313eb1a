import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { toRequest } from '#shared/client/client.ts';
import { requestText, type WrittenRequest } from '#shared/client/request-text.ts';
import type { InputOf, OperationName } from '#shared/contract/index.ts';
import { type RunningCore, startCore } from './testing/running-core.ts';

const run = promisify(execFile);
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const FORMS = [
  {
    form: 'curl',
    there: process.platform !== 'win32' && has('curl', '--version'),
    ask: (text: string, cwd: string) => run('sh', ['-c', text], asked(cwd)),
  },
  { form: 'python', there: has('python3', '--version'), ask: (text: string, cwd: string) => run('python3', ['-c', text], asked(cwd)) },
] as const;
const TOKEN = 'token-of-the-test-0123456789';
const asked = (cwd: string) => ({ cwd, env: { ...process.env, LOOPCHECK_TOKEN: TOKEN, PYTHONIOENCODING: 'utf-8' } });

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

async function aCore(): Promise<RunningCore & { readonly cwd: string }> {
  const running = await startCore({ token: TOKEN });
  const cwd = mkdtempSync(join(tmpdir(), 'loopcheck-asked-'));
  closings.push(
    () => running.close(),
    () => rmSync(cwd, { recursive: true, force: true }),
  );
  return { ...running, cwd };
}

function writtenAs<Name extends OperationName>(
  origin: string,
  name: Name,
  input: InputOf<Name>,
  more: Partial<WrittenRequest> = {},
): WrittenRequest {
  return { ...toRequest(name, input), origin, isDownload: false, ...more };
}

/** A text that every shell and language reads something into, where it can. */
const HOSTILE = `O'Brien "x" \\ $HOME \`id\` $(id) %PATH% !! {a,b} ;|&<> 电表 🔌 \\n #`;

describe.each(FORMS)('a request written for $form', ({ form, there, ask }) => {
  it.skipIf(!there)('does the same from there: texts arrive as they are', async () => {
    const { url, core, cwd } = await aCore();
    const input = { name: HOSTILE, protocol_type: 1, conn_type: 2, note: 'two\nlines\t"' } as const;
    await ask(requestText(form, writtenAs(url, 'addChannel', input)), cwd);
    const [channel] = (await core.api.call('listChannels', {})).data;
    expect([channel?.name, channel?.note]).toEqual([HOSTILE, input.note]);
  });

  it.skipIf(!there)('asks with what stands in the address, and prints the answer', async () => {
    const { url, core, cwd } = await aCore();
    await core.api.call('addChannel', { name: '电表 1', protocol_type: 1, conn_type: 2 });
    const { stdout } = await ask(
      requestText(form, writtenAs(url, 'pointTable', { channel_id: 1, page: 1, page_size: 5, search: "a'b&c=d" })),
      cwd,
    );
    expect(stdout).toContain('"total"');
    const listed = await ask(requestText(form, writtenAs(url, 'listChannels', {})), cwd);
    expect(listed.stdout).toContain('电表 1');
  });

  it.skipIf(!there)('sends a file with the fields beside it', async () => {
    const { url, core, cwd } = await aCore();
    await core.api.call('addChannel', { name: 'S', protocol_type: 1, conn_type: 1, port: 1502 });
    const fileName = `点表 "a' b.csv`;
    writeFileSync(join(cwd, fileName), '测点类型,测点编码,寄存器地址\n遥测,Z,9\n');
    const request = toRequest('importPoints', { channel_id: 1, mode: 'merge' } as InputOf<'importPoints'>);
    await ask(requestText(form, { ...request, origin: url, fileName, isDownload: false }), cwd);
    const { items } = (await core.api.call('pointTable', { channel_id: 1, page: 1, page_size: 5 })).data;
    expect(items.map(({ code }) => code)).toEqual(['Z']);
  });

  it.skipIf(!there)('saves a file that comes back', async () => {
    const { url, core, cwd } = await aCore();
    await core.api.call('addChannel', { name: 'S', protocol_type: 1, conn_type: 2 });
    const request = writtenAs(url, 'framesFile', { channel_id: 1, format: 'csv' }, { isDownload: true });
    await ask(requestText(form, request), cwd);
    const file = form === 'python' ? 'answer.bin' : 'S-frames.csv';
    expect(readFileSync(join(cwd, file), 'utf8')).toContain('Number,Time (UTC)');
  });

  it('has no token in it, and says in front what it does', () => {
    const text = requestText(form, {
      method: 'POST',
      url: '/api/x',
      body: {},
      origin: 'http://h',
      isDownload: false,
      remark: 'Operates the\ndevice.',
    });
    expect(text).toMatch(/^# Operates the device\.\n/);
    expect(text).toContain('LOOPCHECK_TOKEN');
    expect(text).not.toContain(TOKEN);
  });
});

it('a request for PowerShell: quotes doubled for it, and escaped for the program', () => {
  const request: WrittenRequest = {
    method: 'PUT',
    url: '/api/x?a=1',
    body: { name: `O'Brien "x" \\` },
    origin: 'http://h:1',
    isDownload: true,
  };
  expect(requestText('powershell', request)).toBe(
    [
      "curl.exe -sS -X PUT 'http://h:1/api/x?a=1' `",
      '  -H "Authorization: Bearer $env:LOOPCHECK_TOKEN" `',
      "  -H 'Content-Type: application/json' `",
      `  --data-raw '{\\"name\\":\\"O''Brien \\\\\\"x\\\\\\" \\\\\\\\\\"}' \``,
      '  -OJ\n',
    ].join('\n'),
  );
});
