import { describe, expect, it } from 'vitest';
import type { ExplainContext } from '../../spi/index.ts';
import { inEnglish, type SpokenNode } from '../../testing/explained.ts';
import { clientSettings } from '../../testing/settings.ts';
import { octets } from '../vectors/load.ts';
import { explainMbap as explainFrame } from './explain.ts';

const explainMbap = (...given: Parameters<typeof explainFrame>) => inEnglish(explainFrame(...given));

function context(changes: Partial<ExplainContext> = {}): ExplainContext {
  return { kind: 'tx', isRequest: true, request: null, settings: clientSettings(), ...changes };
}

/** Every node as a line, children indented. */
function lines(nodes: readonly SpokenNode[], indent = ''): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.name}: ${node.value}${node.severity === 'info' ? '' : ` [${node.severity}]`}`,
    ...lines(node.children, `${indent}  `),
  ]);
}

const request = octets('00 07 00 00 00 06 01 03 00 6B 00 03');

describe('explanation of Modbus TCP frames', () => {
  it('shows the address of a request decimal, hex and as reference side by side', () => {
    const { summary, nodes } = explainMbap(request, context());
    expect(summary).toBe('slave 1, function 3 (Read Holding Registers): holding registers 107 to 109 (40108 to 40110)');
    expect(lines(nodes)).toEqual([
      'MBAP header: 7 octets',
      '  transaction id: 7',
      '  protocol id: 0 (Modbus)',
      '  length: 6 octets behind it',
      '  slave address: 1',
      'PDU: request, 5 octets',
      '  function: function 3 (Read Holding Registers)',
      '  start address: 107 (0x006B), reference 40108',
      '  quantity: 3',
    ]);
  });

  it('shows the address of the point table too where the channel counts from another base', () => {
    const { nodes } = explainMbap(request, context({ settings: clientSettings({ addressBase: 1 }) }));
    expect(lines(nodes)).toContain('  start address: 107 (0x006B), reference 40108, in the point table 108');
  });

  it('names the registers of an answer by its request', () => {
    const answer = octets('00 07 00 00 00 09 01 03 06 02 2B FF FE 00 64');
    const { summary, nodes } = explainMbap(answer, context({ kind: 'rx', isRequest: false, request }));
    expect(summary).toBe('slave 1, function 3 (Read Holding Registers): holding registers 107 to 109 (40108 to 40110)');
    expect(lines(nodes).slice(-4)).toEqual([
      '  data: 6 octets',
      '    holding register 107 (40108): 02 2B = 555',
      '    holding register 108 (40109): FF FE = 65534, signed -2',
      '    holding register 109 (40110): 00 64 = 100',
    ]);
  });

  it('counts places where the request is not known any more', () => {
    const { nodes } = explainMbap(octets('00 07 00 00 00 05 01 03 02 00 64'), context({ kind: 'rx', isRequest: false }));
    expect(lines(nodes)).toContain('    holding register, place 1: 00 64 = 100');
  });

  it('shows coils one by one', () => {
    const asked = octets('00 07 00 00 00 06 01 01 00 13 00 0A');
    const { nodes } = explainMbap(octets('00 07 00 00 00 05 01 01 02 CD 01'), context({ kind: 'rx', isRequest: false, request: asked }));
    const coils = lines(nodes).filter((line) => line.startsWith('    coil'));
    expect(coils).toHaveLength(10);
    expect(coils[0]).toBe('    coil 19 (00020): on');
    expect(coils[1]).toBe('    coil 20 (00021): off');
  });

  it('names exceptions as the standard does', () => {
    const { summary, nodes } = explainMbap(octets('00 07 00 00 00 03 01 83 02'), context({ kind: 'rx', isRequest: false, request }));
    expect(summary).toBe('slave 1, exception 2 (Illegal Data Address) to function 3 (Read Holding Registers)');
    expect(lines(nodes)).toContain('  exception: exception 2 (Illegal Data Address)');
  });

  it('shows what was written', () => {
    const write = octets('00 07 00 00 00 0B 01 10 00 01 00 02 04 00 0A 01 02');
    expect(lines(explainMbap(write, context()).nodes).slice(-3)).toEqual([
      '  data: 4 octets',
      '    holding register 1 (40002): 00 0A = 10',
      '    holding register 2 (40003): 01 02 = 258',
    ]);
    expect(explainMbap(octets('00 07 00 00 00 06 01 05 00 AC FF 00'), context()).summary).toBe(
      'slave 1, function 5 (Write Single Coil): coil 172 (00173) = on',
    );
  });

  it('uses six digits where five are not enough', () => {
    expect(explainMbap(octets('00 07 00 00 00 06 01 04 27 0F 00 01'), context()).summary).toMatch(/input register 9999 \(310000\)/);
  });

  it('marks what does not fit, and still shows every field', () => {
    const wrong = octets('00 08 00 01 00 05 02 03 04 00 64');
    const { summary, nodes } = explainMbap(wrong, context({ kind: 'rx', isRequest: false, request }));
    const shown = lines(nodes);
    expect(summary).toMatch(/^slave 2, malformed function 3/);
    expect(shown).toContain('  transaction id: 8 — the request has 7 [error]');
    expect(shown).toContain('  protocol id: 1 — 0 would be right [error]');
    expect(shown).toContain('  slave address: 2 — slave 1 was asked [error]');
    expect(shown).toContain('PDU: The answer has 4 octets, 6 would be right. [error]');
  });

  it('shows half a register at the end of a frame that was cut short', () => {
    const { nodes } = explainMbap(octets('00 07 00 00 00 0B 01 10 00 01 00 02 04 00 0A 01'), context());
    expect(lines(nodes).slice(-2)).toEqual([
      '    holding register 1 (40002): 00 0A = 10',
      '    unfinished register: 01 — the frame ends before this register does [error]',
    ]);
  });

  it('shows octets that are no frame as they are', () => {
    const { summary, nodes } = explainMbap(octets('DE AD'), context({ kind: 'noise' }));
    expect(summary).toBe('2 octets that are no frame');
    expect(lines(nodes)).toEqual(['noise: 2 octets that are no frame: DE AD [error]']);
  });

  it('shows device identification in words', () => {
    const answer = octets('00 07 00 00 00 0E 01 2B 0E 01 81 00 00 01 00 04 41 43 4D 45');
    const shown = lines(explainMbap(answer, context({ kind: 'rx', isRequest: false })).nodes);
    expect(shown).toContain('  object id: 0 (vendor name)');
    expect(shown).toContain('  object: "ACME"');
  });
});
