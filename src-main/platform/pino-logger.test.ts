import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createFileLogger } from './pino-logger.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-log-'));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('writes JSON lines, with the stack of an error and without any secret', async () => {
  const logger = createFileLogger(join(dir, 'logs'), ['to"ken']);
  logger.info({ url: 'http://x/?token=to"ken', nested: { to: 'to"ken' } }, 'with to"ken');
  logger.error({ err: new Error('broken') }, 'failed');
  logger.debug({}, 'not written');
  await logger.close();
  const text = readdirSync(join(dir, 'logs'))
    .map((file) => readFileSync(join(dir, 'logs', file), 'utf8'))
    .join('');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ level: 30, msg: 'with ***', nested: { to: '***' }, time: expect.stringMatching(/Z$/) });
  expect(lines[1]).toMatchObject({ level: 50, err: { message: 'broken', stack: expect.stringContaining('pino-logger.test') } });
});
