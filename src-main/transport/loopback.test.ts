import { describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/manual-clock.ts';
import { LoopbackNetwork, piecesOf } from './loopback.ts';
import { describeTransport, RecordedEvents, tcpLine } from './testing/transport-conformance.ts';

describeTransport('loopback', () => new LoopbackNetwork(new ManualClock()));
describeTransport('loopback cut into pieces of 7', () => new LoopbackNetwork(new ManualClock(), { split: piecesOf(7) }));

describe('loopback network', () => {
  it('leaves a connection request without an answer while it is silent', async () => {
    const clock = new ManualClock();
    const network = new LoopbackNetwork(clock);
    network.isSilent = true;
    const opened = expect(
      network.connector(tcpLine(1, { connectTimeoutMs: 300 })).open(new RecordedEvents(), new AbortController().signal),
    ).rejects.toMatchObject({ code: 'TIMEOUT_CONNECT' });
    await clock.advance(300);
    await opened;
    expect(clock.pending).toBe(0);
  });

  it('breaks standing lines at both ends', async () => {
    const network = new LoopbackNetwork(new ManualClock());
    const listener = network.listener(tcpLine(0));
    const far = new RecordedEvents();
    await listener.listen((peer) => peer.start(far));
    const near = new RecordedEvents();
    const line = network.connector(tcpLine(listener.boundPort ?? 0));
    await line.open(near, new AbortController().signal);
    await Promise.resolve();
    network.breakLines();
    expect(near.causes).toMatchObject([{ kind: 'failed', error: { code: 'TRANSPORT_LOST' } }]);
    expect(far.causes).toMatchObject([{ kind: 'failed', error: { code: 'TRANSPORT_LOST' } }]);
    await expect(line.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'TRANSPORT_NOT_CONNECTED' });
    await listener.close();
  });
});
