import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckEntry, CheckPartHead } from '#shared/contract/check.ts';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { CHECK_RECORD_FORMAT } from '#shared/domain/check.ts';
import type { CompactNode, ExplainedIndex } from '#shared/domain/check-explained.ts';
import type { RecordFacts } from '#shared/domain/check-record.ts';
import { quoted } from '#shared/messages/index.ts';
import { modbusTcpDriver } from '../../drivers/modbus/driver.ts';
import type { ProtocolDriver } from '../../drivers/spi/index.ts';
import type { DriverRegistry } from '../../runtime/types.ts';
import { canonical, entryDigest, headDigest } from './chain.ts';
import { explainedLines } from './explained.ts';
import { recordLines } from './record-lines.ts';

let path: string;
beforeAll(() => {
  path = join(mkdtempSync(join(tmpdir(), 'loopcheck-explained-')), 'record.json');
});
afterAll(() => rmSync(join(path, '..'), { recursive: true, force: true }));

const CLIENT = {
  ...{ name: 'Meter', protocol_type: 1, conn_type: 2, ip: '192.0.2.1', port: 502, com_port: null },
  ...{ baud_rate: 9600, data_bits: 8, stop_bits: 1, parity: 'N', timeout_ms: 1000, address_base: 0, protocol: {} },
};
const REQUEST = '00 01 00 00 00 06 01 03 00 0A 00 01';
const ANSWER = '00 01 00 00 00 05 01 03 02 00 07';

function frame(seq: number, kind: FrameEntry['kind'], hex: string, change: Partial<FrameEntry> = {}): FrameEntry {
  return {
    seq,
    kind,
    hex,
    length: hex === '' ? 0 : hex.split(' ').length,
    link: kind === 'rx' ? seq - 1 : null,
    connection: 1,
    ...change,
  } as FrameEntry;
}
const asked = [frame(1, 'tx', REQUEST), frame(2, 'rx', ANSWER)];

type Given = Pick<CheckEntry, 'verdict' | 'frames'> & { readonly channel?: Record<string, unknown> };

/** Lines of what is said of the frames of a record with these entries, and what frame has which. */
async function explained(given: readonly Given[], { most, driver = modbusTcpDriver }: { most?: number; driver?: ProtocolDriver } = {}) {
  const head = { id: 'part', session: 'session', parents: [] } as unknown as CheckPartHead;
  let digest = headDigest(head);
  const entries = given.map((entry, at) => {
    const body = canonical({
      seq: at + 1,
      item: 'session',
      at: '2026-01-01T00:00:00.000Z',
      channel: CLIENT,
      ...entry,
    } as unknown as CheckEntry);
    digest = entryDigest(digest, body);
    return { body, digest };
  });
  const facts = {
    ...{ format: CHECK_RECORD_FORMAT, version: 1, project: 'p', program: '1.0.0', utc_offset_min: 0, devices: [] },
    session: { uuid: 'session', name: 's', created_at: '2026-01-01T00:00:00.000Z', cover: {} },
  } as unknown as RecordFacts;
  const parts = [{ head, digest: headDigest(head), end: digest }];
  writeFileSync(path, [...recordLines({ facts, items: [], files: [], parts, entries: () => entries })].join(''));
  const drivers = { find: (type: number) => (type === 1 ? driver : undefined) } as DriverRegistry;
  const lines: string[] = [];
  for await (const line of explainedLines(path, drivers, most)) lines.push(line);
  const { parts: numbers, omitted } = JSON.parse(lines.pop() ?? '') as ExplainedIndex;
  return { lines, nodes: lines.map((line) => JSON.parse(line) as CompactNode[]), numbers: numbers.part, omitted };
}

