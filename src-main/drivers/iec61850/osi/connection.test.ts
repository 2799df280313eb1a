import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { octets, readCapture } from '../testing/captures.ts';
import { type BenchOptions, LOCAL, OsiBench, REMOTE, tpkt } from '../testing/osi-bench.ts';
import { encodeApdu, MMS_APPLICATION_CONTEXT } from './acse.ts';
import { NO_END_POINT } from './connection.ts';
import { encodeConnect } from './cotp.ts';
import { acceptTsdu, connectTsdu, readConnect } from './establishment.ts';
import { encodePpdu } from './presentation.ts';
import { decodeSpdu, encodeSpdu } from './session.ts';

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const INITIATE = 'a826800300fde881010582010583010aa416800101810305f100820c03ee1c00000408000079ef18';
const ANSWER = 'a926800300fde881010582010583010aa416800101810305f100820c03ee1c00000002000000ed18';
const [, CC = '', , ACCEPT = ''] = readCapture('01').events.map((event) => hexOf(event.bytes));
const dt = (tsdu: string) => tpkt(`02f080${tsdu}`);
const ABORT = dt('191511010bc110a00e610c300a020101a0056403800100');

function calling(options: BenchOptions = {}): OsiBench {
  const bench = new OsiBench('initiator', options);
  bench.osi.start(octets(INITIATE));
  return bench;
}

function connected(options: BenchOptions = {}): OsiBench {
  const bench = calling(options);
  bench.push(CC);
  bench.push(ACCEPT);
  bench.take();
  return bench;
}

function serving(options: BenchOptions = {}): OsiBench {
  const bench = new OsiBench('responder', options);
  bench.answer = { kind: 'accept', initiate: octets(ANSWER) };
  bench.osi.start(null);
  return bench;
}

/** Both ends on one line. */
function pair(client: OsiBench, server: OsiBench): void {
  client.onSent = (bytes) => server.push(Uint8Array.from(bytes));
  server.onSent = (bytes) => client.push(Uint8Array.from(bytes));
  server.osi.start(null);
  client.osi.start(octets(INITIATE));
}

