import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { RunningService, StartOptions } from '../start-service.ts';
import { type CliService, connectService } from './client.ts';
import { misuse } from './fault.ts';
import { dataDirOf } from './find-service.ts';
import type { OptionReader } from './options.ts';
import type { Speech } from './words.ts';

/**
 * Starts the service in this process for one command: on a free port of loopback, with a token that nobody else knows. `--project` opens a project
 * that is there; `--demo` restores the demo plant and runs it. Throws what a start throws.
 */
export async function startOwnService(
  options: OptionReader,
  built: Pick<StartOptions, 'viewDir' | 'demoDir'>,
  speech: Speech,
  signal: AbortSignal,
): Promise<CliService> {
  const project = options.text('project');
  if (project !== undefined && !existsSync(project)) throw misuse(speech.fill(speech.own.projectMissing, { file: project }));
  const { startService } = await import('../start-service.ts');
  const token = randomBytes(24).toString('base64url');
  const service: RunningService = await startService({
    ...built,
    pagesDir: null,
    host: '127.0.0.1',
    port: 0,
    token,
    dataDir: dataDirOf(options),
    project: project === undefined ? null : resolve(project),
    demo: options.has('demo'),
    readOnly: false,
    extraOrigins: [],
  });
  try {
    const connected = await connectService({ url: service.url, token, fingerprint: null }, speech, signal);
    return { ...connected, isOwn: true, isDemo: options.has('demo'), close: () => service.close() };
  } catch (thrown) {
    await service.close();
    throw thrown;
  }
}
