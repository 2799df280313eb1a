import { describe, expect, it } from 'vitest';
import { inEnglish, type SpokenNode } from '../testing/explained.ts';
import { explainTpkt as explainFrame } from './explain.ts';
import { connectTsdu } from './osi/establishment.ts';
import { hex, octets, readCapture, readCaptures } from './testing/captures.ts';
import { LOCAL, OsiBench, REMOTE, tpkt } from './testing/osi-bench.ts';

const explainTpkt = (...given: Parameters<typeof explainFrame>) => inEnglish(explainFrame(...given));

const rx = { kind: 'rx', request: null } as const;
const dt = (tsdu: string) => octets(tpkt(`02f080${tsdu.replaceAll(' ', '')}`));
const mms = (pdu: string) => {
  const octetsOf = pdu.replaceAll(' ', '');
  const length = (more: number) => (octetsOf.length / 2 + more).toString(16).padStart(2, '0');
  return dt(`01000100 61${length(7)} 30${length(5)} 020103 a0${length(0)} ${octetsOf}`);
};
/** `name: value [start,end)` a line, children indented. */
function lines(nodes: readonly SpokenNode[], indent = ''): string[] {
  return nodes.flatMap((node) => [
    `${indent}${node.name}: ${node.value} [${node.start},${node.end})`,
    ...lines(node.children, `${indent} `),
  ]);
}
function errors(nodes: readonly SpokenNode[]): string[] {
  return nodes.flatMap((node) => [
    ...(node.severity === 'error' && node.children.length === 0 ? [node.value] : []),
    ...errors(node.children),
  ]);
}
const frames = readCaptures().flatMap(({ name, events }) =>
  events.filter((event) => event.kind === 'tpkt').map((event, at) => ({ ...event, place: `${name} ${at + 1}` })),
);

describe('reports', () => {
  const reports = (prefix: string) =>
    readCapture(prefix)
      .events.map((event) => explainTpkt(event.bytes, rx))
      .filter(({ summary }) => summary.startsWith('InformationReport'));

  it('say their block, their number, how much of the data set came and why', () => {
    expect(reports('50').map(({ summary }) => summary)).toEqual([
      'InformationReport EMS1LD0/LLN0$RP$urcbStat: number 0, 5 of 5 members, general-interrogation',
      'InformationReport EMS1LD0/LLN0$RP$urcbStat: number 1, 1 of 5 members, data-change',
      'InformationReport EMS1LD0/LLN0$RP$urcbStat: number 2, 3 of 5 members, data-change',
      'InformationReport EMS1LD0/LLN0$RP$urcbStat: number 3, 2 of 5 members, quality-change',
      'InformationReport EMS1LD0/LLN0$RP$urcbStat: number 4, 5 of 5 members, integrity',
    ]);
    expect(reports('51')[1]?.summary).toBe('InformationReport EMS1LD0/LLN0$RP$urcbMeas01: number 1, 1 of 7 members');
  });

  it('name every value by the OptFlds of the report', () => {
    const named = (prefix: string, at: number) => {
      const text = lines(reports(prefix)[at]?.nodes ?? []).map((line) => line.trim());
      const from = text.findIndex((line) => line.startsWith('RptID'));
      return text
        .slice(from)
        .flatMap(
          (line) =>
            /^(RptID|OptFlds|SqNum|TimeOfEntry|DatSet|BufOvfl|EntryID|ConfRev|Inclusion|DataRef|EMS1\S*|member \d+|ReasonCode)\b/.exec(
              line,
            )?.[1] ?? [],
        );
    };
    expect(named('50', 1)).toEqual([
      ...['RptID', 'OptFlds', 'SqNum', 'TimeOfEntry', 'DatSet', 'ConfRev', 'Inclusion'],
      ...['DataRef', 'EMS1LD0/GGIO1$ST$Ind1', 'ReasonCode'],
    ]);
    expect(named('52', 1)).toEqual([
      ...['RptID', 'OptFlds', 'SqNum', 'TimeOfEntry', 'DatSet', 'BufOvfl', 'EntryID', 'ConfRev', 'Inclusion'],
      ...['member 1', 'ReasonCode'],
    ]);
  });
});

