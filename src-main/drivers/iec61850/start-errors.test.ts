import { describe, expect, it } from 'vitest';
import type { AppError } from '#shared/domain/errors.ts';
import { ManualClock, settle } from '../../platform/manual-clock.ts';
import { Iec61850Client } from './client.ts';
import { encodeApdu, MMS_APPLICATION_CONTEXT } from './osi/acse.ts';
import { NO_END_POINT } from './osi/connection.ts';
import { encodePpdu } from './osi/presentation.ts';
import { recogniseForeign } from './osi/refusals.ts';
import { encodeSpdu } from './osi/session.ts';
import type { Iec61850Settings } from './settings.ts';
import { hex, octets, readCapture } from './testing/captures.ts';
import { driverSettings } from './testing/client-bench.ts';
import { tpkt } from './testing/osi-bench.ts';

const [, CC, , ACCEPT] = readCapture('01').events.map((event) => hex(event.bytes));
const CONFIRM = CC ?? '';
const dt = (tsdu: Uint8Array) => tpkt(`02f080${hex(tsdu)}`);
const refuse = (reason: number | null, userData: Uint8Array = new Uint8Array(0)) => dt(encodeSpdu({ kind: 'refuse', reason, userData }));
const diagnosed = (diagnostic: number) =>
  (ACCEPT ?? '').replace('a203020100a305a103020100', `a203020101a305a1030201${diagnostic.toString(16).padStart(2, '0')}`);
const ascii = (text: string) => hex(new TextEncoder().encode(text));
const CLOSE = 'close';

/** What a start says when the device answers the first octets and those after the confirm so; hexadecimal, `close`, or nothing. */
async function start(answers: readonly string[], protocol: Record<string, unknown> = {}, password?: string): Promise<AppError> {
  const clock = new ManualClock();
  const nothing = () => undefined;
  const settings = driverSettings(protocol);
  const rest = [...answers];
  let events: { onData(chunk: Uint8Array): void; onClosed(cause: { kind: 'peer' }): void } | null = null;
  const client = new Iec61850Client(
    {
      clock,
      settings,
      points: [],
      secrets: password === undefined ? {} : { association_password: password },
      sink: { values: nothing, notice: nothing, lost: nothing },
      frames: { record: () => 1 },
      health: { request: nothing, response: nothing, timeout: nothing, refusal: nothing, fault: nothing, late: nothing },
      line: {
        label: 'line',
        start: (given) => {
          events = given;
        },
        write: async () => {
          const answer = rest.shift();
          await Promise.resolve();
          if (answer === CLOSE) events?.onClosed({ kind: 'peer' });
          else if (answer !== undefined) events?.onData(octets(answer));
        },
        close: async () => undefined,
      },
    },
    settings.protocol as Iec61850Settings,
  );
  const started = client.start(new AbortController().signal).then(
    () => {
      throw new Error('the start succeeded');
    },
    (error: AppError) => error,
  );
  await settle();
  await clock.advance(20_000);
  return started;
}

