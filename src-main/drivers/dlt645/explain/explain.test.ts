import { describe, expect, it } from 'vitest';
import { hexText } from '../../../protocol-kit/bytes.ts';
import { inEnglish, type SpokenNode } from '../../testing/explained.ts';
import { credentialsFor, passwordChange } from '../client/credentials.ts';
import {
  clearDemandRequest,
  clearEventsRequest,
  clearMeterRequest,
  passwordRequest,
  relayRequest,
  targetOfAddress,
  writeRequest,
} from '../client/write-requests.ts';
import { ANY_METER, encodeAddress } from '../codec/address.ts';
import { encodeFrame } from '../codec/frame.ts';
import { Dlt645Framer } from '../link/framer.ts';
import { testSettings } from '../testing/bench.ts';
import { allVectors, octets } from '../vectors/load.ts';
import { explainDlt645 as explainFrame } from './explain.ts';

const explainDlt645 = (...given: Parameters<typeof explainFrame>) => inEnglish(explainFrame(...given));

const context = { kind: 'rx', isRequest: false, request: null, settings: testSettings } as const;
const explain = (bytes: Uint8Array) => explainDlt645(bytes, context);

const summaryOf = (name: string, side: 'request_hex' | 'response_hex') => {
  const vector = allVectors.find((each) => each.name === name);
  return explain(octets(vector?.[side] ?? '')).summary;
};

function texts(nodes: readonly SpokenNode[]): string[] {
  return nodes.flatMap((node) => [`${node.name}: ${node.value}`, ...texts(node.children)]);
}

describe('frames in words', () => {
  it('name the meter, the item, its value and unit', () => {
    expect(summaryOf('cap_var_02060100', 'request_hex')).toBe('meter 000012345678, read: 02060100 Power factor phase A');
    expect(summaryOf('cap_demand_01010000', 'response_hex')).toBe(
      'meter 000012345678, read: 01010000 Forward active maximum demand total with time, current = 12.3456 2026-02-28 14:45 kW',
    );
    expect(summaryOf('tp_kts_97_constant', 'response_hex')).toMatch(/^meter 201708176934, read \(1997\): C030 .* = 1600 imp\/kWh$/);
    const vector = allVectors.find((each) => each.name === 'cap_var_02060100');
    expect(texts(explain(octets(vector?.response_hex ?? '')).nodes).join('\n')).toMatch(
      /identifier: 02060100 \(Power factor phase A, X\.XXX\)/,
    );
  });

  it('say errors, wildcards and absent phases', () => {
    expect(summaryOf('cap_error_no_data_02019900', 'response_hex')).toMatch(/error word 02 \(no requested data\)$/);
    expect(summaryOf('std_phase_absent', 'response_hex')).toMatch(/= 225\.6, no value, no value V$/);
    expect(summaryOf('mst_non_bcd', 'response_hex')).toMatch(/is no pair of decimal digits/);
    const any = explain(encodeFrame({ address: encodeAddress(ANY_METER), control: 0x13, data: new Uint8Array(0) }));
    expect(texts(any.nodes)).toContain('address: AAAAAAAAAAAA (AA means any digits)');
  });
});

const SECRETS = { password_02: '918273', password_04: '918273', operator_code: '64738291', new_password: '564738' };
const PASSWORD = octets('738291');
/** Secrets as they are written and as they travel, in whatever spelling. */
const LEAK = new RegExp(
  ['918273', '64738291', '564738']
    .flatMap((digits) => {
      const sent = [...octets(digits)].reverse();
      return [sent, sent.map((octet) => (octet + 0x33) & 0xff)].map((list) => hexText(Uint8Array.from(list))).concat(digits);
    })
    .flatMap((text) => [text, text.replaceAll(' ', '')])
    .join('|'),
  'i',
);

/** Everything that is shown of octets: summary, tree and octets themselves. */
function shown(bytes: Uint8Array): string {
  const explanation = explain(bytes);
  const hex = [...bytes].map((octet, at) =>
    explanation.secrets.some(({ start, end }) => at >= start && at < end) ? '**' : octet.toString(16).toUpperCase().padStart(2, '0'),
  );
  return [explanation.summary, ...texts(explanation.nodes), hex.join(' ')].join('\n');
}

