import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { settle } from '../platform/manual-clock.ts';
import { ProbeLine } from './connection/probe-line.ts';
import { FakeNet } from './testing/fake-net.ts';
import { makeBench } from './testing/harness.ts';

const never = new AbortController().signal;

describe('a diagnostic exchange', () => {
  it('holds the device lock: a second one waits for the first', async () => {
    const { channel } = makeBench();
    await channel.start();
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const one = channel.diagnose(async () => {
      order.push('first begins');
      await first.promise;
      order.push('first ends');
    }, never);
    const two = channel.diagnose(async (_, context) => {
      order.push(`second, ${context.retries} repeats`);
    }, never);
    await settle();
    first.resolve();
    await Promise.all([one, two]);
    expect(order).toEqual(['first begins', 'first ends', 'second, 0 repeats']);
  });

  it('is refused on a stopped channel, ended in its wait by its signal, and by the end of the channel', async () => {
    const { channel, clock } = makeBench();
    await expect(channel.diagnose(async () => 1, never)).rejects.toMatchObject({ code: 'STATE_NOT_STARTED' });
    await channel.start();
    const busy = expect(channel.diagnose(() => new Promise(() => undefined), never)).rejects.toMatchObject({ code: 'CANCELLED' });
    const end = new AbortController();
    const waiting = channel.diagnose(async () => 1, end.signal);
    end.abort(new AppError('CANCELLED', quoted('enough')));
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED', message: 'enough' });
    const stopping = channel.stop();
    await clock.advance(7000);
    await busy;
    await stopping;
  });
});

describe('a port that something else holds', () => {
  it('is kept from channels and others until it is given back', async () => {
    const { manager, channel } = makeBench([], { conn_type: 1, ip: '0.0.0.0', port: 502 });
    const release = manager.holdPort('tcp-listen 127.0.0.1:502', 'a search');
    await expect(channel.start()).rejects.toMatchObject({ code: 'TRANSPORT_PORT_TAKEN', message: expect.stringContaining('a search') });
    expect(() => manager.holdPort('tcp-listen 127.0.0.1:502', 'another')).toThrow('a search');
    expect(manager.holdPort('serial COM3', 'another')).toBeTypeOf('function');
    expect(() => manager.holdPort('serial com3', 'a third')).toThrow('another');
    release();
    release();
    await channel.start();
    expect(() => manager.holdPort('tcp-listen 127.0.0.1:502', 'a search')).toThrow('used by the channel');
  });
});

describe('a line for a diagnosis', () => {
  const line = { kind: 'tcp', ip: '192.0.2.1', port: 502 } as Parameters<FakeNet['connector']>[0];
  async function opened() {
    const { clock } = makeBench();
    const net = new FakeNet(clock);
    const probe = new ProbeLine(net.connector(line), clock);
    await probe.open(never);
    return { clock, net, probe, wire: net.lines[0] };
  }

  it('keeps what is heard and sent, also while a driver listens', async () => {
    const { probe, wire } = await opened();
    wire?.receive(Uint8Array.of(1, 2));
    const driver: number[] = [];
    probe.start({ onData: (chunk) => driver.push(...chunk), onClosed() {} });
    wire?.receive(Uint8Array.of(3));
    await probe.write(Uint8Array.of(9));
    expect(probe.take()).toEqual({ heard: Uint8Array.of(1, 2, 3), sent: [Uint8Array.of(9)], firstAt: 0 });
    expect(driver).toEqual([1, 2, 3]);
    expect(probe.take()).toEqual({ heard: new Uint8Array(0), sent: [], firstAt: null });
  });

  it('loses the oldest octets of a line that never stops', async () => {
    const { probe, wire } = await opened();
    for (let count = 0; count < 100; count++) wire?.receive(new Uint8Array(1024).fill(count));
    const { heard } = probe.take();
    expect([heard.length, heard.at(-1)]).toEqual([64 * 1024, 99]);
  });

  it('listens for its time, shorter when the line ends or somebody cancels', async () => {
    const { clock, probe, wire } = await opened();
    const whole = probe.listen(250, never);
    await clock.advance(249);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    await whole;
    const cancelled = new AbortController();
    const shorter = probe.listen(10_000, cancelled.signal);
    cancelled.abort();
    await expect(shorter).rejects.toMatchObject({ code: 'CANCELLED' });
    const last = probe.listen(10_000, never);
    wire?.end({ kind: 'peer' });
    await clock.advance(100);
    await last;
    expect(probe.ended).toEqual({ kind: 'peer' });
  });

  it('is closed in bounded time, whatever the adapter does', async () => {
    const { clock, net, probe } = await opened();
    net.isCloseStuck = true;
    const closing = probe.close();
    expect(probe.close()).toBe(closing);
    await clock.advance(3000);
    await closing;
    expect(clock.pending).toBe(0);
  });
});
