import { describe, expect, it } from 'vitest';
import { settle } from '../../../platform/manual-clock.ts';
import type { MmsRequest } from '../mms/pdu.ts';
import { ask, names, TABLE } from './testing/asking.ts';
import { named, outcome, reading, ServedChannel } from './testing/served-channel.ts';

describe('associations', () => {
  it('are limited in number; the next client may come when one has gone', async () => {
    const channel = new ServedChannel({ points: TABLE, protocol: { max_clients: 2 } });
    const first = await channel.associated();
    await channel.associated();
    await expect(channel.associated()).rejects.toMatchObject({ code: expect.stringMatching(/PROTOCOL_REFUSED|TRANSPORT_/) });
    expect(channel.notices.at(-1)).toContain('2 clients are connected');
    await first.close();
    await settle();
    expect((await channel.associated()).isOpen).toBe(true);
  });

  it('are not kept from others by connections that ask for none', async () => {
    const channel = new ServedChannel({ points: TABLE, protocol: { max_clients: 5 } });
    const ended: number[] = [];
    const open = (count: number) => {
      for (let at = 0; at < count; at++) channel.dial({ onData: () => undefined, onClosed: () => void ended.push(at) });
    };
    open(5);
    const clients = [];
    for (let at = 0; at < 5; at++) clients.push(await channel.associated());
    expect(clients.map(({ isOpen }) => isOpen)).toEqual([true, true, true, true, true]);
    await expect(channel.associated()).rejects.toMatchObject({ code: expect.stringMatching(/PROTOCOL_REFUSED|TRANSPORT_/) });
    await clients[0]?.close();
    open(40);
    await settle();
    // the oldest of them have gone, and an association is still to be had
    expect(ended.length).toBe(45 - 16);
    expect(channel.notices.at(-1)).toContain('did not ask for an association');
    expect((await channel.associated()).isOpen).toBe(true);
    await channel.clock.advance(30_000);
    expect(ended.length).toBe(45);
  });

  it('agree on the smaller PDU and window, and keep to them', async () => {
    const channel = new ServedChannel({ points: TABLE, protocol: { max_pdu_size: 200, max_outstanding: 1 } });
    const client = await channel.associated();
    expect(client.negotiated).toMatchObject({ maxPduOctets: 200, window: 1 });
    expect(await outcome(client, reading('BAY1LD0/LLN0', 'BAY1LD0/GGIO1'))).toContain('resource');
    expect(await outcome(client, { service: 'get-variable-access-attributes', name: named('BAY1LD0/GGIO1') })).toContain('resource');
    expect(await outcome(client, reading('BAY1LD0/GGIO1$ST$Ind1'))).toMatchObject({ results: [{ kind: 'structure' }] });
    const all = await names(client, 0, 'BAY1LD0');
    expect(all).toEqual(await names(await channel.associated({ maxPduOctets: 65_000 }), 0, 'BAY1LD0'));
    const small = await channel.associated({ maxPduOctets: 150 });
    expect(small.negotiated?.maxPduOctets).toBe(150);
    await expect(channel.associated({ maxPduOctets: 60 })).rejects.toThrow();
  });

  it('need the password of the channel', async () => {
    const channel = new ServedChannel({ points: TABLE, password: 'open sesame' });
    expect((await channel.associated({ password: 'open sesame' })).isOpen).toBe(true);
    await expect(channel.associated({ password: 'open sesamE' })).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED' });
    await expect(channel.associated()).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED' });
    expect(channel.notices.slice(-2).join()).toMatch(/wrong.*missing/);
    expect(channel.notices.join()).not.toContain('sesame');
  });

  it('end when the channel is closed', async () => {
    const channel = new ServedChannel({ points: TABLE });
    const client = await channel.associated();
    await channel.connection.close();
    await settle();
    expect(client.isOpen).toBe(false);
    await expect(channel.associated()).rejects.toThrow();
  });

  it('count requests and refusals, and answer what is unknown', async () => {
    const channel = new ServedChannel({ points: TABLE });
    const client = await channel.associated();
    expect(await outcome(client, { service: 'unknown', tag: 0xbf47, octets: new Uint8Array(0) })).toContain('unrecognized-service');
    expect(await ask(client, { service: 'status', extended: false })).toMatchObject({ logical: 0, physical: 0 });
    const page = (objectClass: number, scope: Extract<MmsRequest, { service: 'get-name-list' }>['scope']) =>
      outcome(client, { service: 'get-name-list', objectClass, scope, continueAfter: null });
    expect(await page(8, { scope: 'domain', domain: 'BAY1LD0' })).toMatchObject({ names: ['LLN0$EventLog'] });
    expect(await page(8, { scope: 'vmd' })).toMatchObject({ names: [] });
    expect(await page(2, { scope: 'vmd' })).toMatchObject({ names: [] });
    expect(await page(8, { scope: 'domain', domain: 'NOLD' })).toContain('object-non-existent');
    expect(await page(5, { scope: 'domain', domain: 'BAY1LD0' })).toContain('object-access-unsupported');
    expect(channel.counts).toMatchObject({ request: 7, response: 7, refusal: 3, fault: 0 });
  });
});

describe('faults', () => {
  it('delay answers, and refuse what is beyond the window', async () => {
    const channel = new ServedChannel({ points: TABLE, faults: { delayMs: 500 } });
    const client = await channel.associated({ maxOutstanding: 2 });
    const asked = client.request({ service: 'identify' });
    await channel.clock.advance(499);
    expect(client.outstanding).toBe(1);
    await channel.clock.advance(1);
    expect(await asked).toMatchObject({ vendor: 'Loopcheck' });
  });

  it.each(['close', 'answer'] as const)('refuse associations: %s', async (refuse) => {
    const channel = new ServedChannel({ points: TABLE, faults: { refuse } });
    await expect(channel.associated()).rejects.toMatchObject({ code: 'PROTOCOL_REFUSED' });
  });

  it('never answer an association', async () => {
    const channel = new ServedChannel({ points: TABLE, faults: { refuse: 'silent' } });
    const associating = channel.associated();
    associating.catch(() => undefined);
    await channel.clock.advance(10_000);
    await expect(associating).rejects.toMatchObject({ code: 'TIMEOUT_CONNECT' });
  });

  it('close in the middle of an answer', async () => {
    const channel = new ServedChannel({ points: TABLE, faults: { closeAfterAnswers: 1 } });
    const client = await channel.associated();
    await ask(client, { service: 'identify' });
    expect(await outcome(client, { service: 'identify' })).toContain('TRANSPORT_LOST');
    expect(client.isOpen).toBe(false);
  });

  it('split what is written', async () => {
    const channel = new ServedChannel({ points: TABLE, faults: { splitOctets: 3 } });
    const client = await channel.associated();
    expect(await ask(client, { service: 'identify' })).toMatchObject({ vendor: 'Loopcheck' });
    expect(Math.max(...channel.writes)).toBe(3);
  });

  it('answer with another invokeID, or not at all', async () => {
    const channel = new ServedChannel({ points: TABLE, faults: { invokeIdOffset: 7, silent: ['status'] } });
    const client = await channel.associated();
    for (const service of ['identify', 'status'] as const) {
      const asked = client.request(service === 'identify' ? { service } : { service, extended: false });
      asked.catch(() => undefined);
      await channel.clock.advance(5000);
      await expect(asked).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
    }
    expect(client.dropped.unknown).toBe(1);
  });
});