describe('explanation of the captures', () => {
  it('finds errors only in the PDU that is broken on purpose, and a layer for every octet', () => {
    const found: string[] = [];
    for (const { bytes, place } of frames) {
      const { nodes } = explainTpkt(bytes, rx);
      if (errors(nodes).length > 0) found.push(place);
      expect(nodes.map((node) => node.start)).toEqual([0, ...nodes.slice(0, -1).map((node) => node.end)]);
      expect(nodes.at(-1)?.end).toBe(bytes.length);
    }
    expect(found).toEqual(['70-reject 9']);
  });

  it('names every element of what it explains whole', () => {
    const unnamed = new Set<string>();
    for (const { bytes, place } of frames) {
      for (const line of lines(explainTpkt(bytes, rx).nodes)) {
        const isKnown = !/^ *(element|parameter|octets)\b/.test(line) || /^(25|73)-/.test(place);
        if (!isKnown) unnamed.add(`${place}: ${line.trim().split(':')[0]}`);
      }
    }
    expect([...unnamed]).toEqual(['70-reject 5: element bf47', '70-reject 7: element b0', '70-reject 7: element 80']);
  });

  it('says by service what a frame is', () => {
    const summaries = (prefix: string) =>
      readCapture(prefix)
        .events.filter((event) => event.kind === 'tpkt')
        .map((event) => explainTpkt(event.bytes, rx).summary);
    expect(summaries('01')).toEqual([
      'CR, TPDU size 8192, called selector 00 01, calling selector 00 01',
      'CC, TPDU size 8192, called selector 00 01, calling selector 00 01',
      'CONNECT: initiate request: PDU size 65000, outstanding 5 and 5',
      'ACCEPT: initiate response: PDU size 65000, outstanding 5 and 5',
      'Identify request 1',
      'Identify response 1: ACME, GoldenIED, 1.0.7',
      'Status request 2',
      'Status response 2: logical 0, physical 0',
      'conclude request',
      'conclude response',
      'FINISH: release request (RLRQ)',
      'DISCONNECT: release response (RLRE)',
    ]);
    expect(summaries('06').at(-1)).toBe('ABORT: abort (ABRT)');
    expect(summaries('61').slice(5, 7)).toEqual([
      'first segment of confirmed response 1, GetNameList',
      'middle of a longer PDU, 1021 octets',
    ]);
    expect(summaries('92').at(-1)).toBe('DR, reason not specified');
    const all = frames.map((frame) => explainTpkt(frame.bytes, rx).summary);
    for (const wanted of [
      'GetNameList request 1: domains of VMD',
      'GetNameList response 1: 103 names, more follow',
      'error 4: access: object-access-unsupported (7/1)',
      'Read response 1: 1234.5',
      'Read request 18: list EMS1LD0/LLN0$noSuch',
      'Write response 6: success',
      'reject 99: confirmed request rejected: unrecognized-service (1/1)',
      'FileRead request 3: handle 0',
    ])
      expect(all).toContain(wanted);
    expect(all.filter((text) => text === '' || text.includes(' undefined'))).toEqual([]);
  });
});

describe('explanation of a frame', () => {
  it('goes layer by layer to the value', () => {
    expect(lines(explainTpkt(mms('a10a 020101 a405 a103 850101'), rx).nodes)).toEqual([
      'TPKT: 32 octets [0,4)',
      ' version: 3 [0,1)',
      ' reserved: 0 [1,2)',
      ' length: 32 [2,4)',
      'COTP: DT [4,7)',
      ' length indicator: 2 [4,5)',
      ' code: DT [5,6)',
      ' end of TSDU: yes [6,7)',
      'session: DATA TRANSFER [7,11)',
      ' GIVE TOKENS:  [7,9)',
      ' DATA TRANSFER:  [9,11)',
      'presentation:  [11,20)',
      ' user data:  [11,20)',
      '  presentation data values:  [13,20)',
      '   context: 3 [15,18)',
      '   value:  [18,20)',
      'MMS:  [20,32)',
      ' confirmed response:  [20,32)',
      '  invokeID: 1 [22,25)',
      '  Read:  [25,32)',
      '   results:  [27,32)',
      '    integer: 1 [29,32)',
    ]);
  });

  it('names the results of a read after its request', () => {
    const [request, response] = readCapture('22').events.slice(4);
    const { nodes } = explainTpkt(response?.bytes ?? new Uint8Array(0), { kind: 'rx', request: request?.bytes ?? null });
    const text = lines(nodes).join('\n');
    expect(text).toMatch(/ EMS1LD0\/[^:]+: float: /);
    expect(text).toContain('failure: object-non-existent (10)');
  });

  it('says values as people read them', () => {
    const text = (data: string) =>
      lines(
        explainTpkt(
          mms(
            `a1${((data.length / 2 + 7) | 0).toString(16).padStart(2, '0')} 020101 a4${(data.length / 2 + 2).toString(16).padStart(2, '0')} a1${(data.length / 2).toString(16).padStart(2, '0')} ${data}`,
          ),
          rx,
        ).nodes,
      ).at(-1);
    expect(text('8403034300')).toContain('bit-string: 0100001100000 (invalid failure oldData)');
    expect(text('91086 5e1cb70c9fbe7aa'.replaceAll(' ', ''))).toContain('2024-03-01T12:34:56.789Z (clock not synchronized)');
    expect(text('91080000000000000000')).toContain('never set');
    expect(text('8a00')).toContain('visible-string: ""');
    expect(text('8904c0a80001')).toContain('octet-string: C0 A8 00 01');
    expect(text('80010a')).toContain('failure: object-non-existent (10)');
    expect(text('8501fd')).toContain('integer: -3');
    expect(text('8f0101')).toContain('other type: 01');
  });

  it('shows what is wrong at its place, and goes on behind it', () => {
    const { nodes, summary } = explainTpkt(mms('a10d 020101 a405 a103 8505ff 8001'), rx);
    expect(errors(nodes)[0]).toBe('FF — 4 of 5 octets are missing');
    expect(summary).toContain('MMS that cannot be read');
    const { nodes: wrong } = explainTpkt(octets('05010009 02f08001'), rx);
    expect(errors(wrong)).toEqual(['5 — 3 would be right', '9 — the frame has 8 octets']);
    expect(explainTpkt(octets('0300'), rx).summary).toBe('unfinished frame: 03 00');
    expect(explainTpkt(octets('474554'), { kind: 'noise', request: null })).toMatchObject({ summary: '3 octets that are no frame' });
    expect(explainTpkt(new Uint8Array(0), rx)).toEqual({ summary: '', nodes: [], secrets: [] });
  });

  it('explains transport and session with their parameters, known or not', () => {
    const text = lines(explainTpkt(octets(tpkt('14e00000000110c1020001c60101c2020001c0010d')), rx).nodes).join('\n');
    for (const line of ['class: 1', 'calling selector: 00 01', 'parameter C6: 01', 'TPDU size: 8192']) expect(text).toContain(line);
    expect(explainTpkt(octets(tpkt('06800001000188')), rx).summary).toBe('DR, connection request refused');
    expect(explainTpkt(octets(tpkt('0470000102')), rx).summary).toBe('ER, cause 2');
    expect(explainTpkt(dt('0c03320181'), rx).summary).toBe('REFUSE');
    expect(lines(explainTpkt(dt('0c03320181'), rx).nodes)).toContain(' reason: 81 [9,12)');
  });

  it('bounds what it explains of a frame with very many elements', () => {
    const pdu = Buffer.concat([octets('a182fde8020101a482fde1a182fddd'), Buffer.alloc(64_989, octets('830101'))]);
    const presentation = octets('01000100 6182fdf7 3082fdf3 020103 a082fdec');
    const bytes = octets(tpkt(`02f080${hex(presentation)}${hex(pdu)}`));
    expect(lines(explainTpkt(bytes, rx).nodes).length).toBeLessThan(4100);
  });
});

