import { describe, expect, it } from 'vitest';
import { STANDARD_SIZES } from './codec/sizes.ts';
import { factsOfApdu } from './facts.ts';
import { octets } from './testing/captures.ts';

const facts = (hex: string) => factsOfApdu(octets(hex), STANDARD_SIZES);

describe('facts of IEC 104 frames', () => {
  it('are station, type, cause, and addresses of objects', () => {
    expect(facts('6815080000001e0103000100050000810100008c410719')).toEqual({
      slave: 1,
      function: 30,
      names: ['M_SP_TB_1'],
      cause: { code: 3, names: ['spontaneous', '突发'] },
      addresses: [{ from: 5, to: 5 }],
    });
  });

  it('of a sequence are one range, and of addresses that do not follow each other several', () => {
    // M_SP_NA_1, SQ 1, three objects from 100
    expect(facts('681000000000018314000100640000000100')?.addresses).toEqual([{ from: 100, to: 102 }]);
    // M_SP_NA_1, two objects 1 and 7
    expect(facts('6812000000000102140001000100000007000000')?.addresses).toEqual([
      { from: 1, to: 1 },
      { from: 7, to: 7 },
    ]);
  });

  it('tell a negative confirmation and an unknown address as errors', () => {
    // C_SC_NA_1, activation confirmation, negative
    expect(facts('680e000000002d014700010001000001')).toMatchObject({ function: 45, error: 7, cause: { code: 7 } });
    // the same with cause 47
    expect(facts('680e000000002d012f00010001000001')).toMatchObject({ error: 47 });
  });

  it('of U and S frames are their names', () => {
    expect(facts('680407000000')).toEqual({ names: ['STARTDT act'] });
    expect(facts('680483000000')).toEqual({ names: ['TESTFR con'] });
    expect(facts('680401000a00')).toEqual({ names: ['S'] });
  });

  it('are none of octets that are no frame, wherever one is cut', () => {
    const whole = octets('6815080000001e0103000100050000810100008c410719');
    for (let end = 0; end < whole.length; end++) expect(factsOfApdu(whole.subarray(0, end), STANDARD_SIZES)).toBeNull();
  });
});