describe('initiator', () => {
  it('associates as the golden client does, and releases in order', async () => {
    const bench = calling();
    const wanted = readCapture('01')
      .events.filter((event) => event.from === 'client')
      .map((event) => hexOf(event.bytes));
    expect(bench.take()).toEqual([wanted[0]]);
    bench.push(CC);
    expect(bench.take()).toEqual([wanted[1]]);
    bench.push(ACCEPT);
    expect([bench.osi.state, bench.initiate, bench.osi.tpduSize]).toEqual(['open', ANSWER, 8192]);
    bench.osi.send(octets('a0050201018200'));
    expect(bench.take()).toEqual([wanted[2]]);
    bench.osi.release();
    expect(bench.take()).toEqual([dt('0910c10e610c300a020101a0056203800100')]);
    bench.push(dt('0a0dc10b61093007020101a0026300'));
    expect([bench.endCode, bench.ends, bench.clock.pending]).toEqual(['released', 1, 0]);
  });

  it('leaves out every selector and title that is null (capture 02), and sends a password (capture 04)', () => {
    const names = { apTitle: null, aeQualifier: null };
    const without = calling({ local: { ...LOCAL, ...names }, remote: { ...REMOTE, ...names } });
    without.push(CC);
    const [, second = ''] = without.take();
    expect(second).toContain('6042a107060528ca220203be'.slice(4));
    expect(second).not.toContain('a206');
    const bare = calling({ local: NO_END_POINT, remote: NO_END_POINT, tpduSize: null });
    expect(bare.take()).toEqual([tpkt('06e00000000100')]);
    const [, , aarq] = readCapture('04').events;
    const secret = calling({ password: Buffer.from('secret-12345').subarray(0, 12) });
    secret.push(CC);
    const recorded = hexOf(aarq?.bytes ?? new Uint8Array(0));
    expect(secret.take()[1]?.length).toBe(recorded.length);
    expect(recorded).toContain('8a0204808b03520301ac0e800c');
  });

  it.each([
    ['closes TCP', (bench: OsiBench) => bench.osi.lineEnded({ kind: 'peer' })],
    ['disconnects the transport', (bench: OsiBench) => bench.push(tpkt('06800001000003'))],
    ['refuses the session', (bench: OsiBench) => bench.push(dt('0c03320181'))],
    ['aborts', (bench: OsiBench) => bench.push(ABORT)],
    [
      'refuses a context',
      (bench: OsiBench) => bench.push(ACCEPT.replace('300780010081025101300780010081025101', '300780010081025101300780010281025101')),
    ],
    ['refuses in its AARE', (bench: OsiBench) => bench.push(ACCEPT.replace('a203020100a305a103020100', 'a203020101a305a10302010d'))],
  ])('tells that the association was refused when the peer %s (pitfall: no AARE)', (_, act) => {
    const bench = calling();
    bench.push(CC);
    act(bench);
    expect(bench.endCode).toBe('PROTOCOL_REFUSED');
    expect([bench.ends, bench.clock.pending]).toEqual([1, 0]);
  });

  it('tells the diagnostic of a refusal', () => {
    const bench = calling();
    bench.push(CC);
    bench.push(ACCEPT.replace('a203020100a305a103020100', 'a203020101a305a10302010d'));
    expect(bench.endMessage).toContain('authentication failure');
  });

  it('tells the reason of a refusal by session or presentation', () => {
    const refused = (userData: Uint8Array, reason: number | null) => {
      const bench = calling();
      bench.push(CC);
      bench.push(dt(hexOf(encodeSpdu({ kind: 'refuse', reason, userData }))));
      return bench.endMessage;
    };
    expect(refused(new Uint8Array(0), null)).toContain('no reason given');
    expect(refused(new Uint8Array(0), 130)).toContain('reason 130 of the session');
    expect(refused(encodePpdu({ kind: 'refuse', results: [], reason: 3, data: [] }), 2)).toContain('reason 3 of the presentation');
    const aare = {
      kind: 'aare',
      applicationContext: MMS_APPLICATION_CONTEXT,
      result: 1,
      diagnosticSource: 'user',
      diagnostic: 7,
      responding: NO_END_POINT,
      information: null,
    } as const;
    const data = [{ contextId: 1, octets: encodeApdu(aare) }];
    expect(refused(encodePpdu({ kind: 'refuse', results: [], reason: null, data }), 2)).toContain('called AP title not recognized');
  });

  it('waits for the association as long as it was told, from the start on', async () => {
    const bench = calling({ associateTimeoutMs: 3000 });
    await bench.clock.advance(2000);
    bench.push(CC);
    await bench.clock.advance(999);
    expect(bench.end).toBeNull();
    await bench.clock.advance(1);
    expect([bench.endCode, bench.clock.pending]).toEqual(['TIMEOUT_CONNECT', 0]);
  });

  it.each([
    ['a CR', tpkt('11e00000000100c0010dc2020001c1020001')],
    ['data before the CC', dt('01000100')],
    ['another class', CC.replace('d00001000100', 'd00001000120')],
    ['no TPDU', tpkt('02c000')],
    ['no TPKT', '0102'],
  ])('ends with the reason when %s comes', (_, octetsText) => {
    const bench = calling();
    bench.push(octetsText);
    expect(bench.endCode).toMatch(/^(PROTOCOL|FRAME)_/);
    expect(bench.frames.length + bench.noise.length).toBe(1);
  });

  it.each([
    ['a CONNECT', dt('0d00')],
    ['data before the ACCEPT', dt('0100010061093007020103a0028b00')],
    ['an ACCEPT without results', dt('0e00')],
    ['no SPDU', dt('77')],
    ['a DISCONNECT', dt('0a00')],
  ])('ends with the reason when %s comes in place of the ACCEPT', (_, octetsText) => {
    const bench = calling();
    bench.push(CC);
    bench.push(octetsText);
    expect(bench.endCode).toMatch(/^PROTOCOL_M/);
  });

  it('takes the TPDU size of the CC when it is smaller, in both directions (61, 62)', () => {
    const bench = calling();
    bench.push(CC.replace('c0010d', 'c00107'));
    expect(bench.osi.tpduSize).toBe(128);
    bench.push(ACCEPT);
    const sent = bench.take().slice(1);
    expect(sent.map((item) => item.length / 2 - 4)).toEqual([128, sent[1] ? sent[1].length / 2 - 4 : 0]);
    expect(sent.map((item) => item.slice(8, 14))).toEqual(['02f000', '02f080']);
    const larger = calling({ tpduSize: 1024 });
    larger.push(CC);
    expect(larger.osi.tpduSize).toBe(1024);
    const none = calling({ tpduSize: null });
    none.push(tpkt('06d00001000100'));
    expect(none.osi.tpduSize).toBe(65_531);
  });
});