/** A request of every kind that carries a secret. */
function protectedFrames(): Uint8Array[] {
  const meter = targetOfAddress('000000000001', 2007);
  const old = targetOfAddress('000000000001', 1997);
  const [now, before] = [meter, old].map(({ edition }) => credentialsFor(SECRETS, { edition, needed: 4, level: undefined }));
  const { old: present, next } = passwordChange(SECRETS, 4);
  if (!now || !before) throw new Error('credentials');
  return [
    writeRequest(meter, 0x04000103, now, Uint8Array.of(0x15)),
    writeRequest(meter, 0x04000c05, now, next),
    writeRequest(old, 0xc111, before, Uint8Array.of(0x15)),
    writeRequest(old, 0xc212, before, next),
    relayRequest(meter, 'trip', '260305144000', now),
    passwordRequest(meter, present, next),
    passwordRequest(old, present, next),
    clearDemandRequest(meter, now),
    clearDemandRequest(old, before),
    clearMeterRequest(meter, now),
    clearEventsRequest(meter, now, 0x031100ff),
  ].map((request) => encodeFrame(request));
}

describe('passwords and operator codes', () => {
  const secretTexts = (name: string, side: 'request_hex' | 'response_hex' = 'request_hex') => {
    const bytes = octets(allVectors.find((each) => each.name === name)?.[side] ?? '');
    return explain(bytes).secrets.map(({ start, end }) => end - start);
  };

  it.each([
    ['std_write_time', [3, 4]],
    ['std_control_trip', [3, 4]],
    ['std_clear_demand', [3, 4]],
    ['std_clear_meter', [3, 4]],
    ['std_clear_events_all', [3, 4]],
    ['std_change_password_level4', [3, 3]],
    ['std97_write_time', [3]],
  ])('%s hides them', (name, lengths) => {
    expect(secretTexts(name)).toEqual(lengths);
  });

  it('are hidden in the answer that repeats a new password', () => {
    expect(secretTexts('std_change_password_level4', 'response_hex')).toEqual([3]);
  });

  it('are hidden where the frame is broken', () => {
    const bytes = octets(allVectors.find((each) => each.name === 'std_write_time')?.request_hex ?? '');
    bytes[bytes.length - 2] = 0;
    const { secrets } = explain(bytes);
    expect(secrets).toEqual([{ start: bytes.indexOf(0x14) + 2, end: bytes.length }]);
  });

  it('are hidden where a meter gives them away', () => {
    const answer = (control: number, data: readonly number[]) =>
      encodeFrame({ address: encodeAddress('000000000001'), control, data: Uint8Array.from(data) });
    for (const bytes of [
      answer(0x91, [3, 0x0c, 0, 4, 2, ...PASSWORD]),
      answer(0x81, [0x12, 0xc2, 2, ...PASSWORD]),
      answer(0xb2, [3, 0x0c, 0, 4, ...PASSWORD, 1]),
    ]) {
      expect(shown(bytes)).not.toMatch(LEAK);
    }
  });

  it('stand in no text and no octets of any request, whole, broken, cut or in pieces', () => {
    for (const bytes of protectedFrames()) {
      expect(shown(bytes)).not.toMatch(LEAK);
      const headAt = bytes.indexOf(0x68, 1);
      for (let from = 0; from <= headAt; from++) {
        for (const end of [bytes.length, bytes.length - 1, bytes.length - 2]) expect(shown(bytes.slice(from, end))).not.toMatch(LEAK);
      }
      const broken = bytes.with(bytes.length - 2, (bytes.at(-2) ?? 0) ^ 0xff);
      for (let split = 1; split < broken.length; split++) {
        const framer = new Dlt645Framer();
        const items = [...framer.push(broken.slice(0, split)), ...framer.push(broken.slice(split)), ...framer.silence()];
        expect(items.map((item) => shown(item.bytes)).join(' ')).not.toMatch(LEAK);
      }
    }
  });

  it('never stand in the texts of a write', () => {
    for (const vector of allVectors) {
      if (vector.category !== 'write' && vector.category !== 'command') continue;
      for (const text of texts(explain(octets(vector.request_hex ?? '')).nodes)) {
        if (/^(?:password|operator code|new password): /.test(text)) expect(text).toMatch(/\(hidden\)$/);
      }
    }
  });
});

describe('whatever comes', () => {
  it('is covered by nodes without a gap', () => {
    for (const { request_hex, response_hex } of allVectors) {
      for (const hex of [request_hex, response_hex]) {
        const bytes = octets(hex ?? '');
        const { nodes } = explain(bytes);
        let at = 0;
        for (const node of nodes) {
          expect(node.start).toBe(at);
          at = node.end;
        }
        expect(at).toBe(bytes.length);
      }
    }
  });

  it('is said to be no frame, and why', () => {
    expect(explain(octets('68 11 22')).summary).toMatch(/unfinished/);
    expect(explain(octets('00 FF')).summary).toMatch(/no second 68|no frame/);
  });
});
