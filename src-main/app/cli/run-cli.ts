import { AppError, toAppError } from '#shared/domain/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { StartOptions } from '../start-service.ts';
import { type CliService, connectService } from './client.ts';
import { type CommandName, helpOf, loadCommand } from './commands.ts';
import type { CliContext } from './context.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';
import { CliFault, misuse, nextStep } from './fault.ts';
import { findService } from './find-service.ts';
import type { CliIo, Interruption } from './io.ts';
import { OptionReader, parseGiven } from './options.ts';
import { languageOf, loadSpeech, type Speech } from './words.ts';

/** What the command line is given beside its arguments. */
export interface CliPorts {
  readonly io: CliIo;
  readonly clock: Clock;
  /** Folders that the build made. */
  readonly built: Pick<StartOptions, 'viewDir' | 'demoDir'>;
}

/** Runs one command with the arguments behind its name. Answers the exit code; what went wrong was told on the standard error output. Never rejects. */
export async function runCli(name: CommandName, args: readonly string[], ports: CliPorts): Promise<ExitCode> {
  const { io } = ports;
  const speech = await loadSpeech(languageOf(languageIn(args), io.env, io.systemLanguage));
  const services: CliService[] = [];
  const code = await run(name, args, ports, speech, services).catch((thrown) => failed(thrown, io, speech));
  try {
    for (const service of services) await service.close();
    return code;
  } catch (thrown) {
    return failed(thrown, io, speech);
  }
}

async function run(name: CommandName, args: readonly string[], ports: CliPorts, speech: Speech, services: CliService[]): Promise<ExitCode> {
  const { io, clock } = ports;
  const command = await loadCommand(name);
  const given = parseGiven(name, args, command.options, speech);
  const options = new OptionReader(given, speech);
  options.word('language', ['zh', 'en']);
  if (options.has('help')) {
    await io.out(helpOf(name, command, speech));
    return EXIT.ok;
  }
  requireOnePlace(options, given.options);
  let service: Promise<CliService> | null = null;
  const context: CliContext = {
    command: name,
    words: given.words,
    options,
    isJson: options.has('json'),
    io,
    speech,
    clock,
    service() {
      service ??= open(options, ports, speech, services);
      return service;
    },
    serviceAgain: () => connectService(findService(options, io.env, speech), speech, io.signal),
  };
  return command.run(context);
}

/** A running service, or one of our own: not both, and one of each. */
function requireOnePlace(options: OptionReader, given: Readonly<Record<string, unknown>>): void {
  for (const own of ['project', 'demo']) {
    for (const other of ['url', 'token-file']) if (given[other] !== undefined) options.excluding(other, own);
  }
  options.excluding('project', 'demo');
}

async function open(options: OptionReader, { io, built }: CliPorts, speech: Speech, services: CliService[]): Promise<CliService> {
  const isOwn = options.has('demo') || options.text('project') !== undefined;
  if (!isOwn) return connectService(findService(options, io.env, speech), speech, io.signal);
  const { startOwnService } = await import('./own-service.ts');
  const service = await startOwnService(options, built, speech, io.signal);
  services.push(service);
  return service;
}

/** Tells what went wrong; answers the exit code. */
function failed(thrown: unknown, io: CliIo, speech: Speech): ExitCode {
  const { own, fill } = speech;
  if (io.signal.aborted && (isCancelled(thrown) || thrown === io.signal.reason)) return interrupted(io, speech);
  if (thrown instanceof CliFault) return tell(thrown);
  const error = toAppError(thrown);
  const isUnknown = error.code === 'INTERNAL' && !(thrown instanceof AppError);
  if (isUnknown) return tell(new CliFault(EXIT.fault, fill(own.internal, { detail: error.message })));
  return tell(new CliFault(exitCodeOf(error), speech.error(error), nextStep(error, speech)));

  function tell({ message, next, exitCode }: CliFault): ExitCode {
    io.err(`${fill(own.failure, { text: message })}\n`);
    if (next) io.err(`${fill(own.next, { text: next })}\n`);
    return exitCode;
  }
}

const isCancelled = (thrown: unknown) =>
  (thrown instanceof AppError && thrown.code === 'CANCELLED') || (thrown instanceof Error && thrown.name === 'AbortError');

function interrupted(io: CliIo, { own }: Speech): ExitCode {
  const why = io.signal.reason as Interruption;
  if (why === 'output_closed') return EXIT.ok;
  io.err(`${own.interrupted}\n`);
  return why === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
}

/** The language that is asked for, before anything is parsed: mistakes are told in it, too. */
function languageIn(args: readonly string[]): string | undefined {
  const at = args.findLastIndex((arg) => arg === '--language' || arg.startsWith('--language='));
  return at < 0 ? undefined : args[at] === '--language' ? args[at + 1] : args[at]?.slice('--language='.length);
}

/** Tells that there is no such command. */
export async function unknownCommand(word: string, commands: readonly string[], io: CliIo): Promise<ExitCode> {
  const speech = await loadSpeech(languageOf(undefined, io.env, io.systemLanguage));
  return failed(misuse(speech.fill(speech.own.unknownCommand, { word, commands: commands.join(', ') })), io, speech);
}
