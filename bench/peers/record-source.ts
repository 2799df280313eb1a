import { canonical, entryDigest, headDigest } from '../../src-main/services/check/chain.ts';
import type { RecordSource } from '../../src-main/services/check/record-lines.ts';
import type { CheckEntry, CheckPartHead } from '../../src-shared/contract/check.ts';
import { CHECK_RECORD_FORMAT, CHECK_RECORD_VERSION } from '../../src-shared/domain/check.ts';
import { say } from '../../src-shared/messages/index.ts';

const SESSION = '6f5f6d2e-0b6b-4ad5-8a53-0c2a1c1c0001';
const PART = '6f5f6d2e-0b6b-4ad5-8a53-0c2a1c1c0002';
const BEGAN = Date.UTC(2026, 2, 1, 6);
const POINTS_A_PANEL = 40;

const uuid = (number: number) => `6f5f6d2e-0b6b-4ad5-8a53-${number.toString(16).padStart(12, '0')}`;
const iso = (ms: number) => new Date(BEGAN + ms).toISOString();
const hex = (octets: readonly number[]) => octets.map((octet) => octet.toString(16).toUpperCase().padStart(2, '0')).join(' ');

/** The record of a session of so many points: most passed, every twelfth failed first and half of these at last, each with a request and its answer. */
export function recordOf(points: number): RecordSource {
  const head: CheckPartHead = {
    id: PART,
    session: SESSION,
    parents: [],
    computer: 'bench',
    program: '0',
    started_at: iso(0),
    not_before: '',
  };
  const entries: { readonly body: string; readonly digest: string }[] = [];
  let digest = headDigest(head);
  const append = (number: number, verdict: 'passed' | 'failed') => {
    const body = canonical(entryOf(number, verdict, entries.length + 1));
    digest = entryDigest(digest, body);
    entries.push({ body, digest });
  };
  for (let number = 1; number <= points; number++) {
    if (number % 12 === 0) append(number, 'failed');
    if (number % 24 !== 0) append(number, 'passed');
  }
  return {
    facts: {
      format: CHECK_RECORD_FORMAT,
      version: CHECK_RECORD_VERSION,
      session: { uuid: SESSION, name: 'Bench', created_at: iso(0), cover: { project: 'Bench', site: '北站' } },
      project: 'bench',
      program: '0',
      utc_offset_min: 480,
      devices: [{ name: 'RTU', settings: channelOf(), points, table: 'a'.repeat(64) }],
    },
    items: Array.from({ length: points }, (_, at) => ({
      uuid: uuid(at + 1),
      place: at + 1,
      frameType: 0,
      channel: 'RTU',
      ...named(at + 1),
      group: `Panel ${Math.floor(at / POINTS_A_PANEL) + 1}`,
      expectation: expectationOf(at + 1),
      changed: [],
      isThere: true,
    })),
    files: [],
    parts: [{ head, digest: headDigest(head), end: digest }],
    entries: () => entries,
  };
}

const named = (number: number) => ({ code: `RTU_${number}`, name: `Measurement ${number}` });
const expectationOf = (number: number) => ({ kind: 'values' as const, references: [{ value: number % 400, tolerance: 0.5, percent: 0 }] });
const channelOf = () => ({
  name: 'RTU',
  protocol_type: 1,
  conn_type: 2,
  ip: '192.0.2.1',
  port: 502,
  timeout_ms: 1000,
  address_base: 0,
  protocol: {},
});

function entryOf(number: number, verdict: 'passed' | 'failed', seq: number): CheckEntry {
  const at = iso(seq * 2500);
  const wanted = number % 400;
  const value = verdict === 'passed' ? wanted : wanted * 10;
  const frame = { at, monotonic_ms: seq, connection: 1, peer: '192.0.2.1:502', text: '', text_message: null };
  const request = [seq >> 8, seq & 255, 0, 0, 0, 6, 1, 3, number >> 8, number & 255, 0, 1];
  const answer = [seq >> 8, seq & 255, 0, 0, 0, 5, 1, 3, 2, (value >> 8) & 255, value & 255];
  const said = say('check.found_factor', { value, wanted, factor: 0.1 });
  return {
    seq,
    at,
    running_ms: seq,
    item: uuid(number),
    verdict,
    way: 'guided',
    operator: 'Li',
    remark: verdict === 'failed' ? '变比设置错误' : '',
    findings: verdict === 'failed' ? [{ name: 'factor', said, text: '' }] : [],
    expectation: expectationOf(number),
    seen: [
      {
        channel_id: 1,
        point_id: number,
        code: named(number).code,
        value,
        value_text: '',
        unit: 'A',
        raw_hex: hex(answer.slice(-2)),
        quality: 'good',
        flags: [],
        source_time: null,
        received_at: at,
      },
    ],
    frames: [
      { ...frame, seq: 2 * seq, kind: 'tx', hex: hex(request), length: request.length, link: null },
      { ...frame, seq: 2 * seq + 1, kind: 'rx', hex: hex(answer), length: answer.length, link: 2 * seq },
    ],
    point: { ...named(number), address: number, decode: '0x21', mul_coe: 1, add_coe: 0, unit: 'A', func_code: 3, slave_id: 1 },
    channel: channelOf(),
    mapping: { address: number, decode: '0x21', mul_coe: 1, 'channel.ip': '192.0.2.1', 'channel.port': 502 },
    audit_ids: [],
    took_ms: 2400,
  };
}
