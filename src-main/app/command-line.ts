import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { VERSION } from '../platform/version.ts';
import type { GivenCertificate } from './service-certificate.ts';

/** Options of the headless service as they were written. */
export interface CommandLine {
  readonly host: string;
  /** Null: the stored one, else the usual one. */
  readonly port: number | null;
  /** Data folder; null is the one of the user. */
  readonly data: string | null;
  readonly demo: boolean;
  readonly token: string | null;
  readonly readOnly: boolean;
  /** Null: HTTP. `given` null: HTTPS with the certificate of the data folder. */
  readonly tls: { readonly given: GivenCertificate | null } | null;
  readonly project: string | null;
}

/** The command line asked for no service: help or version was printed (0), or it was wrong (1) and the reason was printed. */
export class CommandLineEnd extends Error {
  readonly exitCode: 0 | 1;

  constructor(exitCode: 0 | 1) {
    super('The command line asks for no service.');
    this.exitCode = exitCode;
  }
}

export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_PORT = 8991;

const COMMANDS_HELP = `
Commands instead of options (each with --help):
  read, write, watch   points by their codes
  scan                 serial ports, who answers on a line, what registers hold
  export, import       point tables as xlsx or csv
  check                run a check session unattended
  verify <file>        whether the record of a check is as it was written
`;

interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Parses the arguments behind the program name. Unknown options are refused with what was probably meant. Throws `CommandLineEnd`. */
export function parseCommandLine(args: readonly string[], env: Readonly<Record<string, string | undefined>>, output: Output): CommandLine {
  const command = new Command('loopcheck')
    .description('Loopcheck without a window: the pages for a browser and the same /api for scripts.')
    .option('--host <address>', 'address to bind; any other than loopback needs a token', parseName, DEFAULT_HOST)
    .option('--port <number>', `TCP port; 0 takes a free one (default: as set, else ${DEFAULT_PORT})`, parsePort)
    .option('--data <folder>', 'data folder: logs, service.json, default project', parseName)
    .option('--project <file>', 'project file to open; made when missing', parseName)
    .option('--demo', 'restore and run a simulated plant, in a project of its own', false)
    .option('--token <text>', 'bearer token that /api asks for; better by --token-file or LOOPCHECK_TOKEN', parseToken)
    .option('--token-file <file>', 'file that holds the token, so that no list of processes shows it', parseName)
    .option('--tls', 'HTTPS, with a certificate that is made at the first start; compare its fingerprint', false)
    .option('--tls-cert <file>', 'HTTPS with this certificate (PEM)', parseName)
    .option('--tls-key <file>', 'its key (PEM, without a passphrase)', parseName)
    .option('--read-only', 'refuse every write to a device', false)
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .addHelpText('after', COMMANDS_HELP)
    .allowExcessArguments(false)
    .showHelpAfterError('Run with --help to see all options.')
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) })
    .exitOverride();
  try {
    command.parse([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw new CommandLineEnd(error.exitCode === 0 ? 0 : 1);
    throw error;
  }
  const options = command.opts<{
    host: string;
    port?: number;
    data?: string;
    project?: string;
    demo: boolean;
    token?: string;
    tokenFile?: string;
    readOnly: boolean;
    tls: boolean;
    tlsCert?: string;
    tlsKey?: string;
  }>();
  return {
    host: options.host,
    port: options.port ?? null,
    data: options.data ?? null,
    demo: options.demo,
    token: options.token ?? tokenOfFile(options.tokenFile, output) ?? tokenOf(env, output),
    readOnly: options.readOnly,
    tls: tlsOf(options, output),
    project: options.project ?? null,
  };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return port;
}

/** A forgotten value takes the next option for it, and an empty variable of a script would mean the folder that one is in. */
function parseName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  if (text.startsWith('-')) throw new InvalidArgumentError('It looks like an option; for a file or folder of that name put ./ before it.');
  return text;
}

const TOKEN_RULE = 'It must be made of letters, digits and signs of ASCII, without spaces: a header carries it.';

/** True for a token that a header can carry. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function parseToken(text: string): string {
  if (!isToken(text)) throw new InvalidArgumentError(TOKEN_RULE);
  return text;
}

/** What HTTPS is asked for; certificate and key come together. */
function tlsOf(
  options: { readonly tls: boolean; readonly tlsCert?: string; readonly tlsKey?: string },
  output: Output,
): CommandLine['tls'] {
  const { tls, tlsCert: certFile, tlsKey: keyFile } = options;
  if (certFile !== undefined && keyFile !== undefined) return { given: { certFile, keyFile } };
  if (certFile === undefined && keyFile === undefined) return tls ? { given: null } : null;
  output.err('error: --tls-cert and --tls-key belong together: name both.\n');
  throw new CommandLineEnd(1);
}

/** The token in a file, blanks and line breaks around it left out; null without a file. */
function tokenOfFile(path: string | undefined, output: Output): string | null {
  if (path === undefined) return null;
  let token: string;
  try {
    token = readFileSync(path, 'utf8').trim();
  } catch (thrown) {
    output.err(`error: --token-file cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    throw new CommandLineEnd(1);
  }
  if (isToken(token)) return token;
  output.err(`error: the file of --token-file holds no valid token. ${TOKEN_RULE}\n`);
  throw new CommandLineEnd(1);
}

/** The token of the environment; null without one. Its text is not repeated. */
function tokenOf(env: Readonly<Record<string, string | undefined>>, output: Output): string | null {
  const token = env.LOOPCHECK_TOKEN;
  if (!token) return null;
  if (isToken(token)) return token;
  output.err(`error: LOOPCHECK_TOKEN is invalid. ${TOKEN_RULE}\n`);
  throw new CommandLineEnd(1);
}