describe('the password of an association', () => {
  it('is a secret range', () => {
    const [, , connect] = readCapture('05').events;
    const bytes = connect?.bytes ?? new Uint8Array(0);
    const { secrets, nodes } = explainTpkt(bytes, rx);
    const at = Buffer.from(bytes).indexOf('wrong');
    expect(secrets.some(({ start, end }) => start <= at && end >= at + 5)).toBe(true);
    expect(lines(nodes).join()).toContain('password:');
    expect(explainTpkt(readCapture('01').events[2]?.bytes ?? new Uint8Array(0), rx).secrets).toEqual([]);
  });

  it('is secret in every segment of the CONNECT, whatever the TPDU size, its length and the titles', () => {
    for (let length = 1; length <= 64; length++) {
      for (const apTitle of [null, '1.1.1.999.1', '1.3.6.1.4.1.99999.1.2.3.4.5.6.7.8.9']) {
        const password = Buffer.alloc(length, '~');
        const bench = new OsiBench('initiator', { password, tpduSize: 128, remote: { ...REMOTE, apTitle }, local: { ...LOCAL, apTitle } });
        bench.osi.start(octets('a826800300fde881010582010583010aa416800101810305f100820c03ee1c00000408000079ef18'));
        bench.push(tpkt('09d00001000100c00107'));
        const segments = bench.sent.slice(1).map(octets);
        const whole = Buffer.concat(segments.map((bytes) => bytes.subarray(7)));
        const from = whole.indexOf(Buffer.concat([octets('520301'), Buffer.from([0xac, length + 2, 0x80, length])])) + 7;
        const shown = segments.flatMap((bytes, segment) => {
          const { secrets } = explainTpkt(bytes, { kind: 'tx', request: null });
          const isPassword = (at: number) => at >= 7 && at - 7 + segment * 125 >= from && at - 7 + segment * 125 < from + length;
          return [...bytes.keys()].filter((at) => isPassword(at) && !secrets.some(({ start, end }) => at >= start && at < end));
        });
        expect(from).toBeGreaterThan(100);
        if (shown.length > 0) expect.fail(`${shown.length} octets of a password of ${length} are shown, AP title ${apTitle}`);
      }
    }
  });

  it('masks nothing of other frames', () => {
    const masked = frames.filter(({ bytes }) => explainTpkt(bytes, rx).secrets.length > 0).map((frame) => frame.place);
    expect(masked.filter((place) => !/^(04|05|62)-/.test(place))).toEqual([]);
    expect(connectTsdu(LOCAL, REMOTE, null, new Uint8Array(0)).length).toBeGreaterThan(0);
  });
});
