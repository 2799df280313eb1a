import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import type { MmsClient } from '../association/mms-client.ts';
import type { FileEntry, MmsRequest } from '../mms/pdu.ts';
import { listFiles, readFile, recordHeader } from './file-operations.ts';

const { signal } = new AbortController();

interface Script {
  readonly content?: string;
  /** Octets of one FileRead. */
  readonly part?: number;
  /** Begins with the first octet whatever is asked for. */
  readonly ignoresPosition?: boolean;
  readonly names?: readonly string[];
  /** Entries of one answer. */
  readonly page?: number;
  /** Says that more follows behind the last one, too. */
  readonly neverEnds?: boolean;
}

/** A device with one file, or a directory of many. */
function device({ content = '', part = 7, ignoresPosition = false, names = [], page = 3, neverEnds = false }: Script) {
  const asked: MmsRequest['service'][] = [];
  let at = 0;
  const octets = new TextEncoder().encode(content);
  const entry = (name: string): FileEntry => ({ name: [name], size: 10, modified: '20240301123456.789Z' });
  const request = async (request: MmsRequest) => {
    asked.push(request.service);
    switch (request.service) {
      case 'file-open':
        at = ignoresPosition ? 0 : request.position;
        return { service: 'file-open', handle: 1, attributes: { size: octets.length, modified: '' } };
      case 'file-read': {
        const from = at;
        at += part;
        return { service: 'file-read', octets: octets.subarray(from, at), moreFollows: at < octets.length };
      }
      case 'file-directory': {
        const after = request.continueAfter?.[0];
        const first = after === undefined ? 0 : names.indexOf(after) + 1;
        const entries = names.slice(first, first + page).map(entry);
        return { service: 'file-directory', entries, moreFollows: neverEnds || first + page < names.length };
      }
      default:
        return { service: request.service };
    }
  };
  return { asked, options: { client: { request } as unknown as Pick<MmsClient, 'request'>, timeoutMs: 1000 } };
}

describe('a directory of many files', () => {
  it('is listed page by page, with its records', async () => {
    const names = ['a.cfg', 'a.dat', ...Array.from({ length: 20 }, (_, at) => `x${at}`)];
    const { options, asked } = device({ names });
    const { detail, result } = await listFiles(options, { directory: '', after: '' }, signal);
    expect([english(detail), result.files.length, result.more, asked.length]).toEqual(['22 files, 1 disturbance records', 22, false, 8]);
    expect(result.files[0]).toEqual({ name: 'a.cfg', size: 10, modified: '2024-03-01T12:34:56.789Z' });
    const rest = await listFiles(options, { directory: '', after: 'x17' }, signal);
    expect(rest.result.files.map(({ name }) => name)).toEqual(['x18', 'x19']);
  });

  it('that never ends is cut, and says so', async () => {
    const names = Array.from({ length: 5000 }, (_, at) => `x${at}`);
    const { options } = device({ names, page: 100 });
    const { result } = await listFiles(options, { directory: '', after: '' }, signal);
    expect([result.files.length, result.more, result.files.at(-1)?.name]).toEqual([1000, true, 'x999']);
    const empty = device({ names: ['a'], neverEnds: true });
    expect((await listFiles(empty.options, { directory: '', after: '' }, signal)).result.files).toHaveLength(1);
  });
});

describe('a part of a file', () => {
  it('begins where it was asked to, and the file is closed', async () => {
    const { options, asked } = device({ content: 'abcdefghijklmnopqrstuvwxyz' });
    const { result } = await readFile(options, { name: 'f', position: 20, max_octets: 100 }, signal);
    expect([atob(result.base64), result.is_whole, result.size, asked.at(-1)]).toEqual(['uvwxyz', false, 26, 'file-close']);
  });

  it('of a device that begins anew each time is not taken for it', async () => {
    const { options, asked } = device({ content: 'abcdefghijklmnopqrstuvwxyz', ignoresPosition: true });
    await expect(readFile(options, { name: 'f', position: 20, max_octets: 100 }, signal)).rejects.toMatchObject({
      code: 'PROTOCOL_MISMATCH',
      message: expect.stringContaining('does not read f from octet 20 on'),
    });
    expect(asked.at(-1)).toBe('file-close');
  });
});

it('the header of a record is read and told in words', async () => {
  const lines = [
    'Station,Relay,1999',
    '1,1A,0D',
    '1,IA,A,,A,1,0',
    '50',
    '1',
    '1000,5',
    '01/03/2024,00:00:00',
    '01/03/2024,00:00:01',
    'ASCII',
  ];
  const { options } = device({ content: lines.join('\n'), part: 50 });
  const { detail, result } = await recordHeader(options, { name: 'r.cfg' }, signal);
  expect(english(detail)).toBe('Station, Relay: COMTRADE of 1999, 1 analogue and 0 digital channels');
  expect(result).toMatchObject({ trigger_time: '2024-03-01 00:00:01', samples: 5, rates: [{ rate_hz: 1000, last_sample: 5 }] });
});
