import { describe, expect, it } from 'vitest';
import { factsOfTpkt } from './facts.ts';
import { readCaptures } from './testing/captures.ts';

const frames = readCaptures().flatMap(({ events }) => events.filter((event) => event.kind === 'tpkt'));
const rx = { kind: 'rx', request: null } as const;

describe('facts of frames with MMS', () => {
  const told = frames.map(({ bytes }) => factsOfTpkt(bytes, rx));

  it('name the services of real traffic', () => {
    const names = new Set(told.map((facts) => facts?.names?.[0]));
    for (const name of ['Read', 'Write', 'GetNameList', 'InformationReport', 'initiate-request', undefined]) expect(names).toContain(name);
  });

  it('name what is read, written and reported', () => {
    const references = told.flatMap((facts) => facts?.references ?? []);
    expect(references.some((reference) => reference.startsWith('EMS1LD0/LLN0$'))).toBe(true);
    const read = told.find((facts) => facts?.names?.[0] === 'Read' && facts.references);
    expect(read?.error).toBeUndefined();
  });

  it('tell refusals, as a PDU of their own or as a result within an answer', () => {
    const errors = new Set(told.map((facts) => facts?.error).filter((error) => error !== undefined));
    expect(errors.size).toBeGreaterThan(0);
    for (const error of errors) expect(String(error)).toMatch(/error|reject|failure/);
  });

  it('of an answer are those of its request', () => {
    const at = frames.findIndex(({ bytes }) => (factsOfTpkt(bytes, rx)?.references?.length ?? 0) > 0);
    const asked = frames[at];
    const answer = frames.slice(at + 1).find(({ bytes }) => factsOfTpkt(bytes, rx)?.names?.[0] === 'Read');
    if (!asked || !answer) throw new Error('the captures have no such pair');
    expect(factsOfTpkt(answer.bytes, { kind: 'rx', request: asked.bytes })?.references).toEqual(factsOfTpkt(asked.bytes, rx)?.references);
  });

  it('are none of noise', () => {
    for (const { bytes } of frames.slice(0, 20)) expect(factsOfTpkt(bytes, { kind: 'noise', request: null })).toBeNull();
  });
});
