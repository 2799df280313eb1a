/** Controls frame by frame, with the octets of a recorded client: it goes at the wrong moment, sends twice, and waits for what never comes. */
import { describe, expect, it } from 'vitest';
import { FrameType } from '#shared/domain/enums.ts';
import { testPoint } from '../../../testing/points.ts';
import { readControlReport } from '../../control/control-reports.ts';
import { decodeMms } from '../../mms/codec.ts';
import { mmsOf, readCapture, streamsOf } from '../../testing/captures.ts';
import { SimulatedIed } from '../ied.ts';
import { tableModel } from '../table-model.ts';
import { connect, type TestPeer, testIo } from '../testing/served.ts';
import { type ControlFault, PLAIN_RULES } from './control-rules.ts';

const LIMITS = { maxPduOctets: 65_000, maxOutstanding: 5, tpduSize: 8192 };
const STATUS = ['GGIO1', 'ST', 'SPCSO4', 'stVal'];
const [CR = new Uint8Array(0), CONNECT = CR, , , SBOW = CR, OPER = CR] =
  streamsOf(readCapture('43')).find(({ from }) => from === 'client')?.tpkts ?? [];

function bench(executionMs: number, fault?: ControlFault) {
  const io = testIo();
  let commands = 0;
  const device = new SimulatedIed({
    model: tableModel([
      testPoint({ id: 1, frame_type: FrameType.yk, reference: 'EMS1LD0/GGIO1.SPCSO4[CO]', protocol: { control_model: 4 } }),
    ]),
    identity: { vendor: 'V', model: 'M', revision: 'R' },
    files: [],
    accessErrors: new Map(),
    clock: io.clock,
    controlRules: { ...PLAIN_RULES, executionMs, faultOf: () => fault },
    onWritten: () => undefined,
    onCommand: () => void commands++,
  });
  return {
    clock: io.clock,
    commands: () => commands,
    isOn: () => {
      const status = device.image.at('EMS1LD0', STATUS);
      return status && device.image.value(status);
    },
    async client(): Promise<TestPeer> {
      const { peer } = connect(io, { device, limits: LIMITS });
      for (const frame of [CR, CONNECT]) await peer.send(frame);
      return peer;
    },
  };
}

/** Answers and reports of the device in the order of the line. */
function told({ written }: TestPeer): string[] {
  const bytes = Uint8Array.from(Buffer.concat(written));
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    events.push({ kind: 'tpkt', from: 'server', connection: 1, bytes: bytes.subarray(at, at + length), text: '' } as const);
    at += length;
  }
  return mmsOf({ name: 'told', events }).flatMap(({ bytes }) => {
    const pdu = decodeMms(bytes);
    if (pdu.kind === 'response' && pdu.response.service === 'write') return [`write ${pdu.response.results[0]?.code ?? 'taken'}`];
    const report = pdu.kind === 'information-report' ? readControlReport(pdu.report) : null;
    return report ? [`${report.kind} ${report.reason?.addCause ?? '+'}`] : [];
  });
}

const ON = { kind: 'boolean', value: true };
const OFF = { kind: 'boolean', value: false };

describe('a client', () => {
  it('that goes between select and operate leaves no selection', async () => {
    const { client, isOn } = bench(0);
    const [first, second] = [await client(), await client()];
    await first.send(SBOW);
    await second.send(SBOW);
    expect(told(second)).toEqual(['refusal 19', 'write 2']);
    first.drop();
    await second.send(OPER);
    await second.send(SBOW);
    await second.send(OPER);
    expect(told(second).slice(2)).toEqual(['refusal 18', 'write 3', 'write taken', 'write taken', 'termination +']);
    expect(isOn()).toEqual(ON);
  });

  it('that sends Oper twice in one write is served once', async () => {
    const quick = bench(0);
    const one = await quick.client();
    await one.send(SBOW);
    await one.send(Uint8Array.from([...OPER, ...OPER]));
    expect(told(one)).toEqual(['write taken', 'write taken', 'termination +', 'refusal 18', 'write 3']);
    expect(quick.commands()).toBe(1);
    const slow = bench(1000);
    const other = await slow.client();
    await other.send(Uint8Array.from([...SBOW, ...OPER, ...OPER]));
    await slow.clock.advance(5000);
    expect(told(other)).toEqual(['write taken', 'write taken', 'refusal 12', 'write 2', 'termination +']);
    expect(slow.commands()).toBe(1);
  });

  it('that goes behind its Oper is told nothing any more, and the command is carried out', async () => {
    const { client, clock, isOn } = bench(1000);
    const peer = await client();
    await peer.send(SBOW);
    await peer.send(OPER);
    expect(isOn()).toEqual(OFF);
    const before = peer.written.length;
    peer.drop();
    await clock.advance(1000);
    expect([isOn(), peer.written.length]).toEqual([ON, before]);
  });

  it('waits for an end that never comes, and may command again', async () => {
    const { client, clock, commands } = bench(0, { isNotTerminated: true });
    const peer = await client();
    await peer.send(SBOW);
    await peer.send(OPER);
    await clock.advance(600_000);
    expect(told(peer)).toEqual(['write taken', 'write taken']);
    expect([commands(), clock.pending]).toEqual([1, 0]);
  });
});
