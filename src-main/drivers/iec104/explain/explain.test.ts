import { describe, expect, it } from 'vitest';
import { inEnglish, type SpokenNode } from '../../testing/explained.ts';
import { fittingSizes, sizesText } from '../codec/fitting-sizes.ts';
import { STANDARD_SIZES } from '../codec/sizes.ts';
import { octets, readCaptures, readVectors } from '../testing/captures.ts';
import { explainApdu as explainFrame } from './explain.ts';

const explainApdu = (...given: Parameters<typeof explainFrame>) => inEnglish(explainFrame(...given));

const rx = { kind: 'rx' } as const;

function explain(hex: string) {
  return explainApdu(octets(hex), rx, STANDARD_SIZES);
}

/** Every node as a line, children indented. */
function lines(nodes: readonly SpokenNode[], indent = ''): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.start}-${node.end} ${node.name}: ${node.value}${node.severity === 'info' ? '' : ` [${node.severity}]`}`,
    ...lines(node.children, `${indent}  `),
  ]);
}

describe('explanation of IEC 104 frames', () => {
  it('shows a spontaneous single point with time tag octet by octet', () => {
    const { summary, nodes } = explain('6815080000001e0103000100050000810100008c410719');
    expect(summary).toBe(
      'I N(S) 4, N(R) 0: M_SP_TB_1 (30), spontaneous, station 1, object 5: 1 (ON), IV, 2025-07-01 12:00:00.001 Tuesday, SU',
    );
    expect(lines(nodes)).toEqual([
      '0-6 APCI: I N(S) 4, N(R) 0',
      '  0-1 start octet: 0x68',
      '  1-2 length: 21 octets behind it',
      '  2-4 send sequence number N(S): 4, I format',
      '  4-6 receive sequence number N(R): 0, everything below it arrived',
      '6-23 ASDU: M_SP_TB_1 (30), spontaneous, station 1, object 5: 1 (ON), IV, 2025-07-01 12:00:00.001 Tuesday, SU',
      '  6-7 type identification: M_SP_TB_1 (30), single-point information, CP56 time tag',
      '  7-8 variable structure qualifier: SQ 0 (an address each), 1 object',
      '  8-9 cause of transmission: 3 (spontaneous), positive',
      '  9-10 originator address: 0 (not used)',
      '  10-12 common address: 1',
      '  12-23 object 5: 1 (ON), IV, 2025-07-01 12:00:00.001 Tuesday, SU',
      '    12-15 information object address: 5 (0x000005)',
      '    15-16 single point (SIQ): 1 (ON), IV',
      '    16-23 time tag (CP56Time2a): 2025-07-01 12:00:00.001 Tuesday, SU',
      '      16-18 milliseconds: 1',
      '      18-19 minute: 0',
      '      19-20 hour: 12, SU 1 (summer time)',
      '      20-21 day: 1, day of week 2',
      '      21-22 month: 7',
      '      22-23 year: 25',
    ]);
  });

  it.each([
    ['680407000000', 'STARTDT act'],
    ['680483000000', 'TESTFR con'],
    ['680401000400', 'S N(R) 2'],
    ['680e0000000064010600010000000014', 'I N(S) 0, N(R) 0: C_IC_NA_1 (100), activation, station 1: 20 (station)'],
    ['680e000000006401060effff00000024', 'I N(S) 0, N(R) 0: C_IC_NA_1 (100), activation, station 65535: 36 (group 16)'],
    [
      '680e000000002d0147070100016000 81',
      'I N(S) 0, N(R) 0: C_SC_NA_1 (45), activation confirmation, negative, station 1, object 24577: 1 (ON), select, QU 0 (no further definition)',
    ],
    [
      '680e0000000065018600010000000085',
      'I N(S) 0, N(R) 0: C_CI_NA_1 (101), activation, test, station 1: request 5 (general), freeze with reset',
    ],
    ['680e00000200c8016c00010001000000', 'I N(S) 0, N(R) 1: type 200, unknown type identification, negative, station 1'],
    ['68120000000015830300010001440000c00040', 'I N(S) 0, N(R) 0: malformed M_ME_ND_1 (21), spontaneous, station 1, 3 objects from 17409'],
  ])('%s is summed up', (hex, summary) => {
    expect(explain(hex).summary).toBe(summary);
  });

  it('shows an element of each object of a sequence under its own address', () => {
    const shown = lines(explain('6812000000000b8203000100 050000 010000 0200f1').nodes);
    expect(shown.slice(11)).toEqual([
      '  12-18 object 5: 1, good',
      '    12-15 information object address: 5 (0x000005)',
      '    15-17 scaled value (SVA): 1',
      '    17-18 quality (QDS): good',
      '  18-21 object 6: 2, IV NT SB BL OV',
      '    18-20 scaled value (SVA): 2',
      '    20-21 quality (QDS): IV NT SB BL OV',
    ]);
  });

  it('shows a frame that ends too early, what is there and what is missing', () => {
    const shown = lines(explain('680f00000000018a030001000100000100').nodes);
    expect(shown[5]).toBe(
      '6-17 ASDU: M_SP_NA_1 (1), spontaneous, station 1, 10 objects from 1 — M_SP_NA_1 (1) with SQ 1 and 10 objects has 5 octets of them, 13 would be right. [error]',
    );
    expect(shown.slice(-3)).toEqual([
      '    15-16 single point (SIQ): 0 (OFF), good'.replace('0 (OFF)', '1 (ON)'),
      '  16-17 object 2: 0 (OFF), good',
      '    16-17 single point (SIQ): 0 (OFF), good',
    ]);
    expect(lines(explain('680d00000000640106000100000000').nodes).at(-1)).toBe(
      '    15-15 qualifier (QOI): missing — the frame ends before this field does [error]',
    );
  });

  it('shows what follows behind the last object', () => {
    expect(lines(explain('680f0000000064010600010000000014ff').nodes).at(-1)).toBe(
      '  16-17 surplus octets: FF — nothing may follow here [error]',
    );
  });

  it('names the sizes that would fit where the channel is set to others', () => {
    const { nodes } = explain('680b0000000064010601000014');
    expect(lines(nodes)[5]).toContain('Octets of cause, common address and object address are set to 2/2/3; 1/1/2 would fit.');
    expect(fittingSizes(octets('64010601000014')).map(sizesText)).toEqual(['1/1/2', '1/2/1']);
    expect(fittingSizes(octets('c801'))).toEqual([]);
  });

  it('warns of what the standard does not allow and can still be read', () => {
    const serial = lines(explain('6811000000000201030001000100000 13e3d0e').nodes);
    expect(serial).toContain(
      '  6-7 type identification: M_SP_TA_1 (2), single-point information, CP24 time tag — of the serial profile, not allowed in 104 [warning]',
    );
    expect(serial).toContain('    16-19 time tag (CP24Time2a): minute 14, 15.678 s');
    expect(lines(explain('680e000000000101030001000100000f').nodes)).toContain(
      '    15-16 single point (SIQ): 1 (ON), good — reserved bits are set [warning]',
    );
    expect(lines(explain('6815000000001e010300010001000001 60ea3c18000d64').nodes)).toContain(
      '    16-23 time tag (CP56Time2a): 20100-13-00 24:60:60.000 — no time: millisecond, minute, hour, day, month, year out of range [warning]',
    );
    expect(lines(explain('680e000000000101130001000100000 1').nodes)).toContain(
      '  8-9 cause of transmission: 19 (reserved), positive — not defined by the standard [warning]',
    );
  });

  it('shows frames that break the APCI', () => {
    expect(explain('680403000000').summary).toBe('The U frame has function octet 0x03, exactly one function would be right.');
    expect(lines(explain('690307010001').nodes)).toEqual([
      '0-6 APCI: STARTDT act [error]',
      '  0-1 start octet: 0x69 — 0x68 would be right [error]',
      '  1-2 length: 3 — 4 to 253 would be right [error]',
      '  2-3 function: STARTDT act, U format',
      '  3-6 control: 01 00 01 — reserved bits are set [warning]',
    ]);
    expect(explain('6804').summary).toBe('unfinished frame: 68 04');
  });

  it('shows octets that are no frame as they are', () => {
    const { summary, nodes } = explainApdu(octets('dead'), { kind: 'noise' }, STANDARD_SIZES);
    expect(summary).toBe('2 octets that are no frame');
    expect(lines(nodes)).toEqual(['0-2 noise: 2 octets that are no frame: DE AD [error]']);
    expect(explainApdu(octets(''), rx, STANDARD_SIZES).nodes).toEqual([]);
  });

  it('finds nothing wrong with any golden APDU', () => {
    for (const { bytes, asdu } of readVectors()) {
      const shown = lines(explainApdu(bytes, rx, STANDARD_SIZES).nodes);
      expect(shown.filter((line) => line.endsWith('[error]'))).toEqual([]);
      const isPlain =
        asdu !== undefined && asdu.objects !== undefined && asdu.mnemonic !== null && !/_T[ABC]_1|C_TS_NA|C_CD/.test(asdu.mnemonic);
      if (isPlain && asdu.objects?.every((object) => object.elapsedMs !== 60_000) && asdu.ca > 0) {
        expect(
          shown.filter((line) => line.endsWith('[warning]') && !line.includes('not defined by the standard') && !line.includes(' ASDU: ')),
        ).toEqual([]);
      }
    }
  });

  it('reads the golden scenarios of other sizes under their own', () => {
    const capture = readCaptures().find((one) => one.name === '80_variant_cot1_ca1_ioa2');
    const sums =
      capture?.events.filter((one) => one.bytes.length > 0).map((one) => explainApdu(one.bytes, rx, capture.sizes).summary) ?? [];
    expect(sums.filter((line) => line.includes('malformed'))).toEqual([]);
    expect(sums).toContain('I N(S) 0, N(R) 0: C_IC_NA_1 (100), activation, station 1: 20 (station)');
  });
});
