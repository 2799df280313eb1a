import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import { exchangeContext } from '../../testing/sinks.ts';
import { spoken } from '../../testing/spoken.ts';
import type { SessionRequest } from '../link/session-check.ts';
import { octets } from '../vectors/load.ts';
import { modbusQuestions, type QuestionSession } from './questions.ts';

const context = exchangeContext();

/** A session that answers with the next scripted PDU, checked as the real one checks it. */
function script(...answers: (string | AppError)[]): { session: QuestionSession; asked: SessionRequest[] } {
  const asked: SessionRequest[] = [];
  const session: QuestionSession = {
    async exchange(request) {
      asked.push(request);
      const answer = answers[asked.length - 1] ?? new AppError('TIMEOUT_RESPONSE', quoted('silent'));
      if (answer instanceof AppError) return { kind: 'failed', error: answer, isSent: true };
      const pdu = octets(answer);
      if (((pdu[0] ?? 0) & 0x80) === 0) request.check(pdu);
      return { kind: 'answer', pdu };
    },
  };
  return { session, asked };
}

describe('probe', () => {
  it('is one read of function 3, and any answer counts', async () => {
    const { session, asked } = script('03 02 00 07', '83 02', '83 0B');
    const { probe } = modbusQuestions(session);
    expect(await probe(1, context)).toEqual({ kind: 'value', detail: null });
    expect(spoken(await probe(2, context))).toEqual({ kind: 'refused', detail: 'exception 2 (Illegal Data Address)' });
    expect((await probe(3, context)).kind).toBe('gateway');
    expect(asked.map((request) => [request.unitId, ...request.pdu])).toEqual([
      [1, 3, 0, 0, 0, 1],
      [2, 3, 0, 0, 0, 1],
      [3, 3, 0, 0, 0, 1],
    ]);
    await expect(probe(4, context)).rejects.toMatchObject({ code: 'TIMEOUT_RESPONSE' });
  });
});

describe('identification', () => {
  it('follows continuation and goes up to the category the device conforms to', async () => {
    const { session, asked } = script(
      '2B 0E 01 02 FF 01 01 00 02 41 42',
      '2B 0E 01 02 00 00 02 01 01 43 02 02 31 30',
      '2B 0E 02 02 00 00 01 03 02 75 72',
    );
    const { identify } = modbusQuestions(session);
    const first = await identify(1, null, context);
    expect(first.objects.map((object) => [object.id, object.name])).toEqual([[0, 'VendorName']]);
    expect(first.next).toEqual({ category: 1, objectId: 1 });
    const second = await identify(1, first.next, context);
    expect(second.next).toEqual({ category: 2, objectId: 3 });
    const third = await identify(1, second.next, context);
    expect([third.objects[0]?.name, third.next, third.conformity]).toEqual(['VendorUrl', null, 'regular']);
    expect(asked.map((request) => [...request.pdu])).toEqual([
      [43, 14, 1, 0],
      [43, 14, 1, 1],
      [43, 14, 2, 3],
    ]);
  });

  it('does not go round in a circle when the device points back', async () => {
    const { session } = script('2B 0E 01 01 FF 00 01 00 01 41');
    expect((await modbusQuestions(session).identify(1, null, context)).next).toBeNull();
  });

  it('is refused by a device that does not know it, and ended by one that has no more', async () => {
    const { session } = script('AB 01', 'AB 02');
    const { identify } = modbusQuestions(session);
    await expect(identify(1, null, context)).rejects.toMatchObject({ code: 'DEVICE_EXCEPTION' });
    expect(await identify(1, { category: 2, objectId: 3 }, context)).toEqual({ objects: [], conformity: '', next: null });
  });
});

describe('scan', () => {
  it('reads registers and bits as numbers', async () => {
    const { session } = script('03 04 00 01 FF FE', '01 02 05 01');
    const { scan } = modbusQuestions(session);
    expect(await scan(1, { functionCode: 3, start: 10, quantity: 2 }, context)).toEqual({ kind: 'values', values: [1, 65_534] });
    expect(await scan(1, { functionCode: 1, start: 0, quantity: 9 }, context)).toEqual({
      kind: 'values',
      values: [1, 0, 1, 0, 0, 0, 0, 0, 1],
    });
  });

  it.each([
    ['83 01', { isDivisible: false, isWhole: true }],
    ['83 02', { isDivisible: true, isWhole: false }],
    ['83 03', { isDivisible: true, isWhole: false }],
    ['83 06', { isDivisible: false, isWhole: false }],
  ])('a refusal %s says whether parts may be there', async (answer, expected) => {
    const { session } = script(answer);
    expect(await modbusQuestions(session).scan(1, { functionCode: 3, start: 0, quantity: 5 }, context)).toMatchObject({
      kind: 'refused',
      ...expected,
    });
  });

  it.each([
    [6, 0, 1],
    [3, 0, 126],
    [1, 0, 2001],
    [3, 65_535, 2],
    [3, -1, 1],
  ])('never asks for function %i, start %i, quantity %i', async (functionCode, start, quantity) => {
    const { session, asked } = script();
    await expect(modbusQuestions(session).scan(1, { functionCode, start, quantity }, context)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    expect(asked).toEqual([]);
  });
});
