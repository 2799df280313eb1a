import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckEntry } from '#shared/contract/check.ts';
import type { CheckRecord, RecordItem } from '#shared/domain/check-record.ts';
import { say } from '#shared/messages/index.ts';
import { type Shown, showRecord } from './show-record.ts';

const SESSION = '00000000-0000-4000-8000-000000000001';
const PART = '00000000-0000-4000-8000-000000000002';
const HOSTILE = '<img src=x onerror=alert(1)>"\'\u2028&amp;';

const item = (number: number, more: Partial<RecordItem> = {}): RecordItem => ({
  uuid: `item-${number}`,
  place: number,
  frameType: 0,
  channel: 'RTU',
  code: `P${number}`,
  name: `Point ${number}`,
  group: '',
  expectation: { kind: 'values', references: [{ value: 230, tolerance: 1, percent: 0 }] },
  changed: [],
  isThere: true,
  ...more,
});
const entry = (seq: number, number: number, verdict: CheckEntry['verdict'], more: Partial<CheckEntry> = {}) => ({
  digest: `digest-${seq}`,
  entry: {
    seq,
    at: `2026-03-01T06:00:0${seq}.000Z`,
    running_ms: seq,
    item: `item-${number}`,
    verdict,
    way: 'guided' as const,
    operator: 'Li',
    remark: '',
    findings: [],
    expectation: item(number).expectation,
    seen: [],
    frames: [],
    point: {},
    channel: {},
    mapping: {},
    audit_ids: [],
    took_ms: null,
    ...more,
  },
});

function recordOf(): CheckRecord {
  const seen = {
    channel_id: 1,
    point_id: 1,
    code: 'P2',
    value: 23,
    value_text: '',
    unit: 'V',
    raw_hex: '00e6',
    quality: 'good',
    flags: [],
  };
  const said = say('check.found_factor', { value: 23, wanted: 230, factor: 10 });
  const frame = { seq: 1, at: '2026-03-01T06:00:02.000Z', monotonic_ms: 1, connection: 1, peer: 'a', link: null, text_message: null };
  return {
    format: 'loopcheck-check',
    version: 1,
    session: { uuid: SESSION, name: HOSTILE, created_at: '2026-03-01T06:00:00.000Z', cover: { 客户: HOSTILE } },
    project: 'demo',
    program: '0',
    utc_offset_min: 480,
    devices: [{ name: 'RTU', settings: { protocol_type: 1, conn_type: 2, ip: '192.0.2.1', port: 502 }, points: 3, table: 'aa' }],
    items: [item(1), item(2), item(3, { changed: ['mul_coe'] }), item(4, { name: HOSTILE })],
    parts: [
      {
        head: {
          id: PART,
          session: SESSION,
          parents: [],
          computer: 'pc',
          program: '0',
          started_at: '2026-03-01T06:00:00.000Z',
          not_before: '',
        },
        digest: 'head',
        entries: [
          entry(1, 1, 'passed'),
          entry(2, 2, 'failed', {
            remark: HOSTILE,
            findings: [{ name: 'factor', said, text: '' }],
            seen: [{ ...seen, source_time: null, received_at: '2026-03-01T06:00:02.000Z' }],
            frames: [{ ...frame, kind: 'rx', hex: '00 E6', length: 2, text: HOSTILE }],
          }),
          entry(3, 3, 'passed'),
        ],
        end: 'the-end-of-the-part',
      },
    ],
    heads: ['the-end-of-the-part'],
    digest: 'sha256:abc',
  };
}

const explained = [
  JSON.stringify([['Length', '2', 0, 2, 'info', [[HOSTILE, '230', 0, 2, 'warning']]]]),
  JSON.stringify({ parts: { [PART]: [[], [0], []] }, omitted: 0 }),
].join('\n');

/** Shows a record as its file does. */
function show(language: 'zh' | 'en'): Shown {
  document.documentElement.lang = language;
  document.body.replaceChildren();
  for (const [id, text] of [
    ['record', JSON.stringify(recordOf())],
    ['explained', explained],
  ] as const) {
    const block = Object.assign(document.createElement('script'), { id, type: 'application/json', textContent: text });
    document.body.append(block);
  }
  return showRecord();
}
const text = (selector: string) => document.querySelector(selector)?.textContent ?? '';
const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const shownCodes = () =>
  [...document.querySelectorAll<HTMLElement>('.all tbody.point')].filter((row) => !row.hidden).map((row) => row.dataset.code);

let shown: Shown;
beforeEach(() => {
  shown = show('en');
});

describe('a record in a browser', () => {
  it('takes no text of the record for a tag', () => {
    press('.all [data-code="P2"] .toggle');
    expect(document.querySelectorAll('img')).toHaveLength(0);
    expect(text('h1')).toBe(HOSTILE);
    expect(text('.all [data-code="P4"] .name')).toBe(HOSTILE);
    expect(text('.all [data-code="P2"] .evidence')).toContain(HOSTILE);
  });

  it('counts states by the results, with what has to be checked again', () => {
    const count = (state: string) => text(`.counts [data-state="${state}"] b`);
    expect(['passed', 'failed', 'check_again', 'not_checked'].map(count)).toEqual(['1', '1', '1', '1']);
    expect([...document.querySelectorAll<HTMLElement>('.failures tbody.point')].map(({ dataset }) => dataset.code)).toEqual(['P2', 'P3']);
    expect(text('.failures [data-code="P3"]')).toContain('Changed since: Factor');
  });

  it('tells what was found in words, in the zone it was written in, and says the same in the other language', () => {
    const failed = '.failures [data-code="P2"]';
    expect(text(failed)).toContain('Factor: It is 23 where 230 was expected: with a factor of 10 on top it would fit.');
    expect(text(failed)).toContain('2026-03-01 14:00:02.000');
    press('[data-testid="language"]');
    expect(text(failed)).toContain('倍率错误: 期望 230，实为 23：再乘以 10 则相符。');
    expect(document.documentElement.lang).toBe('zh-CN');
    show('zh');
    expect(text('.signer h3')).toBe('调试单位');
  });

  it('shows those that are asked for', () => {
    press('[data-shown="failed"]');
    expect(shownCodes()).toEqual(['P2']);
    press('[data-shown="open"]');
    expect(shownCodes()).toEqual(['P2', 'P3', 'P4']);
    const search = document.querySelector<HTMLInputElement>('input[type="search"]');
    if (search) search.value = 'POINT 3';
    search?.dispatchEvent(new Event('input'));
    expect(shownCodes()).toEqual(['P3']);
    expect(text('[data-testid="shown"]')).toBe('1 of 4 points');
  });

  it('has the ends of its parts beside the signatures, and customer by a name in the other language', () => {
    expect(text('.signatures .chains')).toContain('the-end-of-the-part');
    expect([...document.querySelectorAll('.signer p')].map((each) => each.textContent)).toContain(HOSTILE);
    expect(text('.facts')).toContain('Customer');
  });

  it('opens evidence for paper and closes it behind', () => {
    const opened = () => document.querySelectorAll('.evidence').length;
    const restore = shown.prepareForPaper();
    expect([opened(), document.querySelectorAll('.all table.points').length]).toEqual([2, 1]);
    restore();
    expect(opened()).toBe(0);
  });
});
