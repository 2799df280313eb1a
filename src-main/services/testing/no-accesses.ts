import type { AccessBook } from '../ports.ts';

/** A service that nobody has an access of his own to. */
export const noAccesses: AccessBook = {
  list: () => [],
  add: () => unused(),
  changeRole: () => unused(),
  remove: () => unused(),
  holderOf: () => null,
  whenRemoved: () => () => {},
};

function unused(): never {
  throw new Error('This test has no accesses.');
}
