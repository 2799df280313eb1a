import { describe, expect, it } from 'vitest';
import type { ProjectSession } from '../ports.ts';
import { placeOf, placeText, presentPlace } from './place.ts';

const ID = '12345678-1234-4123-8123-abcdef012345';
const session = (id = ID) => ({ id, changes: { last: 20 }, events: { lastSeq: 7 } }) as unknown as ProjectSession;
const NAME = 'abcdef012345';

describe('a place in what happened', () => {
  it('is read back as it was written', () => {
    const place = presentPlace(session());
    expect(place).toEqual({ change: 20, event: 7 });
    expect(placeText(session(), place)).toBe(`${NAME}-20-7`);
    expect(placeOf(session(), `${NAME}-20-7`)).toEqual(place);
    expect(placeOf(session(), `${NAME}-0-0`)).toEqual({ change: 0, event: 0 });
  });

  it.each([
    ['of another session', 'abcdef012346-20-7'],
    ['of a change that was not yet', `${NAME}-21-7`],
    ['of an event that was not yet', `${NAME}-20-8`],
    ['without its event', `${NAME}-20`],
    ['with more behind', `${NAME}-20-7-1`],
    ['with something in front', `x${NAME}-20-7`],
    ['of a negative change', `${NAME}--1-7`],
    ['of no number', `${NAME}-a-7`],
    ['of too many digits', `${NAME}-0000000000000001-7`],
    ['that is empty', ''],
  ])('a text %s is none', (_, text) => {
    expect(placeOf(session(), text)).toBeNull();
  });
});
