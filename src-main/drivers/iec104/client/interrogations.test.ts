import { describe, expect, it } from 'vitest';
import { quoted } from '#shared/messages/index.ts';
import { inquiryError } from './interrogations.ts';

describe('a refused interrogation', () => {
  const refused = (cause: number) =>
    inquiryError({ kind: 'refused', detail: quoted('No.'), cause }, quoted('General interrogation'), 1000).message;

  it.each([44, 45, 46, 47])('with cause %i names the sizes of the fields, which make a station answer so', (cause) => {
    expect(refused(cause)).toMatch(/^General interrogation was refused\. No\. Stations answer so as well when the sizes .* doctor/);
  });

  it('with another cause says what the station said', () => {
    expect(refused(7)).toBe('General interrogation was refused. No.');
  });
});
