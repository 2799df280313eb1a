import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { isMessage } from '#shared/messages/message.ts';
import { makeBench, point } from '../../runtime/testing/harness.ts';
import { contentOf } from './from-channel.ts';
import { readTemplate, type TemplateContent, templateOf, templateRow, templateText } from './template.ts';

const FILE = {
  format: 'loopcheck-project',
  version: 1,
  device: { name: 'PCS', about: 'of the maker' },
  channels: [
    {
      protocol_type: 1,
      conn_type: 2,
      port: 1502,
      note: 'kept',
      points: [
        { code: 'A', slave_id: 1 },
        { code: 'B', slave_id: 2, protocol: { start_value: 3 } },
      ],
    },
  ],
};
const octets = (content: unknown) => new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
const read = (content: unknown): TemplateContent => {
  const found = readTemplate(octets(content));
  return isMessage(found) ? expect.fail(found.code) : found;
};
const why = (content: unknown) => {
  const found = readTemplate(octets(content));
  return isMessage(found) ? found.code : null;
};

describe('the file of a template', () => {
  it('is a text form of one channel with a head', () => {
    expect(read(FILE)).toEqual({
      head: FILE.device,
      channel: { protocol_type: 1, conn_type: 2, port: 1502, note: 'kept' },
      points: FILE.channels[0]?.points,
    });
    expect(read(templateText(read(FILE))), 'as it is written, it is read').toEqual(read(FILE));
  });

  it('is named by its channel where it has no head, and may have no points', () => {
    const { device: _, ...headless } = FILE;
    expect(read({ ...headless, channels: [{ name: 'Meter', protocol_type: 4 }] })).toMatchObject({ head: { name: 'Meter' }, points: [] });
  });

  it.each<[string, unknown, string]>([
    ['that is no JSON', '{', 'project.text_not_json'],
    ['of another program', { ...FILE, format: 'other' }, 'project.text_format'],
    ['that is a list', [FILE], 'project.text_format'],
    ['of a later version', { ...FILE, version: 2 }, 'project.text_version'],
    ['without channels', { ...FILE, channels: null }, 'project.text_channels'],
    ['of no channel', { ...FILE, channels: [] }, 'library.one_channel'],
    ['of two channels', { ...FILE, channels: [...FILE.channels, ...FILE.channels] }, 'library.one_channel'],
    ['whose channel is none', { ...FILE, channels: ['x'] }, 'library.one_channel'],
    ['whose points are no list', { ...FILE, channels: [{ points: {} }] }, 'project.text_points'],
    ['with a point that is none', { ...FILE, channels: [{ points: [{}, null] }] }, 'project.text_points'],
    ['without a name', { ...FILE, device: { name: '' } }, 'library.shape'],
  ])('%s is refused with what is wrong', (_, content, code) => {
    expect(why(content)).toBe(code);
  });
});

describe('the row of a template', () => {
  const rowOf = (channel: object) => templateRow('x', false, read({ ...FILE, channels: [{ ...FILE.channels[0], ...channel }] }));

  it('says what it is for, its slaves, and how many values it begins with', () => {
    expect(rowOf({})).toEqual({
      ...{ id: 'x', built_in: false, name: 'PCS', about: 'of the maker', protocol_type: 1, conn_type: 2, port: 1502 },
      ...{ points: 2, slaves: [1, 2], start_values: 1 },
    });
    const points = Array.from({ length: 25 }, (_, at) => ({ slave_id: at + 1, protocol: { start_value: 'text' } }));
    expect(rowOf({ port: undefined, points: [...points, {}] })).toMatchObject({
      port: null,
      points: 26,
      slaves: points.slice(0, 20).map(({ slave_id }) => slave_id),
      start_values: 0,
    });
  });

  it('is none for a channel of no protocol', () => {
    expect(rowOf({ protocol_type: 99 })).toMatchObject({ code: 'library.shape' });
    expect(isMessage(templateOf(FILE))).toBe(false);
  });
});

describe('a template made of a channel', () => {
  const table = [
    point(1, { code: 'P', protocol: { note: 'x' } }),
    point(2, { code: 'STALE' }),
    point(3, { code: 'K', frame_type: FrameType.yk }),
    point(4, { code: 'TEXT' }),
    point(5, { code: 'NEVER' }),
  ];
  const made = async (withValues: boolean) => {
    const { channel } = makeBench(table, { note: 'bay 3', ip: '10.0.0.7', group: 'North', auto_start: true });
    const value = { kind: 'value', raw: new Uint8Array(2), quality: 'good', flags: [], sourceTime: null, valueText: '' } as const;
    channel.points.apply([{ ...value, pointId: 2, value: 7 }] as never, 0);
    channel.points.markAllStale({ code: 'runtime.none', params: {} });
    channel.points.apply(
      [
        { ...value, pointId: 1, value: 5 },
        { ...value, pointId: 3, value: 1 },
        { ...value, pointId: 4, value: 9, valueText: 'open' },
      ] as never,
      0,
    );
    return contentOf(channel, { name: 'PCS', about: '' }, withValues);
  };

  it('has its settings without what belongs to one place, and its points', async () => {
    const { head, channel, points } = await made(false);
    expect(head).toEqual({ name: 'PCS', about: '' });
    expect(channel).toMatchObject({ protocol_type: 1, conn_type: 2, port: 502, note: 'bay 3', timeout_ms: 1000 });
    for (const key of ['name', 'ip', 'com_port', 'auto_start', 'group']) expect(channel).not.toHaveProperty(key);
    expect(points.map(({ code, protocol }) => [code, protocol])).toEqual([
      ['P', { note: 'x' }],
      ['STALE', {}],
      ['K', {}],
      ['TEXT', {}],
      ['NEVER', {}],
    ]);
    expect(points[0]).not.toHaveProperty('id');
  });

  it('begins with the good numbers of now where that is asked for; a command is no state', async () => {
    const { points } = await made(true);
    expect(points.map(({ protocol }) => protocol)).toEqual([{ note: 'x', start_value: 5 }, {}, {}, {}, {}]);
  });
});
