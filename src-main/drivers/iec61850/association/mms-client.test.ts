import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../../../platform/manual-clock.ts';
import { spoken } from '../../testing/spoken.ts';
import { encodeMms, encodeService } from '../mms/codec.ts';
import { octets } from '../testing/captures.ts';
import { IDENTITY, MmsBench } from '../testing/mms-bench.ts';
import { tpkt } from '../testing/osi-bench.ts';
import { refusalOf } from './refusals.ts';

const READ = {
  service: 'read',
  spec: { kind: 'variables', items: [{ name: { scope: 'domain', domain: 'LD0', item: 'LLN0$ST$Beh$stVal' }, access: null }] },
  withSpecification: false,
} as const;
const VALUE = { service: 'read', spec: null, results: [{ kind: 'integer', value: 1 }] } as const;
const ABORTS = { kind: 'failed', error: { code: 'TRANSPORT_LOST', message: 'The peer aborted the association.' } };

describe('association', () => {
  it('proposes what the settings say, and lives with what the server takes', async () => {
    const bench = new MmsBench({
      settings: { maxPduOctets: 30_000, maxOutstanding: 3 },
      initiate: { localDetail: 1000, maxCalling: 2, maxCalled: 4 },
    });
    const negotiated = await bench.associate();
    expect(negotiated).toMatchObject({ maxPduOctets: 1000, window: 2, nesting: 10, tpduSize: 8192 });
    expect([0, 1, 2, 3, 4, 84].map(negotiated.supports)).toEqual([true, true, true, false, true, true]);
    expect(negotiated.supports(900)).toBe(false);
    expect([bench.client.isOpen, bench.client.negotiated]).toEqual([true, negotiated]);
  });

  it.each([
    [{ localDetail: null }, { maxPduOctets: 65_000 }],
    [{ localDetail: 70_000 }, { maxPduOctets: 65_000 }],
    [{ maxCalling: 0, maxCalled: 0 }, { window: 1 }],
    [{ maxCalling: 100, maxCalled: 100 }, { window: 5 }],
    [{ nesting: null }, { nesting: null }],
  ])('negotiates %j', async (initiate, wanted) => {
    expect((await MmsBench.open({ initiate })).client.negotiated).toMatchObject(wanted);
  });

  it('gives up a server whose PDUs are too small for anything', async () => {
    const bench = new MmsBench({ initiate: { localDetail: 10 } });
    await expect(bench.associate()).rejects.toMatchObject({ code: 'PROTOCOL_MISMATCH' });
    expect(bench.lineCloses).toBe(1);
  });

  it('sends the password, and tells a wrong one as a refusal although the server only closes (05)', async () => {
    const bench = new MmsBench({ settings: { password: 'wrong' } });
    bench.answer = { kind: 'close' };
    const associated = bench.client.associate();
    const refused = expect(associated).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED', message: expect.stringContaining('refused') });
    await settle();
    expect(bench.password).toBe('wrong');
    bench.client.lineEnded({ kind: 'peer' });
    await refused;
    expect([bench.losses, bench.lineCloses]).toEqual([[], 1]);
  });

  it('tells the diagnostic of a refusal, and the error of an initiate', async () => {
    const bench = new MmsBench();
    bench.answer = { kind: 'refuse', diagnostic: 9 };
    await expect(bench.associate()).rejects.toMatchObject({ message: expect.stringContaining('called AE qualifier not recognized') });
    const other = new MmsBench();
    other.answer = { kind: 'accept', initiate: octets('aa05a003880101') };
    await expect(other.associate()).rejects.toMatchObject({
      code: 'PROTOCOL_REFUSED',
      message: expect.stringContaining('version-incompatible'),
    });
    const wrong = new MmsBench();
    wrong.answer = { kind: 'accept', initiate: octets('8c00') };
    await expect(wrong.associate()).rejects.toMatchObject({ code: 'PROTOCOL_MISMATCH' });
  });

  it('does not wait for ever for a server that never answers, and can be cancelled', async () => {
    const bench = new MmsBench();
    bench.isServerDeaf = true;
    const associated = bench.client.associate();
    const failed = expect(associated).rejects.toMatchObject({ code: 'TIMEOUT_CONNECT' });
    await bench.clock.advance(10_000);
    await failed;
    expect(bench.lineCloses).toBe(1);
    const other = new MmsBench();
    other.isServerDeaf = true;
    const end = new AbortController();
    const cancelled = expect(other.client.associate(end.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
    end.abort();
    await cancelled;
    expect(other.lineCloses).toBe(1);
    await expect(new MmsBench().client.associate(AbortSignal.abort())).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('refuses requests without an association', async () => {
    const bench = new MmsBench();
    await expect(bench.client.request({ service: 'identify' })).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    await bench.client.close();
    expect(bench.log).toEqual([]);
  });
});

describe('requests', () => {
  it('answers the response that carries the number of the request', async () => {
    const bench = await MmsBench.open();
    const first = bench.ask();
    const second = bench.ask(READ);
    await settle();
    expect(bench.asked).toMatchObject([
      { kind: 'request', invokeId: 1, request: { service: 'identify' } },
      { kind: 'request', invokeId: 2, request: READ },
    ]);
    await bench.say({ kind: 'response', invokeId: 2, response: VALUE });
    expect([first.outcome, second.outcome]).toEqual([null, VALUE]);
    await bench.identify(1);
    expect(first.outcome).toEqual(IDENTITY);
    expect(bench.health).toEqual({ request: 2, response: 2, timeout: 0, refusal: 0, fault: 0, late: 0 });
    const answers = bench.log.filter((frame) => frame.kind === 'rx').slice(-2);
    const asked = bench.log.filter((frame) => frame.kind === 'tx').slice(-2);
    expect(answers.map((frame) => frame.link)).toEqual([asked[1]?.seq, asked[0]?.seq]);
  });

  it.each([1, 2, 5])('never has more outstanding than the window of %i, and goes on in order', async (window) => {
    const bench = await MmsBench.open({ initiate: { maxCalling: window, maxCalled: 9 } });
    const asked = Array.from({ length: 12 }, () => bench.ask());
    await settle();
    expect([bench.invokeIds.length, bench.client.outstanding]).toEqual([window, window]);
    for (let id = 1; id <= 12; id++) await bench.identify(id);
    expect(asked.every((item) => item.outcome !== null)).toBe(true);
    expect(bench.invokeIds).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    expect(bench.mostOutstanding).toBe(window);
  });

  it('tells errors and rejects of the server in words, and the association stands', async () => {
    const bench = await MmsBench.open();
    const failures: AppError[] = [];
    for (const pdu of ['a2 0a 8001ID a205 a003 870102', 'a4 06 8001ID 810101']) {
      const request = bench.client.request(READ).catch((error: AppError) => failures.push(error));
      await settle();
      await bench.say(octets(pdu.replace('ID', `0${failures.length + 1}`)));
      await request;
    }
    expect(failures.map((error) => error.code)).toEqual(['DEVICE_EXCEPTION', 'DEVICE_REJECTED']);
    expect(spoken(failures.map((error) => refusalOf(error)))).toMatchObject([
      { kind: 'service-error', error: { errorClass: 7, code: 2 }, detail: 'access: object-non-existent (7/2)' },
      { kind: 'reject', reason: 1, code: 1 },
    ]);
    expect(refusalOf(new AppError('TIMEOUT_RESPONSE', quoted('')))).toBeNull();
    expect([bench.client.isOpen, bench.health.refusal]).toEqual([true, 2]);
  });

  it('times out alone where one service is never answered, and drops its late answer (pitfalls 13 and 19)', async () => {
    const bench = await MmsBench.open();
    const silent = bench.ask();
    await bench.clock.advance(4999);
    expect(silent.outcome).toBeNull();
    await bench.clock.advance(1);
    expect([silent.outcome, bench.client.isOpen]).toEqual(['TIMEOUT_RESPONSE', true]);
    const read = bench.ask(READ);
    await settle();
    await bench.identify(1);
    expect([read.outcome, bench.client.dropped]).toEqual([null, { late: 1, unknown: 0 }]);
    const late = bench.log.at(-1);
    expect([late?.kind, late?.link]).toEqual(['late', bench.log.find((frame) => frame.kind === 'tx' && frame.bytes.length === 27)?.seq]);
    await bench.say({ kind: 'response', invokeId: 2, response: VALUE });
    expect(read.outcome).toEqual(VALUE);
    expect(bench.health).toMatchObject({ timeout: 1, late: 1, fault: 0 });
  });

  it('counts and drops answers that nobody asked for, also with one request waiting (pitfall 13)', async () => {
    const bench = await MmsBench.open();
    const asked = bench.ask();
    await settle();
    for (const pdu of [
      { kind: 'response', invokeId: 77, response: IDENTITY } as const,
      { kind: 'error', invokeId: 2 ** 32 - 1, error: { errorClass: 7, code: 1, additionalCode: null, text: null } } as const,
      { kind: 'reject', invokeId: 9, reason: 1, code: 1 } as const,
    ])
      await bench.say(pdu);
    await bench.say({ kind: 'reject', invokeId: null, reason: 5, code: 0 });
    expect([asked.outcome, bench.client.dropped, bench.health.fault]).toEqual([null, { late: 0, unknown: 3 }, 4]);
    expect(bench.log.filter((frame) => frame.kind === 'late').map((frame) => frame.text)).toContain(
      'An answer with invokeID 77, which was not asked.',
    );
    await bench.identify(1);
    expect(asked.outcome).toEqual(IDENTITY);
  });

  it('gives up the association after two timeouts in a row, and no sooner', async () => {
    const bench = await MmsBench.open();
    const first = bench.ask();
    await bench.clock.advance(5000);
    const answered = bench.ask(READ);
    await settle();
    await bench.say({ kind: 'response', invokeId: 2, response: VALUE });
    const second = bench.ask();
    await bench.clock.advance(5000);
    expect([first.outcome, answered.outcome, second.outcome, bench.losses]).toEqual(['TIMEOUT_RESPONSE', VALUE, 'TIMEOUT_RESPONSE', []]);
    const waiting = bench.ask(READ, { timeoutMs: 20_000 });
    const third = bench.ask();
    await bench.clock.advance(5000);
    expect([third.outcome, waiting.outcome]).toEqual(['TIMEOUT_RESPONSE', 'TIMEOUT_RESPONSE']);
    expect(bench.losses).toEqual(['TIMEOUT_RESPONSE: The device left 2 requests in a row without an answer.']);
    expect(bench.lineCloses).toBe(1);
    expect(bench.serverEnd).toMatchObject(ABORTS);
    expect(bench.ask().outcome).toBeNull();
  });

  it('does not give up a server that answers everything late', async () => {
    const bench = await MmsBench.open();
    for (let invokeId = 1; invokeId <= 6; invokeId++) {
      const asked = bench.ask();
      await bench.clock.advance(5000);
      expect(asked.outcome).toBe('TIMEOUT_RESPONSE');
      await bench.identify(invokeId);
    }
    expect([bench.losses, bench.client.dropped, bench.health.late]).toEqual([[], { late: 6, unknown: 0 }, 6]);
    const prompt = bench.ask();
    await settle();
    await bench.identify(7);
    await bench.identify(7);
    expect([prompt.outcome, bench.client.dropped.unknown]).toEqual([IDENTITY, 1]);
  });

  it('keeps the place of what was given up, for a minute and while another is left', async () => {
    const bench = await MmsBench.open({ initiate: { maxCalling: 2 } });
    bench.ask();
    await bench.clock.advance(5000);
    for (let count = 0; count < 3; count++) bench.ask();
    await settle();
    expect(bench.client.outstanding).toBe(1);
    await bench.identify(2);
    expect([bench.client.outstanding, bench.mostOutstanding]).toEqual([1, 2]);
    await bench.identify(1);
    expect(bench.client.outstanding).toBe(2);
    const narrow = await MmsBench.open({ initiate: { maxCalling: 1 } });
    narrow.ask();
    await narrow.clock.advance(5000);
    narrow.ask();
    await settle();
    expect(narrow.invokeIds).toEqual([1, 2]);
  });

  it('leaves the queue when it is cancelled, and waits once it was sent', async () => {
    const bench = await MmsBench.open({ initiate: { maxCalling: 1 } });
    const end = new AbortController();
    const sent = bench.ask(READ, { signal: end.signal });
    const queued = bench.ask(READ, { signal: end.signal });
    await settle();
    end.abort();
    await settle();
    expect([sent.outcome, queued.outcome, bench.ask(READ, { signal: end.signal }).outcome]).toEqual([null, 'CANCELLED', null]);
    await bench.say({ kind: 'response', invokeId: 1, response: VALUE });
    expect([sent.outcome, bench.invokeIds]).toEqual([VALUE, [1]]);
  });

  it('refuses a request that does not fit the PDU size, without sending it', async () => {
    const bench = await MmsBench.open({ initiate: { localDetail: 64, maxCalling: 1 } });
    const item = { name: { scope: 'domain', domain: 'LD0', item: 'X'.repeat(60) }, access: null } as const;
    const asked = bench.ask({ ...READ, spec: { kind: 'variables', items: [item] } });
    const next = bench.ask();
    await settle();
    expect([asked.outcome, bench.asked.length, bench.health.request]).toEqual(['CONFIG_RANGE', 1, 1]);
    expect(asked.message).toMatch(/has \d+ octets; the device takes at most 64/);
    await bench.identify(bench.invokeIds[0] ?? 0);
    expect(next.outcome).toEqual(IDENTITY);
  });

  it('fails the request whose answer is of another service or cannot be read, and no other', async () => {
    const bench = await MmsBench.open();
    const [other, broken, right] = [bench.ask(), bench.ask(), bench.ask()];
    await settle();
    await bench.say({ kind: 'response', invokeId: 1, response: VALUE });
    await bench.say(octets('a106020102a20180'));
    await bench.say(octets('b00100'));
    await bench.identify(3);
    expect([other?.outcome, broken?.outcome, right?.outcome]).toEqual(['PROTOCOL_MISMATCH', 'PROTOCOL_MALFORMED', IDENTITY]);
    expect([bench.client.isOpen, bench.health.fault]).toEqual([true, 2]);
  });

  it('hands over reports, also between a request and its answer (pitfall 13)', async () => {
    const bench = await MmsBench.open();
    const asked = bench.ask();
    await settle();
    const report = { spec: { kind: 'list', name: { scope: 'vmd', item: 'RPT' } }, results: [{ kind: 'boolean', value: true }] } as const;
    await bench.say({ kind: 'information-report', report });
    expect([bench.reports, asked.outcome]).toEqual([[report], null]);
    await bench.identify(1);
    expect(asked.outcome).toEqual(IDENTITY);
  });

  it('hands over reports whose octets outlive the chunk they came in', async () => {
    const bench = await MmsBench.open();
    const quality = { kind: 'bit-string', size: 13, octets: Uint8Array.of(0x40, 0) } as const;
    const pdu = encodeMms({
      kind: 'information-report',
      report: { spec: { kind: 'list', name: { scope: 'vmd', item: 'RPT' } }, results: [quality] },
    });
    const chunk = Buffer.from([3, 0, 0, pdu.length + 20, 2, 0xf0, 0x80, 1, 0, 1, 0, 0x61, pdu.length + 7, 0x30, pdu.length + 5, 2, 1, 3]);
    const whole = Buffer.concat([chunk, Uint8Array.of(0xa0, pdu.length), pdu]);
    await bench.receive(whole);
    whole.fill(0);
    expect(bench.reports[0]?.results).toEqual([quality]);
  });

  it('sends a service that is encoded already as it would have encoded it, over several segments as well', async () => {
    const bench = await MmsBench.open({ settings: { tpduSize: 128 } });
    const items = Array.from({ length: 9 }, (_, at) => ({
      name: { scope: 'domain', domain: 'BAY1LD0', item: `GGIO1$MX$AnIn${at}` } as const,
      access: null,
    }));
    const request = { service: 'read', spec: { kind: 'variables', items }, withSpecification: false } as const;
    bench.ask(request);
    bench.ask(request, { service: encodeService(request) });
    await settle();
    expect(bench.asked).toEqual([1, 2].map((invokeId) => ({ kind: 'request', invokeId, request })));
    const sent = bench.log.filter(({ kind }) => kind === 'tx').slice(-8);
    expect(new Set(sent.map(({ bytes }) => bytes.length > 135))).toEqual(new Set([false]));
  });

  it('rejects what a server asks, and answers its conclude', async () => {
    const bench = await MmsBench.open();
    await bench.say({ kind: 'request', invokeId: 5, request: { service: 'identify' } });
    await bench.say({ kind: 'conclude-request' });
    expect(bench.asked).toEqual([{ kind: 'reject', invokeId: 5, reason: 1, code: 1 }, { kind: 'conclude-response' }]);
  });

  it('begins anew below 2^31, and uses no number that is still open', async () => {
    const bench = await MmsBench.open();
    bench.ask();
    await bench.clock.advance(5000);
    const ids = new Set<number>();
    for (let count = 0; count < 20; count++) {
      const asked = bench.ask();
      await settle();
      const id = bench.invokeIds.at(-1) ?? 0;
      expect(ids.has(id)).toBe(false);
      ids.add(id);
      await bench.identify(id);
      expect(asked.outcome).toEqual(IDENTITY);
    }
    expect(Math.max(...ids)).toBeLessThan(2 ** 31);
  });
});

describe('the end', () => {
  it.each([
    ['closes in the middle', (bench: MmsBench) => bench.client.lineEnded({ kind: 'peer' }), 'TRANSPORT_LOST'],
    [
      'is gone',
      (bench: MmsBench) => bench.client.lineEnded({ kind: 'failed', error: new AppError('TRANSPORT_LOST', quoted('reset')) }),
      'TRANSPORT_LOST',
    ],
    ['aborts', (bench: MmsBench) => bench.server.abort(), 'TRANSPORT_LOST'],
    ['disconnects', (bench: MmsBench) => bench.server.disconnect(), 'TRANSPORT_LOST'],
    ['releases', (bench: MmsBench) => bench.server.release(), 'TRANSPORT_LOST'],
    ['sends garbage', (bench: MmsBench) => bench.client.receive(octets('4745')), 'FRAME_NOISE'],
    ['sends a PDU over the limit', (bench: MmsBench) => bench.server.send(new Uint8Array(66_000)), 'FRAME_LENGTH'],
    [
      'sends data of another context',
      (bench: MmsBench) => bench.client.receive(octets(tpkt('02f0800100010061093007020101a0028b00'))),
      'PROTOCOL_MISMATCH',
    ],
  ])('fails what is under way and waiting once, when the server %s', async (_, act, code) => {
    const bench = await MmsBench.open({ initiate: { maxCalling: 1 } });
    const [first, second] = [bench.ask(), bench.ask()];
    await settle();
    act(bench);
    await settle();
    expect([first?.outcome, second?.outcome]).toEqual([code, code]);
    expect(bench.losses).toHaveLength(1);
    expect([bench.losses[0]?.startsWith(code), bench.lineCloses, bench.client.isOpen]).toEqual([true, 1, false]);
    const after = bench.ask();
    await settle();
    expect(after.outcome).toBe('TRANSPORT_NOT_CONNECTED');
    await bench.client.close();
    expect(bench.losses).toHaveLength(1);
  });

  it('gives a peer up that leaves a frame unfinished', async () => {
    const bench = await MmsBench.open();
    await bench.receive('0300');
    await bench.clock.advance(10_000);
    expect(bench.losses[0]).toContain('TIMEOUT_RESPONSE: 2 octets of an unfinished frame');
  });

  it('concludes and releases in order', async () => {
    const bench = await MmsBench.open();
    bench.onAsked = (pdu) => {
      if (pdu.kind === 'conclude-request') void bench.say({ kind: 'conclude-response' });
    };
    await bench.client.close();
    expect(bench.asked).toEqual([{ kind: 'conclude-request' }]);
    expect([bench.serverEnd?.kind, bench.losses, bench.lineCloses]).toEqual(['released', [], 0]);
    expect(bench.log.slice(-4).map((frame) => `${frame.kind} ${frame.bytes.length}`)).toEqual(['tx 22', 'rx 22', 'tx 25', 'rx 22']);
    await bench.client.close();
  });

  it.each([
    ['a disconnect (92)', (bench: MmsBench) => bench.server.disconnect()],
    ['closing', (bench: MmsBench) => bench.client.lineEnded({ kind: 'peer' })],
    ['an abort', (bench: MmsBench) => bench.server.abort()],
    ['an error', (bench: MmsBench) => void bench.say(octets('ad05a003890101'))],
  ])('is content when the server answers the conclude with %s (pitfall 20)', async (_, act) => {
    const bench = await MmsBench.open();
    bench.onAsked = () => act(bench);
    await bench.client.close();
    expect([bench.losses, bench.client.isOpen]).toEqual([[], false]);
  });

  it('waits briefly for a server that does not answer the conclude, nor the release', async () => {
    const bench = await MmsBench.open();
    bench.isServerDeaf = true;
    let isClosed = false;
    void bench.client.close().then(() => {
      isClosed = true;
    });
    await bench.clock.advance(3999);
    expect(isClosed).toBe(false);
    await bench.clock.advance(1);
    expect([isClosed, bench.losses]).toEqual([true, []]);
  });

  it('sends no conclude while a call is outstanding, and refuses what waits', async () => {
    const bench = await MmsBench.open({ initiate: { maxCalling: 1 } });
    const [under, queued] = [bench.ask(), bench.ask()];
    await settle();
    bench.onAsked = (pdu) => {
      if (pdu.kind === 'conclude-request') void bench.say({ kind: 'conclude-response' });
    };
    const closed = bench.client.close();
    await settle();
    expect([bench.asked.length, queued?.outcome]).toEqual([1, 'CANCELLED']);
    await bench.identify(1);
    await closed;
    expect([under?.outcome, bench.asked.at(-1)]).toEqual([IDENTITY, { kind: 'conclude-request' }]);
  });

  it('aborts instead when the calls do not end', async () => {
    const bench = await MmsBench.open();
    const under = bench.ask();
    await settle();
    const closed = bench.client.close();
    await bench.clock.advance(2000);
    await closed;
    expect([under.outcome, bench.asked.length, bench.serverEnd]).toEqual(['CANCELLED', 1, expect.objectContaining({ kind: 'failed' })]);
    expect(bench.losses).toEqual([]);
  });

  it('aborts at once', async () => {
    const bench = await MmsBench.open();
    const under = bench.ask();
    await settle();
    bench.client.abort();
    bench.client.abort();
    await settle();
    expect([under.outcome, bench.losses, bench.serverEnd?.kind]).toEqual(['CANCELLED', [], 'failed']);
  });
});
