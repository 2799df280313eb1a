/**
 * Vectors of the journal services, derived octet by octet from ISO 9506-2: ReadJournal is [65], InitializeJournal [67] of ConfirmedServiceRequest; times are 6 octets of
 * TimeOfDay (milliseconds of the day, days since 1984-01-01).
 */
import { describe, expect, it } from 'vitest';
import { hex, octets } from '../testing/captures.ts';
import { decodeMms, encodeMms } from './codec.ts';
import { binaryTimeOctets } from './times.ts';

/** An element with its length, of at most 127 octets. */
const tlv = (tag: string, ...parts: readonly string[]): string => {
  const content = parts.join('').replaceAll(' ', '');
  return `${tag}${(content.length / 2).toString(16).padStart(2, '0')}${content}`;
};
const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

/** 2026-01-01T00:00:01.500Z: 1500 ms of day 15341. */
const TIME = '000005dc3bed';
const LATER = '000007d03bed';
const ENTRY = '0000019b77121c00';
// journalName [0] ObjectName, domain-specific [1]: VisibleString domain, VisibleString item
const NAME = tlv('a0', tlv('a1', tlv('1a', ascii('LD')), tlv('1a', ascii('LLN0$Log'))));
const JOURNAL = { scope: 'domain', domain: 'LD', item: 'LLN0$Log' };
const request = (id: string, service: string) => tlv('a0', tlv('02', id), service);
const response = (id: string, service: string) => tlv('a1', tlv('02', id), service);

/** Decodes, and encodes to the same octets. */
function both(text: string) {
  const pdu = decodeMms(octets(text));
  expect(hex(encodeMms(pdu))).toBe(text);
  return pdu;
}

