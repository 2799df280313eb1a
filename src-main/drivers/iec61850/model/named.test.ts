import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstNamed, named } from './named.ts';

it('finds by name what a look through the list finds, however long it is, also the second time', () => {
  const items = fc.array(fc.record({ name: fc.constantFrom('q', 't', 'Ind1', 'Ind2', 'constructor', '__proto__'), at: fc.nat() }), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(items, fc.constantFrom('q', 't', 'Ind1', 'none', 'constructor', '__proto__'), (list, name) => {
      for (let time = 0; time < 2; time++) {
        expect(named(list, name)).toEqual(list.filter((item) => item.name === name));
        expect(firstNamed(list, name)).toBe(list.find((item) => item.name === name));
      }
    }),
  );
});
