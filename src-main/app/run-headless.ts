import { resolve } from 'node:path';
import { AppError } from '#shared/domain/errors.ts';
import { collectAtRest } from '../platform/heap-at-rest.ts';
import { defaultDataDir } from '../platform/paths.ts';
import { systemClock } from '../platform/system-clock.ts';
import { VERSION } from '../platform/version.ts';
import { letYoungGrow } from '../platform/young-generation.ts';
import { CommandLineEnd, parseCommandLine } from './command-line.ts';
import type { RunningService, StartOptions } from './start-service.ts';

const SIGNALS: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
];

/** A start is behind us after so long. A page that opens in that time, and a script at work, use more processor time than that. */
const REST_AFTER_MS = 1500;
const BUSY_MS = 50;

/** Folders that the build made: the pages, what shows records, and the demo (see `StartOptions`). */
export type BuiltDirs = Pick<StartOptions, 'viewDir' | 'demoDir'> & { readonly pagesDir: string };

/**
 * Runs the service with the arguments behind the program name until a signal or a request ends it; `verify FILE` and the commands of `cli` run none of their own accord. Answers the exit
 * code: 0 after an orderly end, 1 when it could not start or broke; of a command one of `EXIT`.
 *
 * @param prepare called with the data folder of a service when its arguments are right, before the service is loaded
 */
export async function runHeadless(
  dirs: BuiltDirs,
  args: readonly string[] = process.argv.slice(2),
  prepare: (dataDir: string) => void = () => {},
): Promise<number> {
  // The reader of our output may go away; the service stays.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const signal = Promise.withResolvers<'signal'>();
  const output = { out: (text: string) => void process.stdout.write(text), err: (text: string) => void process.stderr.write(text) };
  // What a call does not need is not loaded: a wrong option is told at once.
  if (args[0] === 'verify') {
    const { verifyCommand } = await import('./verify-command.ts');
    return verifyCommand(args.slice(1), output, { dir: dirs.viewDir, program: VERSION });
  }
  if (args[0] !== undefined && !args[0].startsWith('-')) return runCommand(args[0], args.slice(1), dirs);
  let signals = 0;
  let running: RunningService | null = null;
  const onSignal = () => {
    signals += 1;
    signal.resolve('signal');
    if (signals > 2 || (signals > 1 && !running)) process.exit(1);
    if (signals > 1) void running?.endThreads().finally(() => process.exit(1));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    const service = await start(dirs, args, prepare);
    running = service;
    letYoungGrow();
    console.log(`Loopcheck is listening on ${service.url}`);
    if (service.fingerprint) console.log(`Fingerprint of its certificate (SHA-256): ${service.fingerprint}`);
    return await untilEnd(service, signal.promise);
  } catch (error) {
    if (error instanceof CommandLineEnd) return error.exitCode;
    console.error(messageOf(error));
    return 1;
  }
}

/** Runs one command, which has its own signals and its own end of a broken pipe. */
async function runCommand(name: string, args: readonly string[], built: BuiltDirs): Promise<number> {
  letYoungGrow();
  const { COMMAND_NAMES, isCommandName } = await import('./cli/commands.ts');
  const { processIo } = await import('./cli/io.ts');
  const { runCli, unknownCommand } = await import('./cli/run-cli.ts');
  const io = processIo();
  const code = isCommandName(name)
    ? await runCli(name, args, { io, clock: systemClock, built })
    : await unknownCommand(name, [...COMMAND_NAMES, 'verify'], io);
  await io.flush();
  return code;
}

async function start(dirs: BuiltDirs, args: readonly string[], prepare: (dataDir: string) => void): Promise<RunningService> {
  const options = parseCommandLine(args, process.env, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
  // the plant is work already
  if (options.demo) letYoungGrow();
  const devServer = process.env.ELECTRON_RENDERER_URL;
  const dataDir = resolve(options.data ?? defaultDataDir());
  prepare(dataDir);
  const { startService } = await import('./start-service.ts');
  return startService({
    host: options.host,
    port: options.port,
    dataDir,
    project: options.project,
    demo: options.demo,
    token: options.token,
    readOnly: options.readOnly,
    tls: options.tls,
    ...dirs,
    extraOrigins: devServer ? [new URL(devServer).origin] : [],
  });
}

/** Gives back what the start left behind, unless there is something to do already: a line that is open, or somebody who asks. Answers what calls it off. */
function restSoon({ core }: RunningService): () => void {
  const atStart = process.cpuUsage();
  return systemClock.after(REST_AFTER_MS, async () => {
    const { user, system } = process.cpuUsage(atStart);
    if ((user + system) / 1000 > BUSY_MS) return;
    const channels = await core.api.call('listChannels', {}).catch(() => null);
    if (channels?.data.every(({ status }) => status === 'stopped')) collectAtRest();
  });
}

async function untilEnd(service: RunningService, signal: Promise<'signal'>): Promise<0 | 1> {
  const broken = Promise.withResolvers<'broken'>();
  const onFault = (error: unknown) => {
    service.logger.error({ err: error }, 'fault outside of any request');
    console.error(`Loopcheck stops after an internal fault: ${messageOf(error)}`);
    broken.resolve('broken');
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  const stay = restSoon(service);
  const end = await Promise.race([signal, broken.promise, service.core.stopRequested.then(() => 'asked' as const)]);
  stay();
  await service.close();
  return end === 'broken' ? 1 : 0;
}

/** What a person sees of an error: our own sentences as they are, others with a word of what happened. */
function messageOf(error: unknown): string {
  if (error instanceof AppError && error.code !== 'INTERNAL') return error.message;
  return `Loopcheck cannot go on: ${error instanceof Error ? error.message : String(error)}`;
}
