import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inRoot } from '../lib/paths.ts';
import { findingsOf } from './testing/findings.ts';

const found = (lines: readonly string[]) => findingsOf('no-protocol-type', 'a.ts', lines);

describe('the lint rule for protocols by their number', () => {
  it('finds every import and use of ProtocolType, and every comparison with a number', () => {
    const lines = [
      "import { ProtocolType } from '#shared/domain/enums.ts';",
      "import type { FrameType, ProtocolType as P } from '#shared/domain/enums.ts';",
      "import { isServing, type ProtocolType } from '#shared/domain/enums.ts';",
      'export const a = channel.protocol_type === ProtocolType.iec104;',
      'export const b = channel.protocol_type === 4;',
      'export const c = protocolType !== 3;',
      'export const d = { [ProtocolType.dlt645]: 1 };',
      'export const e = enums.ProtocolType;',
    ];
    expect([...new Set(found(lines))].toSorted((a, b) => a - b)).toEqual(lines.map((_, index) => index + 1));
  });

  it('leaves what asks the descriptor, and two channels of one protocol', () => {
    const lines = [
      "import { ProtocolTypeSchema } from '#shared/contract/common.ts';",
      'export const a = protocols.find((item) => item.protocol_type === channel.protocol_type);',
      "export const b = notation.address.form === 'hexadecimal';",
      'export const c = channel.conn_type === 2;',
    ];
    expect(found(lines)).toEqual([]);
  });

  it('holds in pages and services', () => {
    const { plugins } = JSON.parse(readFileSync(inRoot('biome.json'), 'utf8')) as { plugins: { path: string; includes: string[] }[] };
    const { includes = [] } = plugins.find(({ path }) => path.endsWith('no-protocol-type.grit')) ?? {};
    expect(includes.filter((pattern) => !pattern.startsWith('!'))).toEqual(['**/src-renderer/**', '**/src-main/services/**']);
  });
});