describe('responder', () => {
  it('accepts any selectors and titles, and echoes the selectors in their roles', () => {
    const bench = serving();
    const events = readCapture('03').events.map((event) => hexOf(event.bytes));
    bench.push(events[0] ?? '');
    bench.push(events[2] ?? '');
    expect(bench.sent[0]).toBe(events[1]);
    // the golden server answers with its own selector of the presentation
    expect(bench.sent[1]).toBe(
      dt(
        (events[3] ?? '')
          .slice(14)
          .replace('0e88', '0e8c')
          .replace('c1743172', 'c1783176')
          .replace('a26b830400000001', 'a26f83080000000000000002'),
      ),
    );
    expect(bench.indication).toMatchObject({ called: { aeQualifier: 23 }, calling: { aeQualifier: 300 }, password: null });
    expect(bench.osi.state).toBe('open');
  });

  it('hands over the password', () => {
    const bench = serving();
    for (const event of readCapture('05').events) if (event.from === 'client') bench.push(event.bytes);
    expect(Buffer.from(bench.indication?.password ?? []).toString()).toBe('wrong');
  });

  it('refuses with an AARE, or by closing', () => {
    const client = calling();
    const server = serving();
    server.answer = { kind: 'refuse', diagnostic: 13 };
    pair(client, server);
    expect([client.endCode, server.endCode]).toEqual(['PROTOCOL_REFUSED', 'aborted']);
    expect(client.endMessage).toContain('authentication failure');
    const silent = new OsiBench('responder');
    silent.osi.start(null);
    for (const event of readCapture('05').events) if (event.from === 'client') silent.push(event.bytes);
    expect([silent.sent.length, silent.endCode]).toEqual([1, 'aborted']);
  });

  it('clamps the TPDU size to that of the client, and offers none where none was offered', () => {
    const size = (offered: number | null, own: number | null) => {
      const bench = serving({ tpduSize: own });
      bench.push(
        tpkt(
          hexOf(
            encodeConnect({
              kind: 'cr',
              destination: 0,
              source: 9,
              class: 0,
              tpduSize: offered,
              callingSelector: null,
              calledSelector: null,
            }),
          ),
        ),
      );
      return [bench.osi.tpduSize, bench.sent[0]?.slice(8)];
    };
    expect(size(1024, 8192)).toEqual([1024, '09d00009000100c0010a']);
    expect(size(8192, 1024)).toEqual([1024, '09d00009000100c0010a']);
    expect(size(8192, null)).toEqual([8192, '09d00009000100c0010d']);
    expect(size(null, 8192)).toEqual([8192, '06d00009000100']);
  });

  it('answers by the identifiers that the client proposed, and refuses contexts it does not know', () => {
    const contexts = [
      { id: 7, abstractSyntax: '1.0.9506.2.1', transferSyntaxes: ['2.1.2', '2.1.1'] },
      { id: 9, abstractSyntax: '1.2.3', transferSyntaxes: ['2.1.1'] },
      { id: 11, abstractSyntax: '2.2.1.0.1', transferSyntaxes: ['2.1.1'] },
    ];
    const none = { apTitle: null, aeQualifier: null };
    const aarq = encodeApdu({
      kind: 'aarq',
      applicationContext: MMS_APPLICATION_CONTEXT,
      called: none,
      calling: none,
      password: null,
      information: { contextId: 7, hasSyntax: true, octets: octets(INITIATE) },
    });
    const ppdu = encodePpdu({
      kind: 'connect',
      callingSelector: null,
      calledSelector: null,
      contexts,
      data: [{ contextId: 11, octets: aarq }],
    });
    const bench = serving();
    bench.push(CC.replace('11d00001', '11e00000'));
    bench.push(dt(hexOf(encodeSpdu({ kind: 'connect', callingSelector: null, calledSelector: null, userData: ppdu }))));
    expect(bench.osi.state).toBe('open');
    expect(bench.sent[1]).toContain('a51b3007800100810251013003800102300780010081025101'.slice(4));
    bench.push(dt('0100010061093007020107a0028b00'));
    expect(bench.received).toEqual(['8b00']);
    bench.osi.send(octets('8c00'));
    expect(bench.sent[2]).toBe(dt('0100010061093007020107a0028c00'));
    bench.push(dt('0100010061093007020103a0028b00'));
    expect(bench.endMessage).toContain('context 3 came, 7 (MMS) would be right');
  });

  it.each(['1.0.9506.2.1', '2.2.1.0.1'])('closes when nobody proposes %s', (syntax) => {
    const connect = decodeSpdu(connectTsdu(LOCAL, REMOTE, null, octets(INITIATE)));
    if (connect.kind !== 'connect') throw new Error('not reached');
    const text = hexOf(connect.userData).replace(
      syntax === '2.2.1.0.1' ? '060452010001' : '060528ca220201',
      syntax === '2.2.1.0.1' ? '060452010002' : '060528ca220209',
    );
    const bench = serving();
    bench.push(CC.replace('11d00001', '11e00000'));
    bench.push(dt(hexOf(encodeSpdu({ ...connect, userData: octets(text) }))));
    expect(bench.endCode).toBe('PROTOCOL_MISMATCH');
  });

  it('answers FINISH with DISCONNECT, and ends', () => {
    const client = new OsiBench('initiator');
    const server = new OsiBench('responder');
    server.answer = { kind: 'accept', initiate: octets(ANSWER) };
    pair(client, server);
    client.osi.release();
    expect([client.endCode, server.endCode]).toEqual(['released', 'released']);
    expect(server.sent.at(-1)).toBe(dt('0a0dc10b61093007020101a0026300'));
  });

  it('closes a client that does not associate in time', async () => {
    const bench = serving();
    await bench.clock.advance(10_000);
    expect(bench.endCode).toBe('TIMEOUT_CONNECT');
  });

  it('round-trips what it reads', () => {
    const connect = decodeSpdu(connectTsdu(LOCAL, REMOTE, octets('61'), octets(INITIATE)));
    if (connect.kind !== 'connect') throw new Error('not reached');
    const request = readConnect(connect);
    expect(request.indication.called).toEqual({ apTitle: REMOTE.apTitle, aeQualifier: 12 });
    expect(decodeSpdu(acceptTsdu(request, { kind: 'refuse', diagnostic: 1 }))).toMatchObject({
      kind: 'accept',
      calledSelector: octets('0001'),
    });
  });
});