describe('a start that is refused names the layer, and what to change', () => {
  it.each([
    [
      'address unknown',
      [tpkt('06800001000003')],
      /COTP\): address unknown\. .*remote_transport_selector \(now 0001\).*OSI-TSEL/,
      'transport',
    ],
    ['negotiation failed', [tpkt('06800001000082')], /connection negotiation failed\. Try another tpdu_size \(now 8192/, 'transport'],
    ['a rejected TPDU', [tpkt('0470000102')], /COTP\): cause 2/, 'transport'],
    [
      'closed at the transport',
      [CLOSE],
      /connection request of the transport \(COTP\) was not answered.*wants TLS.*tpdu_size/,
      'closed-at-transport',
    ],
    [
      'unknown session selector',
      [CONFIRM, refuse(129)],
      /the session: session selector unknown.*remote_session_selector.*OSI-SSEL/,
      'session',
    ],
    ['busy session', [CONFIRM, refuse(1)], /temporary congestion.*fewer clients/, 'session'],
    ['session without a reason', [CONFIRM, refuse(null)], /the session: no reason given/, 'session'],
    [
      'unknown presentation address',
      [CONFIRM, refuse(2, encodePpdu({ kind: 'refuse', results: [], reason: 3, data: [] }))],
      /the presentation: called presentation address unknown.*remote_presentation_selector \(now 00000001\).*OSI-PSEL/,
      'presentation',
    ],
    [
      'wrong password',
      [CONFIRM, diagnosed(13)],
      /ACSE\): authentication failure\. Check the password \(secret association_password, not set\)/,
      'acse',
    ],
    [
      'unknown called title',
      [CONFIRM, diagnosed(7)],
      /called AP title not recognized\. remote_ap_title is "1\.1\.1\.999\.1"; empty/,
      'acse',
    ],
    ['unknown calling title', [CONFIRM, diagnosed(3)], /local_ap_title is "1\.1\.1\.999"/, 'acse'],
    ['unknown called qualifier', [CONFIRM, diagnosed(9)], /remote_ae_qualifier is 12; null leaves it out/, 'acse'],
    ['unknown calling qualifier', [CONFIRM, diagnosed(5)], /local_ae_qualifier is 12/, 'acse'],
    ['no reason of ACSE', [CONFIRM, diagnosed(1)], /no reason given\. Check the password.*AP titles and AE qualifiers/, 'acse'],
    [
      'closed at the association, as wrong passwords and full servers are told (captures 05 and 07)',
      [CONFIRM, CLOSE],
      /association request \(session, presentation, ACSE\) was not answered.*not set.*all associations of the device are taken/,
      'closed-at-association',
    ],
    ['HTTP', [ascii('HTTP/1.0 400 Bad Request\r\n')], /speaks HTTP on this port.*Check the port; .* has 102/, 'foreign'],
    ['TLS', ['15030100020230'], /speaks TLS on this port.*Switch on tls/, 'foreign'],
    ['IEC 104', ['680443000000'], /speaks IEC 60870-5-104/, 'foreign'],
  ])('%s', async (_name, answers, words, kind) => {
    const error = await start(answers);
    expect([error.message, error.data]).toEqual([expect.stringMatching(words), { kind, detail: expect.any(String) }]);
    expect(error.code).toBe(kind === 'foreign' ? 'FRAME_NOISE' : 'PROTOCOL_REFUSED');
  });

  it('MMS', async () => {
    const aare = {
      kind: 'aare',
      applicationContext: MMS_APPLICATION_CONTEXT,
      result: 0,
      diagnosticSource: 'user',
      diagnostic: 0,
      responding: NO_END_POINT,
      information: { contextId: 3, hasSyntax: false, octets: octets('aa05a003880101') },
    } as const;
    const ppdu = {
      kind: 'accept',
      respondingSelector: null,
      results: [0, 0].map((result) => ({ result, transferSyntax: '2.1.1' })),
      data: [{ contextId: 1, octets: encodeApdu(aare) }],
    } as const;
    const accept = dt(encodeSpdu({ kind: 'accept', callingSelector: null, calledSelector: null, userData: encodePpdu(ppdu) }));
    const error = await start([CONFIRM, accept]);
    expect([error.message, error.data]).toEqual([
      expect.stringMatching(/initiate request of MMS: .*version-incompatible.*max_pdu_size \(now 65000\)/),
      { kind: 'mms', detail: expect.any(String) },
    ]);
  });

  it.each([
    [[], /No association within 10 s .*COTP\) without an answer\. Another service may have this port/],
    [[CONFIRM], /answered the transport connection \(COTP\), and left the association request .*S7/],
  ])('silence after %j', async (answers, words) => {
    const error = await start(answers);
    expect([error.code, error.message, error.data]).toEqual(['TIMEOUT_CONNECT', expect.stringMatching(words), null]);
  });

  it('tells whether a password was sent, never which, and what is left out', async () => {
    const { message } = await start([CONFIRM, CLOSE], { remote_session_selector: '', remote_presentation_selector: '' }, 'open sesame');
    expect(message).toMatch(/association_password, set\), remote_session_selector \(left out\)/);
    expect(message).not.toContain('sesame');
  });

  it('what is no refusal comes as it is', async () => {
    expect((await start([tpkt('02ff80')])).message).not.toMatch(/Check|Try/);
    expect((await start([CONFIRM, dt(octets('0100010061'))])).code).toMatch(/^PROTOCOL_/);
  });
});

describe('octets of others', () => {
  it.each([
    [ascii('<HTML><body>'), 'http'],
    [ascii('SSH-2.0-x'), 'ssh'],
    [ascii('220 ftp ready'), 'text'],
    ['160303004a02', 'tls'],
    ['68040b000000', 'iec104'],
    ['000100000003018402', 'modbus-tcp'],
    ['ff00', null],
    ['', null],
  ])('%s', (bytes, protocol) => {
    expect(recogniseForeign(octets(bytes))).toBe(protocol);
  });
});
