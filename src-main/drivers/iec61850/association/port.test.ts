import { describe, expect, it } from 'vitest';
import { english } from '#shared/messages/index.ts';
import { ManualClock, settle } from '../../../platform/manual-clock.ts';
import { NO_END_POINT, type OsiEnd } from '../osi/connection.ts';
import { hex, octets, readCapture } from '../testing/captures.ts';
import { AssociationPort } from './port.ts';

const ANSWER = octets('a926800300fde881010582010583010aa416800101810305f100820c03ee1c00000002000000ed18');
const READ = octets('02f0800100010061093007020103a0028b00');

/** A port of a responder, whose client is the test. */
function makePort(write: (bytes: Uint8Array) => Promise<void>) {
  const log: { kind: string; link?: number; text?: string; octets: number }[] = [];
  const received: string[] = [];
  const ends: OsiEnd[] = [];
  let faults = 0;
  const port: AssociationPort = new AssociationPort({
    role: 'responder',
    clock: new ManualClock(),
    local: NO_END_POINT,
    remote: NO_END_POINT,
    tpduSize: null,
    password: null,
    maxPduOctets: 65_000,
    associateTimeoutMs: 10_000,
    releaseTimeoutMs: 1000,
    fragmentTimeoutMs: 10_000,
    line: { write, close: async () => undefined },
    frames: { record: ({ bytes, ...entry }) => log.push({ ...entry, text: english(entry.text ?? ''), octets: bytes.length }) },
    health: {
      fault: () => {
        faults += 1;
      },
    },
    events: {
      onIndication: () => ({ kind: 'accept', initiate: ANSWER }),
      onMms: (pdu, seq) => {
        received.push(hex(pdu));
        port.send(octets('8c00'), seq);
        port.send(octets('8c00'), seq);
      },
      onEnd: (end) => ends.push(end),
    },
  });
  port.osi.start(null);
  return { port, log, received, ends, faults: () => faults };
}

const begin = readCapture('01')
  .events.flatMap((event) => (event.from === 'client' && event.kind === 'tpkt' ? [event.bytes] : []))
  .slice(0, 2);
const conclude = Uint8Array.from([3, 0, 0, READ.length + 4, ...READ]);

describe('association port', () => {
  it('writes what one turn of the program sends at once, and links it to what it answers', async () => {
    const written: number[] = [];
    const { port, log, received } = makePort(async (bytes) => {
      written.push(bytes.length);
    });
    for (const bytes of begin) port.receive(bytes);
    port.receive(conclude);
    await settle();
    expect(received).toEqual(['8b00']);
    expect(written).toEqual([22 + 143 + 22 + 22]);
    expect(log.map(({ kind, link }) => `${kind} ${link ?? ''}`)).toEqual(['rx ', 'tx ', 'rx ', 'tx ', 'rx ', 'tx 5', 'tx 5']);
  });

  it('lets a client go that sends without reading', async () => {
    const { port, ends, log } = makePort(() => new Promise(() => undefined));
    for (const bytes of begin) port.receive(bytes);
    for (let count = 0; count < 80; count++) {
      if (port.osi.state === 'open') port.send(new Uint8Array(64_000));
      await settle();
    }
    expect(ends).toMatchObject([{ kind: 'failed', error: { message: expect.stringContaining('without reading') } }]);
    expect(log.at(-1)?.text).toContain('without reading');
  });

  it('does not mind a write that fails; the end of the line tells', async () => {
    const { port, ends } = makePort(() => Promise.reject(new Error('broken')));
    for (const bytes of begin) port.receive(bytes);
    await settle();
    expect(ends).toEqual([]);
    port.lineEnded({ kind: 'peer' });
    expect(ends).toHaveLength(1);
  });

  it('tells noise, and what was unfinished at the end', () => {
    const { port, log, ends, faults } = makePort(async () => undefined);
    port.receive(octets('0300'));
    port.lineEnded({ kind: 'peer' });
    expect(log.map((entry) => entry.text)).toContain('2 octets of an unfinished frame came before the end.');
    expect(ends).toHaveLength(1);
    const other = makePort(async () => undefined);
    other.port.receive(octets('1616'));
    expect([other.log[0]?.kind, other.faults(), faults()]).toEqual(['noise', 1, 0]);
  });
});