describe('association', () => {
  it.each([
    ['DR', (bench: OsiBench) => bench.push(tpkt('06800001000100')), 'TRANSPORT_LOST'],
    ['ER', (bench: OsiBench) => bench.push(tpkt('047000010200')), 'TRANSPORT_LOST'],
    ['an abort of the user', (bench: OsiBench) => bench.push(ABORT), 'TRANSPORT_LOST'],
    ['an abort of the provider', (bench: OsiBench) => bench.push(dt('190a11010bc1053003800105')), 'TRANSPORT_LOST'],
    ['a FINISH', (bench: OsiBench) => bench.push(dt('0910c10e610c300a020101a0056203800100')), 'released'],
    ['TCP close', (bench: OsiBench) => bench.osi.lineEnded({ kind: 'peer' }), 'TRANSPORT_LOST'],
    [
      'a failed line',
      (bench: OsiBench) => bench.osi.lineEnded({ kind: 'failed', error: new AppError('TRANSPORT_LOST', quoted('x')) }),
      'TRANSPORT_LOST',
    ],
    ['our own close', (bench: OsiBench) => bench.osi.lineEnded({ kind: 'local' }), 'aborted'],
    ['garbage', (bench: OsiBench) => bench.push('ff00'), 'FRAME_NOISE'],
    ['a second CC', (bench: OsiBench) => bench.push(CC), 'PROTOCOL_MISMATCH'],
    ['a second ACCEPT', (bench: OsiBench) => bench.push(ACCEPT), 'PROTOCOL_MISMATCH'],
    ['data without its headers', (bench: OsiBench) => bench.push(dt('610b3009020103a0048b00')), 'PROTOCOL_MALFORMED'],
  ])('ends once by %s', (_, act, code) => {
    const bench = connected();
    act(bench);
    expect([bench.endCode, bench.ends, bench.osi.state, bench.clock.pending]).toEqual([code, 1, 'ended', 0]);
    bench.push(ABORT);
    bench.osi.abort();
    bench.osi.release();
    bench.osi.disconnect();
    bench.osi.lineEnded({ kind: 'peer' });
    expect([bench.ends, bench.received]).toEqual([1, []]);
    expect(() => bench.osi.send(octets('8b00'))).toThrow(expect.objectContaining({ code: 'TRANSPORT_NOT_CONNECTED' }));
  });

  it('aborts as the golden client does (capture 06), also when an MMS PDU breaks a rule', () => {
    const bench = connected();
    bench.osi.abort();
    expect([bench.take(), bench.endCode]).toEqual([[ABORT], 'aborted']);
    const other = connected();
    other.onMms = () => {
      throw new AppError('PROTOCOL_MISMATCH', quoted('no'));
    };
    other.push(dt('0100010061093007020103a0028c00'));
    expect([other.take(), other.endCode]).toEqual([[ABORT], 'PROTOCOL_MISMATCH']);
  });

  it.each([
    ['closes', (bench: OsiBench) => bench.osi.lineEnded({ kind: 'peer' })],
    ['sends a DR (pitfall 20)', (bench: OsiBench) => bench.push(tpkt('06800001000100'))],
    ['aborts', (bench: OsiBench) => bench.push(ABORT)],
  ])('takes it as the end that was wanted when the peer %s in place of the DISCONNECT', (_, act) => {
    const bench = connected();
    bench.osi.release();
    act(bench);
    expect(bench.endCode).toBe('released');
  });

  it('does not wait for the DISCONNECT for ever, and takes no data meanwhile', async () => {
    const bench = connected();
    bench.osi.release();
    bench.push(dt('0100010061093007020103a0028c00'));
    expect(bench.received).toEqual([]);
    await bench.clock.advance(2000);
    expect(bench.endCode).toBe('released');
  });

  it('ends by a DR as one stack does', () => {
    const bench = connected();
    bench.osi.disconnect();
    expect([bench.take(), bench.endCode]).toEqual([[tpkt('06800001000180')], 'released']);
  });

  it.each([
    ['a header', '0300'],
    ['a TPKT', '0300001b02f080'],
    ['a segment', tpkt('02f00001000100')],
  ])('closes when %s is not continued for 10 s, and gives new time with each octet', async (_, begin) => {
    const bench = connected();
    bench.push(begin);
    await bench.clock.advance(9999);
    expect(bench.end).toBeNull();
    if (begin !== tpkt('02f00001000100')) {
      bench.push(begin === '0300' ? '00' : '01');
      await bench.clock.advance(9999);
      expect(bench.end).toBeNull();
    }
    await bench.clock.advance(1);
    expect([bench.endCode, bench.clock.pending]).toEqual(['TIMEOUT_RESPONSE', 0]);
    expect(bench.endMessage).toContain('nothing further for 10 s');
  });

  it('has no time limit between whole PDUs', async () => {
    const bench = connected();
    await bench.clock.advance(1_000_000);
    expect([bench.end, bench.clock.pending]).toEqual([null, 0]);
  });

  it('limits what segments join to, by the PDU size', () => {
    const bench = connected({ maxPduOctets: 8000 });
    const part = tpkt(`02f000${'00'.repeat(4000)}`);
    bench.push(part);
    bench.push(part);
    expect(bench.end).toBeNull();
    expect(bench.osi.buffered).toBe(8000);
    bench.push(part);
    expect(bench.endCode).toBe('FRAME_LENGTH');
  });

  it('carries PDUs of any size over TPDUs of any size', () => {
    for (const tpduSize of [128, 1024, 8192, 65_536, null]) {
      const client = new OsiBench('initiator', { tpduSize });
      const server = new OsiBench('responder', { tpduSize: null });
      server.answer = { kind: 'accept', initiate: octets(ANSWER) };
      pair(client, server);
      for (const size of [2, 93, 94, 95, 96, 97, 998, 1000, 8180, 65_000]) {
        const pdu = Uint8Array.from({ length: size }, (_, at) => at & 0xff);
        client.osi.send(pdu);
        server.osi.send(pdu);
        expect(server.received.pop()).toBe(hexOf(pdu));
        expect(client.received.pop()).toBe(hexOf(pdu));
      }
      const most = Math.max(...client.sent.map((item) => item.length / 2 - 4));
      expect(most).toBeLessThanOrEqual(tpduSize ?? 65_531);
      expect(client.end).toBeNull();
    }
  });
});
