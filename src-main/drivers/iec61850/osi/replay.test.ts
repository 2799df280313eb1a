import { describe, expect, it } from 'vitest';
import { type CaptureEvent, hex, mmsOf, readCaptures } from '../testing/captures.ts';
import { OsiBench } from '../testing/osi-bench.ts';
import { decodeApdu } from './acse.ts';
import { decodeTpdu, TsduAssembler } from './cotp.ts';
import type { OsiEndPoint } from './establishment.ts';
import { decodeConnectPpdu } from './presentation.ts';
import { decodeSpdu } from './session.ts';
import { tpktPayload } from './tpkt.ts';

/** One TCP connection of a capture, from its CR on. */
interface Session {
  readonly name: string;
  readonly events: readonly CaptureEvent[];
  readonly mms: readonly { readonly from: string; readonly bytes: Uint8Array }[];
}

const sessions: Session[] = readCaptures().flatMap((capture) => {
  const connections = [...new Set(capture.events.map((event) => event.connection))];
  return connections.map((connection) => ({
    name: `${capture.name} ${connection}`,
    events: capture.events.filter((event) => event.connection === connection && event.kind === 'tpkt'),
    mms: mmsOf(capture).filter((item) => item.connection === connection),
  }));
});
const associated = sessions.filter((session) => session.mms.some((item) => item.from === 'server'));
/** iec61850bean names the transfer syntax before the context, and writes the CC in another order. */
const isOtherClient = ({ name }: Session) => /^(62|90|91)-/.test(name);
const isOtherServer = ({ name }: Session) => /^(62|92|93)-/.test(name);
/** The golden server answers with its own selector of the presentation, whatever was called. */
const ownSelector = ({ name }: Session) => name.startsWith('03-');

/** What the client of a session was configured with, read from its CR and CONNECT. */
function clientOf({ events }: Session) {
  const assembler = new TsduAssembler();
  let transport: { own: Uint8Array | null; other: Uint8Array | null; size: number | null } | null = null;
  for (const { bytes, from } of events) {
    if (from !== 'client') continue;
    const tpdu = decodeTpdu(tpktPayload(bytes));
    if (tpdu.kind === 'cr') transport = { own: tpdu.callingSelector, other: tpdu.calledSelector, size: tpdu.tpduSize };
    const tsdu = tpdu.kind === 'dt' ? assembler.push(tpdu.data, tpdu.isLast, 10_000) : null;
    if (!tsdu || !transport) continue;
    const spdu = decodeSpdu(tsdu);
    if (spdu.kind !== 'connect') break;
    const ppdu = decodeConnectPpdu(spdu.userData);
    const aarq = decodeApdu(ppdu.data[0]?.octets ?? new Uint8Array(0));
    if (aarq.kind !== 'aarq') break;
    const { calling, called, password } = aarq;
    const local: OsiEndPoint = {
      ...calling,
      transportSelector: transport.own,
      sessionSelector: spdu.callingSelector,
      presentationSelector: ppdu.callingSelector,
    };
    const remote: OsiEndPoint = {
      ...called,
      transportSelector: transport.other,
      sessionSelector: spdu.calledSelector,
      presentationSelector: ppdu.calledSelector,
    };
    return { local, remote, password, tpduSize: transport.size };
  }
  throw new Error('There is no CONNECT.');
}

/** TPKTs of one end as hex, without what ends the association. */
function tpktsOf(session: Session, from: 'client' | 'server'): string[] {
  const isEnd = (text: string) => /^.{8}(0680|02f080(09|0a|19))/.test(text);
  return session.events
    .filter((event) => event.from === from)
    .map((event) => hex(event.bytes))
    .filter((text) => !isEnd(text));
}

describe('replay of the captures', () => {
  it('holds sessions enough', () => {
    expect(associated.length).toBeGreaterThan(55);
  });

  it.each(associated.map((session) => [session.name, session] as const))('%s: our initiator sends what the client sent', (_, session) => {
    const bench = new OsiBench('initiator', clientOf(session));
    const own = session.mms.filter((item) => item.from === 'client').map((item) => item.bytes);
    const initiate = own.shift();
    bench.osi.start(initiate ?? null);
    for (const { bytes, from } of session.events) if (from === 'server') bench.push(bytes);
    const theirs = session.mms.filter((item) => item.from === 'server').map((item) => hex(item.bytes));
    expect([bench.initiate, ...bench.received]).toEqual(theirs.slice(0, 1 + bench.received.length));
    const other = new OsiBench('initiator', clientOf(session));
    other.osi.start(initiate ?? null);
    for (const { bytes, from } of session.events.slice(0, 6)) if (from === 'server' && other.osi.state !== 'open') other.push(bytes);
    for (const pdu of own) other.osi.send(pdu);
    const wanted = tpktsOf(session, 'client');
    if (/^72-/.test(session.name)) expect(other.sent.length).toBe(wanted.length);
    else if (!isOtherClient(session)) expect(other.sent).toEqual(wanted);
    else expect(other.sent.slice(-own.length)).toEqual(wanted.slice(-own.length));
  });

  it.each(associated.map((session) => [session.name, session] as const))(
    '%s: our responder takes what the client sent, and sends what the server sent',
    (_, session) => {
      const bench = new OsiBench('responder');
      const theirs = session.mms.filter((item) => item.from === 'client').map((item) => hex(item.bytes));
      const own = session.mms.filter((item) => item.from === 'server').map((item) => item.bytes);
      const initiate = own.shift();
      const count = own.length;
      if (initiate) bench.answer = { kind: 'accept', initiate };
      bench.osi.start(null);
      for (const { bytes, from } of session.events) {
        if (from !== 'client') continue;
        bench.push(bytes);
        if (bench.osi.state === 'open') for (const pdu of own.splice(0)) bench.osi.send(pdu);
      }
      expect([hex(bench.indication?.initiate ?? new Uint8Array(0)), ...bench.received]).toEqual(theirs);
      const wanted = tpktsOf(session, 'server');
      const sent = bench.sent.filter((text) => !/^.{8}02f080(0a)/.test(text));
      if (isOtherServer(session) || ownSelector(session))
        expect(sent.slice(sent.length - count)).toEqual(wanted.slice(wanted.length - count));
      else expect(sent).toEqual(wanted);
    },
  );
});
