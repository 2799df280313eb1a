import { describe, expect, it } from 'vitest';
import type { ExplainContext } from '../spi/index.ts';
import { clientSettings } from '../testing/settings.ts';
import { factsOfLine, factsOfMbap } from './facts.ts';
import { encodeRtu } from './rtu/framing.ts';
import { octets } from './vectors/load.ts';

const asked: ExplainContext = { kind: 'tx', isRequest: true, request: null, settings: clientSettings() };
const answered = (request: string): ExplainContext => ({
  kind: 'rx',
  isRequest: false,
  request: octets(request),
  settings: clientSettings(),
});
const REQUEST = '00 07 00 00 00 06 11 03 00 6B 00 03';

describe('facts of Modbus frames', () => {
  it('are unit, function with its names, and addresses', () => {
    const facts = { slave: 17, function: 3, names: ['Read Holding Registers', '读保持寄存器'], addresses: [{ from: 107, to: 109 }] };
    expect(factsOfMbap(octets(REQUEST), asked)).toEqual(facts);
    expect(factsOfMbap(octets('00 07 00 00 00 09 11 03 06 02 2B FF FE 00 64'), answered(REQUEST))).toEqual(facts);
    expect(factsOfLine(encodeRtu(17, octets('03 00 6B 00 03')), asked)).toEqual(facts);
  });

  it('are by the addresses of the table, whatever its base', () => {
    const facts = factsOfMbap(octets(REQUEST), { ...asked, settings: clientSettings({ addressBase: 1 }) });
    expect(facts?.addresses).toEqual([{ from: 108, to: 110 }]);
  });

  it('tell an exception with its code, under the function that was asked', () => {
    expect(factsOfMbap(octets('00 07 00 00 00 03 11 83 02'), answered(REQUEST))).toMatchObject({ slave: 17, function: 3, error: 2 });
    expect(factsOfMbap(octets('00 07 00 00 00 02 11 83'), answered(REQUEST))).toMatchObject({ error: 'exception' });
  });

  it('have both ranges of a function that reads and writes', () => {
    const facts = factsOfMbap(octets('00 01 00 00 00 0D 01 17 00 03 00 06 00 0E 00 01 02 00 FF'), asked);
    expect(facts?.addresses).toEqual([
      { from: 14, to: 14 },
      { from: 3, to: 8 },
    ]);
  });

  it('name no addresses where the request is gone, and no function that nobody knows', () => {
    const bare = { ...answered(REQUEST), request: null };
    expect(factsOfMbap(octets('00 07 00 00 00 09 11 03 06 02 2B FF FE 00 64'), bare)).toEqual({
      slave: 17,
      function: 3,
      names: ['Read Holding Registers', '读保持寄存器'],
    });
    expect(factsOfMbap(octets('00 07 00 00 00 02 11 64'), asked)).toEqual({ slave: 17, function: 100 });
  });

  it('are none of noise, and of what is shorter than a frame', () => {
    expect(factsOfMbap(octets(REQUEST), { ...asked, kind: 'noise' })).toBeNull();
    for (let end = 0; end <= 7; end++) expect(factsOfMbap(octets(REQUEST).subarray(0, end), asked)).toBeNull();
    for (let end = 0; end < 4; end++) expect(factsOfLine(encodeRtu(1, octets('03 00 6B 00 03')).subarray(0, end), asked)).toBeNull();
  });
});
