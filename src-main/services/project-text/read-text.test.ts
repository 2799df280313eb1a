import { describe, expect, it } from 'vitest';
import { createDriverRegistry } from '../../app/driver-registry.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import { toDriverSettings } from '../../runtime/settings.ts';
import { ProjectReader } from './read-text.ts';

const DRIVERS = createDriverRegistry([modbusTcpDriver]);
const read = (content: unknown) => new ProjectReader(DRIVERS, toDriverSettings).read(content);

const point = (code: string, rest: object = {}) => ({ frame_type: 0, code, address: 1, ...rest });
const channel = (name: string, points: unknown = [], rest: object = {}) => ({ name, protocol_type: 1, conn_type: 2, ...rest, points });
const text = (channels: unknown, rest: object = {}) => ({ format: 'loopcheck-project', version: 1, channels, ...rest });
/** Where the errors stand, and what they are by their code. */
const errorsOf = (content: unknown) => read(content).errors.map(({ path, message_code }) => [path, message_code]);
const warningsOf = (content: unknown) => read(content).warnings.map(({ path }) => path);

describe('a text form', () => {
  it('is read with its settings, channels and points, filled in', () => {
    const { version, settings, channels, errors, warnings } = read(
      text([channel('One', [point('U'), point('I', { address: 5 })]), channel('Two')], { settings: { read_only: true } }),
    );
    expect({ version, errors, warnings }).toEqual({ version: 1, errors: [], warnings: [] });
    expect(settings).toEqual({ read_only: true });
    expect(channels.map(({ at, settings: { name, port } }) => [at, name, port])).toEqual([
      [0, 'One', 502],
      [1, 'Two', 502],
    ]);
    expect(channels.map(({ points }) => points.map(({ code, address, func_code }) => [code, address, func_code]))).toEqual([
      [
        ['U', 1, 3],
        ['I', 5, 3],
      ],
      [],
    ]);
  });

  it('needs neither settings nor points', () => {
    const { points: _, ...bare } = channel('One');
    expect(read(text([bare]))).toMatchObject({ settings: null, errors: [], channels: [{ points: [] }] });
  });
});

describe('what is no text form', () => {
  it.each([
    ['a number', 7, '', 'project.text_object', null],
    ['nothing', null, '', 'project.text_object', null],
    ['a list', [], '', 'project.text_object', null],
    ['another format', { ...text([]), format: 'other' }, 'format', 'project.text_format', 1],
    ['no version', { ...text([]), version: undefined }, 'version', 'project.text_version', null],
    ['a version that is a text', { ...text([]), version: '1' }, 'version', 'project.text_version', null],
    ['half a version', { ...text([]), version: 0.5 }, 'version', 'project.text_version', 0.5],
    ['version 0', { ...text([]), version: 0 }, 'version', 'project.text_version', 0],
    ['a newer version', { ...text([]), version: 2 }, 'version', 'project.text_newer', 2],
    ['channels that are no list', text({}), 'channels', 'project.text_channels', 1],
    ['more channels than a text takes', text(Array(1001).fill({})), 'channels', 'project.text_many_channels', 1],
  ] as const)('is refused as a whole by one reason: %s', (_, content, path, message_code, version) => {
    const found = read(content);
    expect(found).toMatchObject({ version, channels: [], settings: null });
    expect(found.errors).toMatchObject([{ path, message_code }]);
  });
});

describe('every wrong place is told by its path', () => {
  it('in settings, channels and points, in one reading', () => {
    const content = text(
      [
        channel('One', [point('U', { address: 'x' }), point('I'), { code: 'no type' }]),
        7,
        channel('Three', [], { port: 70_000 }),
        channel('Four', {}),
      ],
      { settings: { read_only: 'yes' } },
    );
    expect(errorsOf(content).map(([path]) => path)).toEqual([
      'settings.read_only',
      'channels[0].points[0].address',
      'channels[0].points[2].frame_type',
      'channels[1]',
      'channels[2].port',
      'channels[3].points',
    ]);
  });

  it('and what can be read of the text is there', () => {
    const { channels } = read(text([7, channel('Two', [point('U')]), channel('Three', {})]));
    expect(channels.map(({ at, settings }) => [at, settings.name])).toEqual([[1, 'Two']]);
  });

  it('what the protocol refuses in a channel and in a point', () => {
    const content = text([channel('One', [], { conn_type: 0 }), channel('Two', [point('U', { address: 70_000 })])]);
    expect(errorsOf(content).map(([path]) => path)).toEqual(['channels[0].conn_type', 'channels[1].points[0].address']);
  });

  it('a protocol that is not there', () => {
    expect(errorsOf(text([channel('One', [], { protocol_type: 3 })])).map(([path]) => path)).toEqual(['channels[0].protocol_type']);
  });

  it('more points than a channel takes, without a look at them', () => {
    expect(errorsOf(text([channel('One', Array(100_001).fill(null))]))).toEqual([['channels[0].points', 'project.text_many_points']]);
  });
});

describe('names and codes', () => {
  it('of channels are unique, whatever blanks are around them, with the place of the first', () => {
    const { errors } = read(text([channel('One'), channel('Two'), channel(' One ')]));
    expect(errors).toMatchObject([
      { path: 'channels[2].name', message_code: 'project.text_name_twice', params: { place: 'channels[0].name' } },
    ]);
  });

  it('of points are unique in their channel, and may stand in another one', () => {
    const { errors } = read(text([channel('One', [point('U'), point('I'), point('U', { address: 9 })]), channel('Two', [point('U')])]));
    expect(errors).toMatchObject([
      { path: 'channels[0].points[2].code', message_code: 'project.text_code_twice', params: { place: 'channels[0].points[0]' } },
    ]);
  });
});

describe('what a text has beside', () => {
  it('is warned of at its place, and changes nothing', () => {
    const content = text([channel('One', [point('U', { colour: 1 })], { prot: 502 })], { title: 'x' });
    expect(warningsOf(content)).toEqual(['title', 'channels[0].prot', 'channels[0].points[0].colour']);
    expect(read(content)).toMatchObject({ errors: [], channels: [{ points: [{ code: 'U' }] }] });
  });

  it('is not warned of where a text form has it', () => {
    expect(warningsOf(text([channel('One')], { left_out: [], device: { name: 'Meter' } }))).toEqual([]);
  });

  it('names channels that were left out, fifty at most', () => {
    const names = Array.from({ length: 60 }, (_, index) => `Channel ${index}`);
    const { warnings } = read(text([], { left_out: names }));
    expect(warnings).toMatchObject([{ path: 'left_out', message_code: 'project.text_left_out' }]);
    expect(warnings[0]?.message).toContain('Channel 49');
    expect(warnings[0]?.message).not.toContain('Channel 50');
  });
});
