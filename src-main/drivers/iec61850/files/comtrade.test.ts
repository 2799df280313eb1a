import { describe, expect, it } from 'vitest';
import { readComtrade } from './comtrade.ts';
import { recordsOf } from './records.ts';

const octets = (...lines: readonly string[]) => new TextEncoder().encode(lines.join('\r\n'));
const CONFIGURATION = [
  'Substation A,Relay 7,1999',
  '3,2A,1D',
  '1,IA,A,Line 1,A,0.01,0.0,0,-32767,32767,600,5,S',
  '2,UA,A,,kV,0.1,0.0,0,-32767,32767,110,0.1,P',
  '1,Trip,,,0',
  '50',
  '2',
  '4000,800',
  '1000,1200',
  '01/03/2024,12:34:56.123456',
  '01/03/2024,12:34:56.223456',
  'BINARY',
  '1',
];
const changed = (line: number, text: string) => octets(...CONFIGURATION.map((each, at) => (at === line - 1 ? text : each)));

describe('the header of a disturbance record', () => {
  it('in words: who recorded what, how fast, and when', () => {
    expect(readComtrade('a.cfg', octets(...CONFIGURATION))).toEqual({
      station: 'Substation A',
      device: 'Relay 7',
      revision: '1999',
      analog: 2,
      digital: 1,
      frequency_hz: 50,
      rates: [
        { rate_hz: 4000, last_sample: 800 },
        { rate_hz: 1000, last_sample: 1200 },
      ],
      samples: 1200,
      first_time: '2024-03-01 12:34:56.123456',
      trigger_time: '2024-03-01 12:34:56.223456',
      data: 'BINARY',
      channels: [
        { number: 1, kind: 'analog', name: 'IA', phase: 'A', unit: 'A' },
        { number: 2, kind: 'analog', name: 'UA', phase: 'A', unit: 'kV' },
        { number: 1, kind: 'digital', name: 'Trip', phase: '', unit: '' },
      ],
    });
  });

  it('of 1991: without a year, month in front of day', () => {
    const old = ['S,D', '0,0A,0D', '60', '1', '1000,10', '03/17/94,01:02:03.5', '03/17/94,01:02:04', 'ascii'];
    expect(readComtrade('o.CFG', octets(...old))).toMatchObject({
      revision: '1991',
      first_time: '1994-03-17 01:02:03.5',
      trigger_time: '1994-03-17 01:02:04',
      data: 'ASCII',
    });
  });

  it('without a sampling rate: the samples carry their times', () => {
    const lines = ['S,D,2013', '0,0A,0D', '50', '0', '0,77', '01/03/2024,00:00:00', '01/03/2024,00:00:01', 'FLOAT32', '1', '+8,+8', 'B,3'];
    expect(readComtrade('s.cfg', octets(...lines))).toMatchObject({ rates: [], samples: 77, revision: '2013' });
  });

  it('in a CFF: the part that is the configuration', () => {
    const whole = octets(
      '--- file type: CFG ---',
      ...CONFIGURATION,
      '--- file type: INF ---',
      'x',
      '--- file type: DAT ASCII: 9 ---',
      '1,0,5',
    );
    expect(readComtrade('a.cff', whole)).toMatchObject({ station: 'Substation A', analog: 2, samples: 1200 });
  });

  it('written in GBK', () => {
    const gbk = Uint8Array.of(0xb1, 0xe4, 0xb5, 0xe7, 0xd5, 0xbe);
    const rest = octets(...CONFIGURATION).subarray('Substation A'.length);
    expect(readComtrade('a.cfg', Uint8Array.from([...gbk, ...rest])).station).toBe('变电站');
  });

  it('a date that is none stays as it is written', () => {
    expect(readComtrade('a.cfg', changed(10, 'never,12:00')).first_time).toBe('never 12:00');
    expect(readComtrade('a.cfg', changed(10, ',')).first_time).toBe('');
  });

  it.each([
    [1, 'only one field', 'station, device, year'],
    [2, 'three', 'the number of channels'],
    [2, '9999999,9999999A,0D', 'the number of channels'],
    [2, '3,-2A,1D', 'the number of channels'],
    [4, 'x', 'a channel'],
    [7, 'many', 'the number of sampling rates'],
    [7, '99999999', 'the number of sampling rates'],
  ])('line %i "%s" is told with what would be right', (line, text, right) => {
    expect(() => readComtrade('a.cfg', changed(line, text))).toThrowError(
      expect.objectContaining({ code: 'PROTOCOL_MALFORMED', message: expect.stringContaining(`a.cfg, line ${line}: ${right}`) }),
    );
  });

  it('that ends too soon, is empty, or is no text', () => {
    expect(() => readComtrade('a.cfg', octets(...CONFIGURATION.slice(0, 6)))).toThrowError(/line 7/);
    expect(() => readComtrade('a.cfg', new Uint8Array(0))).toThrowError(/line 1/);
    expect(() =>
      readComtrade(
        'a.cfg',
        Uint8Array.from({ length: 4096 }, (_, at) => (at * 37) % 256),
      ),
    ).toThrowError(/a.cfg, line/);
  });

  it('tells the first channels of very many', () => {
    const many = [
      'S,D,1999',
      '2000,2000A,0D',
      ...Array.from({ length: 2000 }, (_, at) => `${at + 1},C${at},,,V,1,0,0,0,1`),
      ...CONFIGURATION.slice(5),
    ];
    const { analog, channels } = readComtrade('m.cfg', octets(...many));
    expect([analog, channels.length]).toEqual([2000, 500]);
  });
});

describe('records among files', () => {
  const files = (...names: readonly string[]) => names.map((name) => ({ name, size: 10 }));

  it('are sets of one name, the header first, whatever the case of the endings', () => {
    const found = recordsOf(
      files('COMTRADE/A.DAT', 'COMTRADE/A.CFG', 'COMTRADE/a.hdr', 'other.txt', 'B.cff', 'C.cfg', 'D.dat', 'noending'),
    );
    expect(found).toEqual([
      { record: 'COMTRADE/A', files: ['COMTRADE/A.CFG', 'COMTRADE/A.DAT', 'COMTRADE/a.hdr'], size: 30, is_complete: true },
      { record: 'B', files: ['B.cff'], size: 10, is_complete: true },
      { record: 'C', files: ['C.cfg'], size: 10, is_complete: false },
    ]);
  });

  it('of two directories are two', () => {
    expect(recordsOf(files('X/A.cfg', 'Y/A.dat')).map(({ files: of }) => of)).toEqual([['X/A.cfg']]);
  });
});
