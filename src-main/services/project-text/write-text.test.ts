import { describe, expect, it } from 'vitest';
import { AddChannelBody, type ChannelSettings } from '#shared/contract/channels.ts';
import type { NormalPoint } from '../../drivers/spi/index.ts';
import { testPoint } from '../../drivers/testing/points.ts';
import { withProtocolDefaults } from '../channel-settings.ts';
import { CHANNEL_KEYS, TextHead } from './form.ts';
import { projectText, type TextChannel } from './write-text.ts';

const settings = (name: string, protocol: Record<string, unknown> = {}): ChannelSettings =>
  withProtocolDefaults(AddChannelBody.parse({ name, protocol_type: 1, conn_type: 2, protocol }));
const points = (count: number): NormalPoint[] => Array.from({ length: count }, (_, at) => testPoint({ id: at + 1 }) as NormalPoint);
const channel = (name: string, count: number, protocol?: Record<string, unknown>): TextChannel => ({
  settings: settings(name, protocol),
  points: async () => points(count),
});

async function piecesOf(...given: Parameters<typeof projectText>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of projectText(...given)) pieces.push(piece);
  return pieces;
}
const linesOf = async (...given: Parameters<typeof projectText>) => (await piecesOf(...given)).join('').split('\n');

describe('the text form of a project', () => {
  it('without a channel is its head alone, and can be read', async () => {
    expect(await linesOf(null, [], [])).toEqual(['{', '  "format": "loopcheck-project",', '  "version": 1,', '  "channels": []', '}', '']);
  });

  it('has what there is to say in front of the channels, a line each', async () => {
    const device = { name: 'PCS', manufacturer: 'Li' } as never;
    const lines = await linesOf({ read_only: true, events_kept: 1000 }, [], ['a', '电'], device);
    expect(lines.slice(3, -3)).toEqual([
      '  "device": {"name":"PCS","manufacturer":"Li"},',
      '  "settings": {"read_only":true,"events_kept":1000},',
      '  "left_out": ["a","电"],',
    ]);
  });

  it('has a line for each setting of a channel and for each point', async () => {
    const lines = await linesOf(null, [channel('one', 2), channel('two', 0)], []);
    const heads = (name: string) => ['    {', ...CHANNEL_KEYS.map((key) => `      "${key}": ${JSON.stringify(settings(name)[key])},`)];
    const first = lines.findIndex((line) => line.startsWith('        {'));
    const point = JSON.parse(lines[first]?.replace(/,$/, '') ?? '');
    expect(point).toMatchObject({ code: 'P1', frame_type: 0, protocol: {} });
    expect(point).not.toHaveProperty('id');
    expect([...lines.slice(0, first), ...lines.slice(first + 2)]).toEqual([
      ...['{', '  "format": "loopcheck-project",', '  "version": 1,', '  "channels": ['],
      ...heads('one'),
      ...['      "points": [', '      ]', '    },'],
      ...heads('two'),
      ...['      "points": []', '    }', '  ]', '}', ''],
    ]);
    expect(lines.slice(first, first + 2).map((line) => line.endsWith(','))).toEqual([true, false]);
  });

  it('is one JSON in pieces of few points, in the order of the table', async () => {
    const pieces = await piecesOf(null, [channel('one', 501), channel('two', 250)], []);
    expect(pieces.map((piece) => piece.match(/"code"/g)?.length ?? 0).filter((count) => count > 0)).toEqual([250, 250, 1, 250]);
    const { channels } = JSON.parse(pieces.join('')) as { channels: { points: { code: string }[] }[] };
    expect(channels.map((each) => each.points.map(({ code }) => code))).toEqual(
      [501, 250].map((count) => points(count).map(({ code }) => code)),
    );
  });

  it('is the same whatever the order in which settings of a protocol were entered', async () => {
    const text = async (protocol: Record<string, unknown>) =>
      (
        await piecesOf(
          null,
          [{ settings: settings('one', protocol), points: async () => [{ ...points(1)[0], protocol } as NormalPoint] }],
          [],
        )
      ).join('');
    const one = await text({ b: [{ d: 1, c: null }], a: 'x' });
    expect(one).toBe(await text({ a: 'x', b: [{ c: null, d: 1 }] }));
    expect(one.match(/\{"a":"x","b":\[\{"c":null,"d":1\}\]\}/g)).toHaveLength(2);
    expect(one, 'the order of a list means something').not.toBe(await text({ a: 'x', b: [] }));
  });

  it('asks for the points of a channel when it has come to it', async () => {
    const asked: string[] = [];
    const told = (name: string): TextChannel => ({
      settings: settings(name),
      async points() {
        asked.push(name);
        return [];
      },
    });
    const text = projectText(null, [told('one'), told('two')], []);
    for (let step = 0; step < 3; step++) await text.next();
    expect(asked).toEqual([]);
    await text.next();
    expect(asked).toEqual(['one']);
  });
});

describe('the head of a text form', () => {
  const isHead = (head: object) => TextHead.safeParse({ format: 'loopcheck-project', version: 1, ...head }).success;
  it('is one of this program, of a version from 1 on', () => {
    expect(
      [{}, { version: 7 }, { version: 0 }, { version: 1.5 }, { format: 'other' }, { settings: { read_only: true } }].map(isHead),
    ).toEqual([...[true, true, false, false, false], true]);
    expect([{ settings: { read_only: 'yes' } }, { left_out: [1] }, { settings: { publishers: [{}] } }].map(isHead)).toEqual([
      false,
      false,
      false,
    ]);
  });
});
