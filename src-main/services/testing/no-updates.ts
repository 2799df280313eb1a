import type { ServiceFacts } from '../ports.ts';

/** For tests in which nobody looks for newer versions. */
export const noUpdates: ServiceFacts['updates'] = {
  key: null,
  async read() {
    throw new Error('This test has no newer versions.');
  },
};
