import { describe, expect, it } from 'vitest';
import type { DoctorJob } from '#shared/contract/jobs.ts';
import { iec61850Driver } from '../../../drivers/iec61850/driver.ts';
import { explainTpkt } from '../../../drivers/iec61850/explain.ts';
import { encodeMms } from '../../../drivers/iec61850/mms/codec.ts';
import { NO_END_POINT, OsiConnection } from '../../../drivers/iec61850/osi/connection.ts';
import type { AssociationAnswer, AssociationIndication } from '../../../drivers/iec61850/osi/establishment.ts';
import { NEGOTIATED } from '../../../drivers/iec61850/testing/mms-bench.ts';
import { inEnglish } from '../../../drivers/testing/explained.ts';
import type { StoredChannel } from '../../../persistence/repositories.ts';
import { channelSettings, point } from '../../../runtime/testing/harness.ts';
import { type DeviceScript, JobBench } from '../testing/job-bench.ts';

const POINT = { frame_type: 1, reference: 'EMS1LD0/GGIO1.Ind1.stVal[ST]', decode: '', func_code: null } as const;
/** Answers the connection request of the transport, and nothing else. */
const CC = Uint8Array.from([3, 0, 0, 22, 0x11, 0xd0, 0, 1, 0, 1, 0, 0xc0, 1, 13, 0xc2, 2, 0, 1, 0xc1, 2, 0, 1]);

class Bench extends JobBench {
  constructor() {
    super([iec61850Driver]);
  }

  /** A simulated device with one point, running; answers its port. */
  async served(points: readonly { reference: string }[] = [POINT]): Promise<number> {
    const port = 4102;
    const settings = channelSettings({ id: 900, name: 'IED', protocol_type: 5, conn_type: 1, ip: '127.0.0.1', port });
    await this.manager
      .add(
        settings,
        points.map((changes, at) => point(90_000 + at, { ...POINT, ...changes })),
      )
      .start();
    return port;
  }

  async examine(port: number, settings: Partial<StoredChannel> = {}, points: readonly { reference: string }[] = [POINT]) {
    const channel = this.client(
      port,
      points.map((changes) => ({ ...POINT, ...changes })),
      { protocol_type: 5, ip: '127.0.0.1', ...settings },
    );
    return { channel, ...(await this.doctor(channel.id)) };
  }

  async doctor(channelId: number) {
    const before = this.wire.length;
    const started = this.start('startDoctor', { channel_id: channelId, slave_ids: [], listen_ms: 0 }) as DoctorJob;
    const job = await this.ended(started);
    expect(job.state).toBe('done');
    for (const { text, next_step } of job.findings.flatMap((verdict) => [verdict, ...verdict.notes])) {
      expect(`${text}${next_step}`).not.toContain('{{');
    }
    const sent = this.wire.slice(before).map((bytes) => inEnglish(explainTpkt(bytes, { kind: 'tx', request: null })).summary);
    expect(sent.filter((text) => /^(Read|Write|Define|Delete)/.test(text))).toEqual([]);
    return { job, codes: job.findings.map(({ layer, state, code }) => `${layer} ${state} ${code}`), sent };
  }
}

/** A device that answers association requests as it is told, by our layers. */
function associating(answer: (indication: AssociationIndication) => AssociationAnswer): DeviceScript {
  const connections = new Map<unknown, OsiConnection>();
  return (peer, bytes, clock) => {
    if (bytes.length > 0) return connections.get(peer)?.push(bytes);
    const connection = new OsiConnection({
      role: 'responder',
      clock,
      local: NO_END_POINT,
      remote: NO_END_POINT,
      tpduSize: null,
      password: null,
      maxPduOctets: 65_000,
      associateTimeoutMs: 60_000,
      releaseTimeoutMs: 1000,
      fragmentTimeoutMs: 60_000,
      events: {
        send: (tpkt) => {
          void peer.write(Uint8Array.from(tpkt));
          return 0;
        },
        onFrame: () => undefined,
        onNoise: () => undefined,
        onIndication: answer,
        onMms: () => undefined,
        onEnd: () => void peer.close(),
      },
    });
    connections.set(peer, connection);
    connection.start(null);
  };
}

const initiate = (changes: Partial<typeof NEGOTIATED> = {}): AssociationAnswer => ({
  kind: 'accept',
  initiate: encodeMms({ kind: 'initiate-response', initiate: { ...NEGOTIATED, ...changes } }),
});