describe('what is said of the frames of a record', () => {
  it('is what their driver says, of an answer with the request before it', async () => {
    const { nodes, numbers, omitted } = await explained([{ verdict: 'passed', frames: asked }]);
    expect([numbers, omitted]).toEqual([[[0, 1]], 0]);
    const told = nodes.map((each) => JSON.stringify(each));
    // what the answer holds is told with the register that the request asks for
    expect([told[0]?.includes('"frame.request"'), told[0]?.includes('"40011"')]).toEqual([true, true]);
    expect([told[1]?.includes('"frame.answer"'), told[1]?.includes('"40011"'), told[1]?.includes('"00 07 = 7"')]).toEqual([
      true,
      true,
      true,
    ]);
    const alone = await explained([{ verdict: 'passed', frames: [frame(2, 'rx', ANSWER)] }]);
    expect(alone.lines[0]).not.toBe((await explained([{ verdict: 'passed', frames: asked }])).lines[1]);
  });

  it('is that of a server where the channel serves: it receives the requests', async () => {
    const frames = [frame(1, 'rx', REQUEST, { link: null }), frame(2, 'tx', ANSWER, { link: 1 })];
    const served = await explained([{ verdict: 'passed', frames, channel: { ...CLIENT, conn_type: 1 } }]);
    expect(served.lines).toEqual((await explained([{ verdict: 'passed', frames: asked }])).lines);
  });

  it('stands once for equal frames, and of what failed first', async () => {
    const other = frame(3, 'tx', REQUEST.replace('0A', '0B'));
    const { lines, numbers } = await explained([
      { verdict: 'passed', frames: [...asked, ...asked] },
      { verdict: 'failed', frames: [other, ...asked] },
    ]);
    expect(numbers).toEqual([
      [1, 2, 1, 2],
      [0, 1, 2],
    ]);
    expect(new Set(lines).size).toBe(3);
  });

  it.each([
    ['is an event', frame(1, 'opened', '')],
    ['is masked', frame(1, 'tx', REQUEST.replace('0A', '••'))],
    ['is cut', frame(1, 'tx', REQUEST, { length: 300 })],
    ['has half an octet', frame(1, 'tx', '00 0', { length: 2 })],
  ])('is nothing of one that %s', async (_, one) => {
    const { lines, numbers, omitted } = await explained([{ verdict: 'passed', frames: [one, ...asked] }]);
    expect([lines.length, numbers, omitted]).toEqual([2, [[null, 0, 1]], 0]);
  });

  it.each([
    ['a protocol that this program does not know', { ...CLIENT, protocol_type: 99 }],
    ['settings that it reads otherwise', { ...CLIENT, protocol: { framing: 17, edition: 'x', transport: 9 } }],
  ])('is nothing where the channel has %s', async (_, channel) => {
    expect(await explained([{ verdict: 'passed', frames: asked, channel }])).toMatchObject({
      lines: [],
      numbers: [[null, null]],
      omitted: 0,
    });
  });

  it('has its room in octets: what is over is left out and counted, and a shorter one behind it still stands', async () => {
    const name = (text: string) => ({
      summary: quoted(''),
      secrets: [],
      nodes: [{ name: quoted(text), value: '', start: 0, end: 1, severity: 'none' as const, children: [] }],
    });
    const driver = {
      ...modbusTcpDriver,
      explain: (octets: Uint8Array) => name(octets[9] === 10 ? '电压'.repeat(40) : 'U'),
    } as unknown as ProtocolDriver;
    const frames = [frame(1, 'tx', REQUEST), frame(2, 'tx', REQUEST.replace('0A', '0B'))];
    const [long = '', short = ''] = (await explained([{ verdict: 'passed', frames }], { driver })).lines;
    const room = Buffer.byteLength(long) + Buffer.byteLength(short);
    const of = async (most: number) => {
      const { lines, numbers, omitted } = await explained([{ verdict: 'passed', frames }], { driver, most });
      return [lines, numbers, omitted];
    };
    expect(await of(room)).toEqual([[long, short], [[0, 1]], 0]);
    expect(await of(room - 1)).toEqual([[long], [[0, null]], 1]);
    expect(await of(Buffer.byteLength(long) - 1)).toEqual([[short], [[null, 0]], 1]);
  });
});
