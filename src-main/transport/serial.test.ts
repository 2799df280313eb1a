import { afterEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/manual-clock.ts';
import { pacedClock } from '../platform/testing/paced-clock.ts';
import { createTransports } from './index.ts';
import { codeOf, describeLine, never, RecordedEvents } from './testing/line-conformance.ts';
import { openPtyPair, type PtyPair, whyNoPtys } from './testing/pty-pair.ts';
import { tcpLine } from './testing/transport-conformance.ts';

if (whyNoPtys) console.warn(`serial ports: skipped, ${whyNoPtys}`);

function serialLine(comPort: string) {
  return tcpLine(0, { kind: 'serial', comPort });
}

describe.skipIf(whyNoPtys)('a serial port as a transport', () => {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  async function pair(): Promise<PtyPair> {
    const made = await openPtyPair();
    cleanups.push(() => made.end());
    return made;
  }

  async function startedPair() {
    const ptys = await pair();
    const transports = createTransports(pacedClock());
    const [near, far] = [transports.connector(serialLine(ptys.a)), transports.connector(serialLine(ptys.b))];
    const [nearEvents, farEvents] = [new RecordedEvents(), new RecordedEvents()];
    await Promise.all([near.open(nearEvents, never()), far.open(farEvents, never())]);
    cleanups.push(async () => {
      await Promise.all([near.close(), far.close()]);
    });
    return { ptys, near, far, nearEvents, farEvents };
  }

  describeLine(startedPair, async () => {
    const ptys = await pair();
    const transports = createTransports(pacedClock());
    return () => transports.connector(serialLine(ptys.a));
  });

  it('says its name and settings', async () => {
    const { near, ptys } = await startedPair();
    expect(near.label).toBe(`${ptys.a} 9600 8N1`);
    expect(near.serialPath).toBe(ptys.a);
  });

  it('stands although it has no modem status, and still carries octets', async () => {
    const ptys = await pair();
    const clock = new ManualClock();
    const near = createTransports(clock).connector(serialLine(ptys.a));
    const far = createTransports(pacedClock()).connector(serialLine(ptys.b));
    const [nearEvents, farEvents] = [new RecordedEvents(), new RecordedEvents()];
    await Promise.all([near.open(nearEvents, never()), far.open(farEvents, never())]);
    cleanups.push(async () => {
      await Promise.all([near.close(), far.close()]);
    });
    for (let second = 0; second < 20; second++) {
      await clock.advance(1000);
      // the probe is answered by the system, not by the clock
      await new Promise((resolve) => setImmediate(resolve));
    }
    await near.write(Uint8Array.of(1, 2, 3));
    await farEvents.received(3);
    expect(nearEvents.causes).toEqual([]);
  });

  it('is told at once when the adapter is pulled, and closes in bounded time', async () => {
    const { near, nearEvents, ptys } = await startedPair();
    await ptys.pull();
    expect(await nearEvents.closed()).toMatchObject({ kind: 'failed', error: { code: 'TRANSPORT_LOST' } });
    await near.close();
    expect(nearEvents.causes).toHaveLength(1);
    expect(await codeOf(near.write(Uint8Array.of(1)))).toBe('TRANSPORT_NOT_CONNECTED');
  });

  it('refuses a port that is open already, and opens it once it is free', async () => {
    const { near, ptys } = await startedPair();
    const transports = createTransports(pacedClock());
    const second = transports.connector(serialLine(ptys.a));
    await expect(second.open(new RecordedEvents(), never())).rejects.toMatchObject({
      code: 'TRANSPORT_PORT_TAKEN',
      message: expect.stringContaining(ptys.a),
    });
    await near.close();
    const third = transports.connector(serialLine(ptys.a));
    await third.open(new RecordedEvents(), never());
    await third.close();
  });

  it('names a port that is missing, and the ones there are', async () => {
    const line = createTransports(pacedClock()).connector(serialLine('/dev/ttyNONE7'));
    const error = await line.open(new RecordedEvents(), never()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'TRANSPORT_PORT_MISSING',
      message: expect.stringMatching(/ttyNONE7.*(There are:|has no serial port)/s),
    });
  });

  it('refuses control line settings that a port cannot have', async () => {
    const ptys = await pair();
    const line = createTransports(pacedClock()).connector({
      ...serialLine(ptys.a),
      serial: { dtrAtOpen: 'on', rtsAtOpen: 'on', rtsDirection: 'high_to_send' },
    });
    expect(await codeOf(line.open(new RecordedEvents(), never()))).toBe('TRANSPORT_UNREACHABLE');
    const usual = createTransports(pacedClock()).connector(serialLine(ptys.a));
    await usual.open(new RecordedEvents(), never());
    await usual.close();
  });
});
