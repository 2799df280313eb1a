import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import type { DriverDiagnostics, ProbeAnswer } from '../../../drivers/spi/diagnostics.ts';
import { judgeAddresses, suggestedTimeout } from './address-verdict.ts';
import type { AddressProbe } from './addresses.ts';
import { VerdictSheet } from './verdicts.ts';

const BY_NUMBER = {} as DriverDiagnostics;
const device: ProbeAnswer = { kind: 'value', detail: null };
const gateway: ProbeAnswer = { kind: 'gateway', detail: quoted('no path') };
/** A question to a slave: how many answers it got, and octets that were no frame. */
const asked = (answersToOne: number, noise = 0) => ({ recognition: { answersToOne, noise } }) as AddressProbe['attempts'][number];

const probe = (slaveId: number, rest: Partial<AddressProbe> = {}): AddressProbe => ({
  ...{ slaveId, answer: device, error: null, attempts: [asked(1)], lateMs: null, isDoubled: false },
  ...rest,
});
const silent = (slaveId: number, noise = 0) => probe(slaveId, { answer: null, attempts: [asked(0), asked(0, noise)] });
const late = (slaveId: number, lateMs: number) => probe(slaveId, { answer: null, attempts: [asked(0)], lateMs });

function judge(probes: AddressProbe[], diagnostics = BY_NUMBER) {
  const sheet = new VerdictSheet();
  const round = { probes, heard: new Uint8Array(0), sent: [] };
  const alive = judgeAddresses(round, sheet, diagnostics, { timeoutMs: 1000 });
  const [verdict] = sheet.list();
  const { state, code, params, notes = [] } = verdict ?? {};
  return { alive, said: [state, code, params], notes: notes.map((note) => [note.code, note.params]) };
}

describe('the addresses of a line', () => {
  it('are good where all answer', () => {
    expect(judge([probe(1), probe(7)])).toEqual({ alive: [1, 7], said: ['good', 'ADDRESS_GOOD', { answering: '1, 7' }], notes: [] });
  });

  it('are told apart where some are silent', () => {
    expect(judge([probe(1), silent(2), probe(3), silent(4)])).toEqual({
      alive: [1, 3],
      said: ['warning', 'ADDRESS_SOME', { answering: '1, 3', silent: '2, 4' }],
      notes: [],
    });
  });

  it('say how late the latest is, and what waiting time would do', () => {
    expect(judge([late(1, 1240), late(2, 1100)])).toEqual({
      alive: [],
      said: ['bad', 'ADDRESS_LATE', { address: '1, 2', ms: 1240, timeout: 1000, suggested: 1900 }],
      notes: [],
    });
    expect(judge([probe(3), late(1, 1240)])).toMatchObject({ alive: [3], said: ['warning', 'ADDRESS_LATE', { address: '1' }], notes: [] });
  });

  it('collide where fragments come from a silent one beside others', () => {
    expect(judge([probe(1), silent(2, 4)])).toEqual({
      alive: [1],
      said: ['bad', 'ADDRESS_COLLISION', { address: 2 }],
      notes: [['ADDRESS_SOME', { answering: '1', silent: '2' }]],
    });
    expect(judge([probe(1), silent(2, 3)]).said[1], 'too few octets').toBe('ADDRESS_SOME');
    expect(judge([late(1, 1100), silent(2, 4)]).said[1], 'nobody answers in time').toBe('ADDRESS_LATE');
  });

  it('are had twice where two answer to one question, before anything else', () => {
    const twice = probe(1, { attempts: [asked(2), asked(2)], isDoubled: true });
    expect(judge([twice, silent(2, 4)])).toMatchObject({
      alive: [1],
      said: ['bad', 'ADDRESS_TWO', { address: 1 }],
      notes: [['ADDRESS_SOME', {}]],
    });
  });

  it('are unsteady where one answers at last only', () => {
    const unsteady = probe(1, { attempts: [asked(0), asked(0), asked(1)] });
    expect(judge([unsteady, probe(2)])).toEqual({
      alive: [1, 2],
      said: ['warning', 'ADDRESS_UNSTEADY', { address: 1, answered: 1, asked: 3 }],
      notes: [],
    });
    const asksAgain = probe(1, { attempts: [asked(1), asked(1)] });
    expect(judge([asksAgain]).said[1], 'answered at once').toBe('ADDRESS_GOOD');
  });

  it('behind a gateway that reaches none are its fault, and a warning beside others', () => {
    const unreached = probe(5, { answer: gateway });
    const said = { asked: '5', detail: quoted('no path') };
    expect(judge([unreached])).toEqual({ alive: [], said: ['bad', 'ADDRESS_GATEWAY', said], notes: [] });
    expect(judge([unreached, late(1, 1100)])).toMatchObject({ said: ['bad', 'ADDRESS_GATEWAY', said], notes: [['ADDRESS_LATE', {}]] });
    expect(judge([unreached, probe(1)])).toEqual({
      alive: [1],
      said: ['warning', 'ADDRESS_GOOD', { answering: '1' }],
      notes: [['ADDRESS_GATEWAY', said]],
    });
  });

  it('have what a device says of its address itself: bad where each of them does', () => {
    const remark = { code: 'ADDRESS_EDITION', params: { address: '1', edition: '1997' } } as const;
    const odd = (slaveId: number) => probe(slaveId, { answer: { ...device, remark } });
    expect(judge([odd(1)]).said).toEqual(['bad', 'ADDRESS_EDITION', remark.params]);
    expect(judge([odd(1), probe(2)]).said).toEqual(['warning', 'ADDRESS_EDITION', remark.params]);
  });

  it('are written as their protocol writes them', () => {
    const meters = { addressText: (slaveId: number) => String(slaveId).padStart(12, '0') } as DriverDiagnostics;
    expect(judge([probe(7), silent(8, 4)], meters)).toEqual({
      alive: [7],
      said: ['bad', 'ADDRESS_COLLISION', { address: '000000000008' }],
      notes: [['ADDRESS_SOME', { answering: '000000000007', silent: '000000000008' }]],
    });
  });
});

it.each([
  [1000, 1500],
  [1001, 1600],
  [40, 100],
])('a device that took %d ms is given %d', (ms, suggested) => {
  expect(suggestedTimeout(ms)).toBe(suggested);
});
