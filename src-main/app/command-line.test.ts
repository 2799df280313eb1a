import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CommandLineEnd, parseCommandLine } from './command-line.ts';

function parse(args: readonly string[], env: Record<string, string> = {}) {
  const errors: string[] = [];
  const output = { out: () => undefined, err: (text: string) => void errors.push(text) };
  try {
    return parseCommandLine(args, env, output);
  } catch (error) {
    if (error instanceof CommandLineEnd) return { exitCode: error.exitCode, said: errors.join('') };
    throw error;
  }
}

describe('the command line', () => {
  it('has the defaults of the decisions', () => {
    expect(parse([])).toEqual({
      host: '127.0.0.1',
      port: null,
      data: null,
      demo: false,
      token: null,
      readOnly: false,
      project: null,
      tls: null,
    });
  });

  it('takes HTTPS with a certificate of its own, or with one that comes with its key', () => {
    expect(parse(['--tls'])).toMatchObject({ tls: { given: null } });
    const given = { certFile: 'c.pem', keyFile: 'k.pem' };
    expect(parse(['--tls-cert', 'c.pem', '--tls-key', 'k.pem'])).toMatchObject({ tls: { given } });
    for (const half of [
      ['--tls-cert', 'c.pem'],
      ['--tls', '--tls-key', 'k.pem'],
    ]) {
      expect(parse(half)).toMatchObject({ exitCode: 1, said: expect.stringContaining('name both') });
    }
  });

  it('takes the token of the option before that of the environment; an empty variable is none', () => {
    expect(parse(['--token', 'a'], { LOOPCHECK_TOKEN: 'b' })).toMatchObject({ token: 'a' });
    expect(parse([], { LOOPCHECK_TOKEN: 'b' })).toMatchObject({ token: 'b' });
    expect(parse([], { LOOPCHECK_TOKEN: '' })).toMatchObject({ token: null });
  });

  it('takes the token of a file, blanks and line breaks around it left out', () => {
    const dir = mkdtempSync(join(tmpdir(), 'loopcheck-token-'));
    const file = join(dir, 'token');
    writeFileSync(file, ' from-file\r\n');
    expect(parse(['--token-file', file], { LOOPCHECK_TOKEN: 'b' })).toMatchObject({ token: 'from-file' });
    expect(parse(['--token', 'a', '--token-file', file])).toMatchObject({ token: 'a' });
    writeFileSync(file, 'two words');
    expect(parse(['--token-file', file])).toEqual({ exitCode: 1, said: expect.not.stringContaining('two words') });
    rmSync(dir, { recursive: true });
    expect(parse(['--token-file', file])).toEqual({ exitCode: 1, said: expect.stringMatching(/--token-file cannot be read/) });
  });

  it.each(['', ' ', 'a b', ' a', '密码', 'line\nbreak'])('refuses the token %j, which no header can carry', (token) => {
    const refusal = { exitCode: 1, said: expect.stringMatching(/letters, digits and signs/) };
    expect(parse(['--token', token])).toMatchObject(refusal);
    if (token !== '') expect(parse([], { LOOPCHECK_TOKEN: token })).toMatchObject(refusal);
  });

  it.each(['--host', '--data', '--project', '--token-file', '--tls-cert', '--tls-key'])(
    'takes neither nothing nor an option for %s',
    (name) => {
      for (const given of [[`${name}=`], [name, ' ']]) {
        expect(parse(given)).toMatchObject({ exitCode: 1, said: expect.stringMatching(/must not be empty/) });
      }
      expect(parse([name, '--demo'])).toMatchObject({ exitCode: 1, said: expect.stringContaining('put ./ before it') });
    },
  );

  it('takes a folder whose name begins with a dash, as a path', () => {
    expect(parse(['--data', './--demo'])).toMatchObject({ data: './--demo', demo: false });
  });

  it.each([['--port', '65536'], ['--port', '1.5'], ['--port', 'x'], ['--prot', '1'], ['extra']])('refuses %s %s', (...args) => {
    expect(parse(args)).toMatchObject({ exitCode: 1 });
  });
});