describe('the doctor of IEC 61850', () => {
  it('a device that is as it should be: one verdict a layer, nothing read or written', async () => {
    const bench = new Bench();
    const { job, codes, channel } = await bench.examine(await bench.served());
    expect(job.layers).toEqual(['host', 'port', 'tls', 'selectors', 'association', 'initiate', 'model']);
    expect(codes).toEqual([
      'host good LINE_REACHED',
      'port good LINE_CONNECTED',
      'tls skipped TLS_OFF',
      'selectors good SELECTORS_ACCEPTED',
      'association good ASSOCIATION_ACCEPTED',
      'initiate good INITIATE_GOOD',
      'model good MODEL_SEEN',
    ]);
    expect(job.findings.at(-1)).toMatchObject({
      text: 'The device has 1 logical devices: EMS1LD0.',
      notes: [{ code: 'IDENTITY_SEEN', text: 'It says that it is Loopcheck Simulated IED 1.' }],
    });
    expect(channel.state().status).toBe('stopped');
  });

  it('a running channel is examined over its association', async () => {
    const bench = new Bench();
    const port = await bench.served();
    const channel = bench.client(port, [POINT], { protocol_type: 5, ip: '127.0.0.1' });
    await channel.start();
    await bench.clock.advance(1000);
    const before = bench.wire.length;
    const { codes } = await bench.doctor(channel.id);
    expect(codes.slice(3)).toEqual([
      'selectors good SELECTORS_ACCEPTED',
      'association good ASSOCIATION_STANDS',
      'initiate good INITIATE_GOOD',
      'model good MODEL_LEARNT',
    ]);
    expect(bench.wire.length).toBe(before);
    await channel.stop();
  });

  it.each<[string, DeviceScript, string, Partial<StoredChannel>]>([
    ['is silent', () => undefined, 'selectors bad COTP_SILENT', {}],
    ['closes upon the first octets', (peer, bytes) => void (bytes.length > 0 && peer.close()), 'selectors bad COTP_CLOSED', {}],
    [
      'speaks SSH',
      (peer, bytes) => void (bytes.length > 0 && peer.write(new TextEncoder().encode('SSH-2.0-x\r\n'))),
      'selectors bad SPEAKS_OTHER',
      {},
    ],
    [
      'speaks TLS',
      (peer, bytes) => void (bytes.length > 0 && peer.write(Uint8Array.of(0x15, 3, 3, 0, 2, 2, 70))),
      'tls bad SPEAKS_TLS',
      {},
    ],
    ['has the transport only', (peer, bytes) => void (bytes[5] === 0xe0 && peer.write(CC)), 'association bad ASSOCIATION_SILENT', {}],
    [
      'closes upon the association request',
      (peer, bytes) => void (bytes[5] === 0xe0 ? peer.write(CC) : bytes.length > 0 && peer.close()),
      'association bad ASSOCIATION_CLOSED',
      {},
    ],
    ['refuses the association', associating(() => ({ kind: 'refuse', diagnostic: 1 })), 'association bad ASSOCIATION_REFUSED', {}],
    [
      'wants no AP titles',
      associating(({ called }) => (called.apTitle === null ? initiate() : { kind: 'close' })),
      'association bad ASSOCIATION_TITLES_PROVED',
      {},
    ],
    ['has small PDUs and answers nothing', associating(() => initiate({ localDetail: 500 })), 'model bad MODEL_SILENT', {}],
  ])('a device that %s', async (_name, script, last, settings) => {
    const bench = new Bench();
    const { codes, job } = await bench.examine(await bench.device(script), settings);
    const bad = codes.filter((text) => text.includes(' bad '));
    expect(bad).toEqual([last]);
    const at = codes.indexOf(last);
    const behind = codes.slice(at + 1).map((text) => text.split(' ')[1]);
    expect(behind).toEqual(behind.map(() => 'skipped'));
    expect(job.findings[at]?.next_step).toBeTruthy();
  });

  it('small PDUs are told', async () => {
    const bench = new Bench();
    const { codes } = await bench.examine(await bench.served(), { protocol: { max_pdu_size: 600 } });
    expect(codes).toContain('initiate warning INITIATE_SMALL');
  });

  it('points of another device are told', async () => {
    const bench = new Bench();
    const { job } = await bench.examine(await bench.served(), {}, [POINT, { reference: 'BAY7LD0/MMXU1.TotW.mag.f[MX]' }]);
    expect(job.findings.at(-1)).toMatchObject({ state: 'warning', code: 'MODEL_MISSING', params: { missing: 'BAY7LD0' } });
  });
});
