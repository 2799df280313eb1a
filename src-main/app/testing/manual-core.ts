import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '../../platform/manual-clock.ts';
import { Threads } from '../../platform/threads.ts';
import { LoopbackNetwork } from '../../transport/loopback.ts';
import { builtInDrivers } from '../built-in-drivers.ts';
import { buildCore } from '../core.ts';
import { createCopyCheck, createProjectOpener } from '../project-thread.ts';
import type { Core, CorePorts } from '../types.ts';
import { testPorts } from './running-core.ts';

/** A whole core with every driver, on a clock that a test moves, with lines inside this process and a project in a folder of its own. */
export interface ManualCore {
  readonly core: Core;
  readonly clock: ManualClock;
  readonly network: LoopbackNetwork;
  readonly ports: CorePorts;
  /** Closes the core while its clock goes on, and removes the folder. */
  close(): Promise<void>;
}

/** `prepare` is called with the path of the project before it is opened; without it there is a new one. */
export async function startManualCore(
  overrides: Partial<CorePorts> = {},
  prepare: (projectPath: string) => void = () => {},
): Promise<ManualCore> {
  const folder = mkdtempSync(join(tmpdir(), 'loopcheck-manual-'));
  const projectPath = join(folder, 'demo.loopcheck');
  prepare(projectPath);
  const clock = new ManualClock();
  const network = new LoopbackNetwork(clock);
  let ids = 0;
  const ports = testPorts({
    clock,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    transports: network,
    drivers: builtInDrivers,
    openProject: createProjectOpener(new Threads(), 'test', () => clock.wallMs(), null),
    isSoundProject: createCopyCheck(new Threads(), null),
    ...overrides,
  });
  const config = {
    host: '127.0.0.1',
    port: 0,
    dataDir: folder,
    projectPath,
    token: null,
    certificate: null,
  };
  const core = await buildCore({ ...config, readOnly: false, pagesDir: null, extraOrigins: [], checkResponses: true }, ports);
  return {
    core,
    clock,
    network,
    ports,
    async close() {
      const closed = core.close();
      await clock.advance(10_000);
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Awaits work while the clock goes on, `stepMs` at a time. */
export async function finish<Value>(clock: ManualClock, work: Promise<Value>, stepMs: number): Promise<Value> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  while (!isDone) await clock.advance(stepMs);
  return done;
}
