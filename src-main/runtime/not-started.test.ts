import { describe, expect, it } from 'vitest';
import { notStarted } from './not-started.ts';

describe('the refusal of a channel that is not started', () => {
  it.each([
    ['stopped', 'The channel "A" is stopped; start it first.'],
    ['error', 'The channel "A" is in error; start it first.'],
  ] as const)('is a sentence at status %s', (status, message) => {
    expect(notStarted('A', status)).toMatchObject({ code: 'STATE_NOT_STARTED', message, data: null });
  });
});
