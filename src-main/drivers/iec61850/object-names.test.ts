import { expect, it } from 'vitest';
import type { VariableSpec } from './mms/pdu.ts';
import { isSameMember, memberKey } from './object-names.ts';

const part = (name: string) => ({ step: { kind: 'component' as const, name }, inner: null });
const element = (index: number, name: string | null): VariableSpec['access'] => [
  { step: { kind: 'index', index }, inner: name === null ? null : [part(name)] },
];
const MEMBERS: readonly VariableSpec[] = ['LD', 'LE'].flatMap((domain) =>
  ['GGIO1$ST$Ind1', 'GGIO1$ST$Ind2'].flatMap((item) =>
    [null, element(1, null), element(2, null), element(1, 'mag')].map(
      (access) => ({ name: { scope: 'domain', domain, item }, access }) as const,
    ),
  ),
);

it('members of data sets are the same where domain, item and what is selected of them are', () => {
  for (const one of MEMBERS) {
    for (const other of MEMBERS) {
      const copy = structuredClone(other) as VariableSpec;
      expect(isSameMember(one, copy), `${memberKey(one)} ${memberKey(other)}`).toBe(one === other);
    }
  }
});
