import { beforeEach, describe, expect, it } from 'vitest';
import type { CheckEntry, CheckFile, CheckPartHead } from '#shared/contract/check.ts';
import type { RecordFacts, RecordItem } from '#shared/domain/check-record.ts';
import { RecordLinks } from './record-links.ts';

const facts = (logo?: string) => ({ session: { uuid: 's', ...(logo !== undefined && { logo }) } }) as RecordFacts;
const item = (uuid: string, code = uuid.toUpperCase()) => ({ uuid, code }) as RecordItem;
const file = (sha256: string, size = 1) => ({ sha256, size, name: `${sha256}.png` }) as CheckFile;
const head = (id: string, ...parents: string[]) => ({ id, parents }) as unknown as CheckPartHead;
const entry = (of: string, ...attachments: CheckFile[]) =>
  ({ item: of, seq: 3, ...(attachments.length > 0 && { attachments }) }) as CheckEntry;
const AT = { line: 9, part: 'p1' };
const fault = (code: string, params: Record<string, unknown> = {}) =>
  expect.objectContaining({ said: expect.objectContaining({ code, params }) });

let links: RecordLinks;
beforeEach(() => {
  links = new RecordLinks();
  links.facts(facts());
});

describe('what a record names', () => {
  it('is there once: an item, a file, a part', () => {
    expect([links.item(item('a')), links.item(item('b')), links.item(item('a'))]).toEqual([true, true, false]);
    expect([links.file(file('f')), links.file(file('f'))]).toEqual([true, false]);
    expect([links.head(head('p1'), 'd1'), links.head(head('p1'), 'd2')]).toEqual([true, false]);
  });

  it('the session itself is none of its items, and may have entries', () => {
    expect(links.item(item('s'))).toBe(false);
    expect(() => links.entry(entry('s'), 'd', AT)).not.toThrow();
  });

  it('an item that the record does not have is told with its place', () => {
    links.item(item('a'));
    expect(() => links.entry(entry('a'), 'd', AT)).not.toThrow();
    expect(() => links.entry(entry('b'), 'd', AT)).toThrow(fault('check.item_missing', { line: 9, seq: 3, part: 'p1', item: 'b' }));
  });

  it('a file that the record does not have, or has with other octets, is told by its name', () => {
    links.item(item('a'));
    links.file(file('f', 5));
    expect(() => links.entry(entry('a', file('f', 5)), 'd', AT)).not.toThrow();
    for (const other of [file('f', 6), file('g', 5)])
      expect(() => links.entry(entry('a', file('f', 5), other), 'd', AT)).toThrow(
        fault('check.file_missing', { line: 9, seq: 3, part: 'p1', name: other.name }),
      );
  });

  it('items go by their codes, where they are known', () => {
    links.item(item('a', 'P_TOTAL'));
    expect([links.codeOf('a'), links.codeOf('b')]).toEqual(['P_TOTAL', 'b']);
  });
});

describe('the logo of a record', () => {
  it.each([
    ['none', undefined, [], true],
    ['one that is there', 'f', ['e', 'f'], true],
    ['one that is missing', 'f', ['e'], false],
  ])('%s', (_, logo, files, isWhole) => {
    links.facts(facts(logo));
    for (const sha256 of files) links.file(file(sha256));
    if (isWhole) expect(() => links.filesEnd()).not.toThrow();
    else expect(() => links.filesEnd()).toThrow(fault('check.logo_missing'));
  });
});

describe('a part that goes on from others', () => {
  it('has them in the record: their head, or an entry', () => {
    links.item(item('a'));
    links.head(head('p2', 'd1', 'd3'), 'd4');
    links.head(head('p1'), 'd1');
    expect(() => links.partsEnd()).toThrow(fault('check.parent_missing', { part: 'p2', digest: 'd3' }));
    links.entry(entry('a'), 'd3', AT);
    expect(() => links.partsEnd()).not.toThrow();
  });
});
