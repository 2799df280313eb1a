import { statSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { pages } from './vitest.config.ts';

/** The stores are proved by tests of their own: a page around one proves little of it for its time. */
const STORE_TESTS = ['src-renderer/**/*-store{,s}.test.ts'];

const OWN_COVERAGE = 'tools/mutation-coverage.ts';

/** Contracts that no planted bug of the services is tried with. A mutant runs only the tests that come by it, and these come by nearly all for what others prove as well. */
const LEFT_OUT = [
  // Other programs, of Python and the shell, against a whole plant.
  'examples',
  'factory-test',
  'readme',
  // Each operation once, or with everything that is wrong.
  'effects',
  'hostile-requests',
  // What a size costs.
  'large-change',
  'large-start',
  // Several services, whose values are not in time for each other where the computer is busy.
  'check-services',
  // Drivers, lines and doors: most of what they prove lies beside the services. Those of IEC 61850 and SCL prove `services/model` too, which looks worse here than it is.
  'captures-*',
  'dlt645',
  'doctor-tls',
  'https',
  'iec104',
  'iec61850*',
  'modbus-udp',
  'scl-*',
  'toy',
];

/** Tests beside the services before contracts, and short before long ones: a run ends with the first that fails. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = ({ moduleId }: TestSpecification) => (moduleId.includes('.contract.') ? 1e9 : 0) + statSync(moduleId).size;
    return files.sort((one, other) => weight(one) - weight(other));
  }
}

/**
 * The tests that a mutation run may use: those beside the services and the stores, and the contracts, which prove the services through a whole one. They run in a process of
 * their own (`pool` in stryker.config.json): the module of the serial ports ends a process in whose second thread it is used. The docs are copied for the tests that read them.
 */
export default defineConfig({
  test: {
    // A hundred thousand rows take their time where much is planted.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    sequence: { sequencer: NearestFirst },
    projects: [
      {
        test: {
          name: 'node',
          include: ['src-main/services/**/*.test.ts', 'src-main/app/*.contract.test.ts'],
          exclude: [`src-main/app/{${LEFT_OUT.join(',')}}.contract.test.ts`],
          environment: 'node',
          setupFiles: [OWN_COVERAGE],
          // Modules are loaded once for all files of a run, as in vitest.config.ts.
          isolate: false,
        },
      },
      { ...pages, test: { ...pages.test, include: STORE_TESTS, setupFiles: ['src-renderer/zod-setup.ts', OWN_COVERAGE] } },
    ],
  },
});
