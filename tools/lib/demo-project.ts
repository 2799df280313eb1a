import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { BUILT_DEMO } from '../../src-main/app/built-demo.ts';
import { type DemoMarks, noteBuilt } from '../../src-main/app/demo/kept-demo.ts';
import { fillDemo } from '../../src-main/app/demo.ts';
import { startService } from '../../src-main/app/start-service.ts';
import { openProject } from '../../src-main/persistence/index.ts';

/**
 * Makes what a start with the demo begins with, into the folder `dir`: the project of the demo as the service itself fills it, packed, and the marks of its channels. Nothing
 * of the project is bound to one computer, and nothing in it can be undone.
 */
export async function makeDemo(dir: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loopcheck-demo-'));
  try {
    const project = join(dataDir, 'demo.loopcheck');
    const ids = await fillProject(dataDir, project);
    const known = notedMarks(project, ids);
    forgetSteps(project);
    const marks = JSON.stringify(known, null, 2);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, BUILT_DEMO.project), gzipSync(readFileSync(project), { level: 9 }));
    writeFileSync(join(dir, BUILT_DEMO.marks), `${marks}\n`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fillProject(dataDir: string, project: string): Promise<ReadonlyMap<string, number>> {
  const place = { host: '127.0.0.1', port: 0, dataDir, project, pagesDir: null, viewDir: dataDir, demoDir: null, extraOrigins: [] };
  const service = await startService({ ...place, token: null, readOnly: false, demo: false });
  try {
    return await fillDemo(service.core);
  } finally {
    await service.close();
  }
}

function forgetSteps(project: string): void {
  const db = new Database(project);
  try {
    db.exec('PRAGMA foreign_keys = ON; DELETE FROM point_steps; VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** The marks of the channels, which the project notes. */
function notedMarks(project: string, ids: ReadonlyMap<string, number>): DemoMarks {
  const store = openProject(project, { create: false, holder: 'the build', wallMs: () => 0 });
  try {
    const marks = Object.fromEntries(
      [...ids].map(([name, id]) => {
        const mark = store.markOf(id);
        if (mark === null) throw new Error(`The channel ${name} of the demo has no mark.`);
        return [name, mark];
      }),
    );
    noteBuilt(store, marks);
    return marks;
  } finally {
    store.close();
  }
}
