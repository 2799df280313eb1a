import type { Channel } from '#shared/contract/channels.ts';
import type { Clock } from '../../platform/clock.ts';
import type { CliService } from './client.ts';
import { misuse } from './fault.ts';
import type { CliIo } from './io.ts';
import type { OptionReader } from './options.ts';
import { type Column, tableOf } from './table.ts';
import type { Speech } from './words.ts';

/** What a command works with. */
export interface CliContext {
  readonly command: string;
  readonly words: readonly string[];
  readonly options: OptionReader;
  readonly isJson: boolean;
  readonly io: CliIo;
  readonly speech: Speech;
  readonly clock: Clock;
  /** The service, found or started at the first call. Throws a `CliFault`. */
  service(): Promise<CliService>;
  /** Looks for the running service anew, for a command that outlives it. */
  serviceAgain(): Promise<CliService>;
}

/** Writes one JSON document. */
export async function writeJson({ io }: CliContext, document: unknown): Promise<void> {
  await io.out(`${JSON.stringify(document, null, 2)}\n`);
}

/** Writes a table, or the words for none. */
export async function writeTable<Row>(
  { io }: CliContext,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  none: string,
): Promise<void> {
  await io.out(rows.length === 0 ? `${none}\n` : tableOf(columns, rows));
}

/** Says something beside the output. */
export function note({ io, speech }: CliContext, text: string): void {
  io.err(`${speech.fill(speech.own.note, { text })}\n`);
}

const MOST_NAMES = 20;

/** Names for a person, the first of many. */
export function listed(names: readonly string[]): string {
  return names.length > MOST_NAMES ? `${names.slice(0, MOST_NAMES).join(', ')} …` : names.join(', ');
}

/** The channels of the project. */
export async function channelsOf(service: CliService, signal: AbortSignal): Promise<readonly Channel[]> {
  return (await service.api.call('listChannels', {}, signal)).data;
}

/** The channel with this name. Throws a `CliFault` that names those there are. */
export function deviceNamed(channels: readonly Channel[], name: string, { own, fill }: Speech): Channel {
  const found = channels.find((channel) => channel.name === name.trim());
  if (found) return found;
  if (channels.length === 0) throw misuse(fill(own.noDevices, { name }));
  throw misuse(fill(own.noDevice, { name, names: listed(channels.map((channel) => channel.name)) }));
}
