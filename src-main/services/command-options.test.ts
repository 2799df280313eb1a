import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import { ownOptions, protocolOptions } from './command-options.ts';

const driver = (commandOptions?: z.ZodObject) => ({ descriptor: { commandOptions } }) as unknown as ProtocolDriver;
const QUALIFIED = driver(z.object({ qualifier: z.int().min(0).max(31).default(0) }));

function toProtocol(options: Record<string, unknown>, of = QUALIFIED) {
  const warnings: string[] = [];
  return { sent: protocolOptions(options, of, { source: 'api', effect: 'command', warn: (path) => warnings.push(path) }), warnings };
}

describe('options of a command that the service knows', () => {
  it.each([
    [{}, { readBack: true, reactionTimeoutMs: 2000 }],
    [{ read_back: false }, { readBack: false, reactionTimeoutMs: 2000 }],
    [{ reaction_timeout_ms: 0 }, { readBack: true, reactionTimeoutMs: 0 }],
    [
      { reaction_timeout_ms: 60_000, qualifier: 'x' },
      { readBack: true, reactionTimeoutMs: 60_000 },
    ],
  ])('%j', (given, own) => {
    expect(ownOptions(given)).toEqual(own);
  });

  it.each([
    [{ read_back: 'yes' }, ['options.read_back']],
    [{ reaction_timeout_ms: -1 }, ['options.reaction_timeout_ms']],
    [{ reaction_timeout_ms: 60_001 }, ['options.reaction_timeout_ms']],
    [{ read_back: 1, reaction_timeout_ms: 0.5 }, ['options.read_back', 'options.reaction_timeout_ms']],
  ])('%j is refused with its places', (given, paths) => {
    expect(() => ownOptions(given)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', data: paths.map((path) => expect.objectContaining({ path })) }),
    );
  });
});

describe('options for the protocol', () => {
  it('are those that it knows, as they were given and without our own', () => {
    expect(toProtocol({ qualifier: 3, read_back: false, reaction_timeout_ms: 0 })).toEqual({ sent: { qualifier: 3 }, warnings: [] });
    expect(toProtocol({})).toEqual({ sent: {}, warnings: [] });
  });

  it('what nobody knows is left out with a warning', () => {
    expect(toProtocol({ qualifyer: 3 })).toEqual({ sent: {}, warnings: ['options.qualifyer'] });
    expect(toProtocol({ qualifier: 3, read_back: true }, driver())).toEqual({ sent: {}, warnings: ['options.qualifier'] });
  });

  it('a wrong one is refused with its place: nothing goes to the device', () => {
    expect(() => toProtocol({ qualifier: 32 })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', data: [expect.objectContaining({ path: 'options.qualifier' })] }),
    );
  });
});