describe('ReadJournal', () => {
  it('by a range of times: rangeStartSpecification [1] startingTime [0], rangeStopSpecification [2] endingTime [0]', () => {
    const text = request('07', tlv('bf41', NAME, tlv('a1', tlv('80', TIME)), tlv('a2', tlv('80', LATER))));
    expect(both(text)).toEqual({
      kind: 'request',
      invokeId: 7,
      request: {
        service: 'read-journal',
        name: JOURNAL,
        start: { kind: 'time', time: binaryTimeOctets(Date.UTC(2026, 0, 1, 0, 0, 1, 500)) },
        stop: { kind: 'time', time: binaryTimeOctets(Date.UTC(2026, 0, 1, 0, 0, 2)) },
        variables: null,
        after: null,
      },
    });
  });

  it('behind an entry: entryToStartAfter [5] with timeSpecification [0] and entrySpecification [1]', () => {
    const text = request('08', tlv('bf41', NAME, tlv('a5', tlv('80', TIME), tlv('81', ENTRY))));
    expect(both(text)).toMatchObject({ request: { start: null, stop: null, after: { time: octets(TIME), entry: octets(ENTRY) } } });
  });

  it('from an entry on, so many, and of some variables: startingEntry [1], numberOfEntries [1], listOfVariables [4]', () => {
    const wanted = tlv('a4', tlv('1a', ascii('A')), tlv('1a', ascii('B')));
    const text = request('09', tlv('bf41', NAME, tlv('a1', tlv('81', ENTRY)), tlv('a2', tlv('81', 'fe')), wanted));
    expect(both(text)).toMatchObject({
      request: { start: { kind: 'entry', entry: octets(ENTRY) }, stop: { kind: 'count', count: -2 }, variables: ['A', 'B'] },
    });
  });

  // JournalEntry: entryIdentifier [0], originatingApplication [1] an empty ApplicationReference, entryContent [2] with
  // occurrenceTime [0] and data [2] of listOfVariables [1]: variableTag [0], valueSpecification [1] Data
  const variable = (tag: string, data: string) => tlv('30', tlv('80', ascii(tag)), tlv('a1', data));
  const entry = (id: string, ...variables: readonly string[]) =>
    tlv('30', tlv('80', id), 'a1023000', tlv('a2', tlv('80', TIME), tlv('a2', tlv('a1', ...variables))));

  it('is answered by entries with values and reasons, and whether more follow', () => {
    const value = variable('LD/G$ST$Ind', '830101');
    const reason = variable('ReasonCode', '84020140');
    const text = response('07', tlv('bf41', tlv('a0', entry(ENTRY, value, reason)), '8101ff'));
    expect(decodeMms(octets(text))).toEqual({
      kind: 'response',
      invokeId: 7,
      response: {
        service: 'read-journal',
        moreFollows: true,
        entries: [
          {
            id: octets(ENTRY),
            time: octets(TIME),
            annotation: null,
            variables: [
              { tag: 'LD/G$ST$Ind', value: { kind: 'boolean', value: true } },
              { tag: 'ReasonCode', value: { kind: 'bit-string', size: 7, octets: octets('40') } },
            ],
          },
        ],
      },
    });
    expect(hex(encodeMms(decodeMms(octets(text)))).replace('810101', '8101ff')).toBe(text);
  });

  it('may have no entries, an annotation, an event, or a named application', () => {
    expect(both(response('07', tlv('bf41', 'a000')))).toMatchObject({ response: { entries: [], moreFollows: false } });
    const annotation = tlv('30', tlv('80', ENTRY), 'a1023000', tlv('a2', tlv('80', TIME), tlv('83', ascii('note'))));
    expect(both(response('07', tlv('bf41', tlv('a0', annotation))))).toMatchObject({
      response: { entries: [{ annotation: 'note', variables: [] }] },
    });
    const event = tlv('a0', tlv('a0', tlv('80', ascii('E'))), '810101');
    const application = tlv('a1', tlv('30', tlv('a2', '020105')));
    const data = tlv('a2', event, tlv('a1', variable('A', '830100')));
    const full = tlv('30', tlv('80', ENTRY), application, tlv('a2', tlv('80', TIME), data));
    expect(decodeMms(octets(response('07', tlv('bf41', tlv('a0', full)))))).toMatchObject({
      response: { entries: [{ variables: [{ tag: 'A', value: { kind: 'boolean', value: false } }] }] },
    });
    const bare = tlv('30', tlv('80', ENTRY), tlv('a2', tlv('80', TIME), 'a200'));
    expect(decodeMms(octets(response('07', tlv('bf41', tlv('a0', bare)))))).toMatchObject({ response: { entries: [{ variables: [] }] } });
  });

  it.each([
    ['no name', request('07', tlv('bf41', tlv('a1', tlv('80', TIME))))],
    ['a start of another kind', request('07', tlv('bf41', NAME, tlv('a1', tlv('82', TIME))))],
    ['a stop of another kind', request('07', tlv('bf41', NAME, tlv('a2', tlv('85', TIME))))],
    ['an entry without content', response('07', tlv('bf41', tlv('a0', tlv('30', tlv('80', ENTRY), 'a1023000'))))],
    ['a variable without value', response('07', tlv('bf41', tlv('a0', entry(ENTRY, tlv('30', tlv('80', ascii('A')))))))],
  ])('with %s is malformed', (_, text) => {
    expect(() => decodeMms(octets(text))).toThrow(expect.objectContaining({ code: 'PROTOCOL_MALFORMED' }));
  });
});

describe('InitializeJournal', () => {
  it('asks for the deletion of all, or up to a time or an entry, and is answered by their number', () => {
    expect(both(request('07', tlv('bf43', NAME)))).toMatchObject({
      request: { service: 'initialize-journal', name: JOURNAL, limit: null },
    });
    expect(both(request('07', tlv('bf43', NAME, tlv('a1', tlv('80', TIME)))))).toMatchObject({
      request: { limit: { time: octets(TIME), entry: null } },
    });
    expect(both(request('07', tlv('bf43', NAME, tlv('a1', tlv('80', TIME), tlv('81', ENTRY)))))).toMatchObject({
      request: { limit: { entry: octets(ENTRY) } },
    });
    expect(both(response('07', '9f43020100'))).toMatchObject({ response: { service: 'initialize-journal', deleted: 256 } });
  });
});
