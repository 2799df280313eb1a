import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import { MmsBench, type MmsBenchOptions, NEGOTIATED } from '../testing/mms-bench.ts';

const NO_STATUS = { ...NEGOTIATED, services: { size: 85, octets: new Uint8Array(11) } };
const STATUS = { service: 'status', logical: 0, physical: 0 } as const;
const DOMAINS = { service: 'get-name-list', names: ['LD0'], moreFollows: false } as const;

/** A pair whose client asks after 30 s; the server answers what `isAnswered` lets through. */
async function idle(isAnswered: (service: string) => boolean, options: MmsBenchOptions = {}) {
  const bench = await MmsBench.open({ ...options, settings: { keepAliveMs: 30_000, requestTimeoutMs: 1000 } });
  bench.onAsked = (pdu) => {
    if (pdu.kind !== 'request' || !isAnswered(pdu.request.service)) return;
    const response = pdu.request.service === 'status' ? STATUS : DOMAINS;
    void bench.say({ kind: 'response', invokeId: pdu.invokeId, response });
  };
  const asked = () => bench.asked.flatMap((pdu) => (pdu.kind === 'request' ? [pdu.request.service] : []));
  return { bench, asked };
}

describe('an idle association', () => {
  it('is asked for its status in every period, and stands', async () => {
    const { bench, asked } = await idle(() => true);
    await bench.clock.advance(29_999);
    expect(asked()).toEqual([]);
    await bench.clock.advance(1);
    expect(asked()).toEqual(['status']);
    await bench.clock.advance(90_000);
    expect(asked()).toEqual(['status', 'status', 'status', 'status']);
    expect([bench.losses, bench.client.isOpen]).toEqual([[], true]);
  });

  it('is not asked while requests go on', async () => {
    const { bench, asked } = await idle(() => true);
    for (let times = 0; times < 5; times++) {
      await bench.clock.advance(20_000);
      bench.ask({ service: 'get-name-list', objectClass: 9, scope: { scope: 'vmd' }, continueAfter: null });
      await settle();
    }
    expect(asked().filter((service) => service === 'status')).toEqual([]);
    await bench.clock.advance(30_000);
    expect(asked().at(-1)).toBe('status');
  });

  it('is not asked while an answer is waited for', async () => {
    const { bench, asked } = await idle(() => false);
    bench.ask({ service: 'identify' }, { timeoutMs: 65_000 });
    await bench.clock.advance(62_000);
    expect(asked()).toEqual(['identify']);
  });

  it('a refusal is an answer', async () => {
    const { bench } = await idle(() => false);
    bench.onAsked = (pdu) => {
      if (pdu.kind === 'request') void bench.say({ kind: 'reject', invokeId: pdu.invokeId, reason: 1, code: 1 });
    };
    await bench.clock.advance(100_000);
    expect([bench.losses, bench.client.isOpen]).toEqual([[], true]);
  });

  it('a server that never answers Status is asked for its domains', async () => {
    const { bench, asked } = await idle((service) => service !== 'status');
    await bench.clock.advance(31_000);
    expect(asked()).toEqual(['status', 'get-name-list']);
    await bench.clock.advance(60_000);
    expect(asked()).toEqual(['status', 'get-name-list', 'get-name-list', 'get-name-list']);
    expect([bench.losses, bench.client.isOpen]).toEqual([[], true]);
  });

  it('and so is one that does not have the service', async () => {
    const { bench, asked } = await idle(() => true, { initiate: NO_STATUS });
    await bench.clock.advance(30_000);
    expect(asked()).toEqual(['get-name-list']);
  });

  it.each([{}, { initiate: NO_STATUS }])('without any answer it is lost after two questions: %j', async (options) => {
    const { bench, asked } = await idle(() => false, options);
    await bench.clock.advance(31_999);
    expect([asked().length, bench.losses]).toEqual([2, []]);
    await bench.clock.advance(1);
    expect(bench.losses).toEqual(['TIMEOUT_RESPONSE: The device left 2 requests in a row without an answer.']);
    await bench.clock.advance(100_000);
    expect(asked().length).toBe(2);
  });

  it('that was closed is left alone, and 0 asks nothing', async () => {
    const { bench, asked } = await idle(() => true);
    const closed = bench.client.close();
    await bench.clock.advance(5000);
    await closed;
    await bench.clock.advance(100_000);
    const quiet = await MmsBench.open();
    await quiet.clock.advance(1_000_000);
    expect([asked(), quiet.asked]).toEqual([[], []]);
  });
});
