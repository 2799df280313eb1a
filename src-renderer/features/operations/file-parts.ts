import type { Channel } from '#shared/contract/channels.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { inWords } from '../../i18n/words.ts';
import { sendCommand } from '../write/send-command.ts';
import { resultFile } from './operation-model.ts';

/** Octets of one request; other readers of the line get their turn between two. */
const PART = 256 * 1024;
/** A file is put together in the page: a larger one is not begun. */
export const LARGEST_DOWNLOAD = 256 * 1024 * 1024;

/** Words for what ends a download, by the file. */
export interface DownloadWords {
  tooLarge(name: string): string;
  changed(name: string): string;
  short(name: string): string;
}

export interface DownloadOptions {
  readonly channel: Channel;
  readonly signal: AbortSignal;
  readonly words: DownloadWords;
  /** Octets so far, and those of the file. */
  onProgress(octets: number, size: number): void;
}

/** Reads a file of a device part by part. Throws what the service says, a refusal of the device in its words, and when the file changed meanwhile. */
export async function readWholeFile(
  name: string,
  { channel, signal, words, onProgress }: DownloadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let position = 0;
  let known: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const { octets, size, state } = await readPart(channel, name, position);
    if (size > LARGEST_DOWNLOAD) throw failed(words.tooLarge(name));
    known ??= state;
    if (known !== state) throw failed(words.changed(name));
    parts.push(octets);
    position += octets.length;
    onProgress(position, size);
    if (position > LARGEST_DOWNLOAD) throw failed(words.tooLarge(name));
    if (octets.length < PART) {
      if (position < size) throw failed(words.short(name));
      return joined(parts, position);
    }
    if (position === size) return joined(parts, position);
  }
}

async function readPart(channel: Channel, name: string, position: number) {
  const params = { name, position, max_octets: PART };
  const sent = await sendCommand('deviceOperation', channel, { channel_id: channel.id, operation: 'read_file', params }, 'repeatable');
  const report = sent?.data;
  const file = report?.outcome === 'accepted' ? resultFile(report.result) : null;
  if (!report || !file) {
    const stage = report?.stages.at(-1);
    throw failed(`${name}: ${stage ? inWords(stage.detail_message, stage.detail) : ''}`);
  }
  const { size, modified } = report.result;
  return { octets: file.bytes, size: Number(size), state: `${size} ${modified}` };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function failed(words: string): AppError {
  return new AppError('DEVICE_REJECTED', quoted(words));
}
