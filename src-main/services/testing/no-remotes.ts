import type { RemoteBook } from '../ports.ts';

/** For tests in which there is no other service. */
export const noRemotes: RemoteBook = {
  list: () => [],
  find: refuse,
  look: refuse,
  add: refuse,
  remove: refuse,
  ask: refuse,
};

function refuse(): never {
  throw new Error('This test has no other services.');
}
