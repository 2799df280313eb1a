import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dlt645Driver } from '../drivers/dlt645/driver.ts';
import { iec61850Driver } from '../drivers/iec61850/driver.ts';
import { modbusTcpDriver } from '../drivers/modbus/driver.ts';
import type { PointConfig } from '../drivers/spi/index.ts';
import { testDraft } from '../drivers/testing/points.ts';
import { runSteps } from '../platform/steps.ts';
import { Threads } from '../platform/threads.ts';
import { readCableList } from '../services/check/cable-list.ts';
import { readSheets } from '../services/point-files/import-table.ts';
import { comparisonFile, exportTable, findingsOf, importTable } from '../services/point-files/table-work.ts';
import { CHANNEL, presentTable, stored } from '../services/point-files/testing/tables.ts';
import { compareTables } from '../services/table-compare/compare-tables.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { createTableThread } from './table-thread.ts';

const dir = mkdtempSync(join(tmpdir(), 'loopcheck-thread-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const script = (name: string, text: string) => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const points = (count: number): PointConfig[] =>
  stored(
    Array.from({ length: count }, (_, index) => {
      const draft = testDraft({ code: `P${index}`, name: `n${index}`, address: index, slave_id: 1, decode: '0x20' });
      return modbusTcpDriver.normalizePoint(draft, CHANNEL).point;
    }),
  );
const text = (csv: string) => ({ name: 'table.csv', bytes: new TextEncoder().encode(csv) });
const LINES = text('测点类型,测点编码,测点名称,寄存器地址,解析码\n遥测,P0,n0,0,0x20\n遥测,P1,other,7,0x20\n遥测,NEW,new,9,0x20\n');

describe('the thread of table files', () => {
  it('plans an import as it would be planned in place: more points than one message holds', async () => {
    const table = presentTable(points(1_501));
    for (const mode of ['preview', 'merge', 'replace'] as const) {
      const own = await createTableThread(new Threads()).import(LINES, mode, table);
      expect(own).toEqual(await importTable(LINES, mode, table));
      expect(own.change === null).toBe(mode === 'preview');
    }
    expect(await createTableThread(new Threads()).export('csv', modbusTcpDriver, table.points)).toEqual(
      await exportTable('csv', modbusTcpDriver, table.points),
    );
    const { change } = await createTableThread(new Threads()).import(LINES, 'replace', table);
    expect(change?.added.map((point) => point.code)).toEqual(['NEW']);
    expect(change?.changed.map((point) => [point.id, point.channel_id, point.address])).toEqual([[2, 1, 7]]);
    expect(change?.removed).toHaveLength(1_499);
  });

  it('reads a cable list as it would be read in place, and refuses what is none', async () => {
    const rows = Array.from({ length: 1_501 }, (_, at) => `P${at},${at % 7}\n`).join('');
    const list = new TextEncoder().encode(`code,page\n${rows}`);
    expect(await createTableThread(new Threads()).cableList(list)).toEqual(await readCableList(list));
    await expect(createTableThread(new Threads()).cableList(new Uint8Array([0]))).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('takes the driver of the protocol that is asked for', async () => {
    // meters have numbers of twelve digits, which stay text
    const csv = new TextDecoder().decode(await createTableThread(new Threads()).export('csv', dlt645Driver, points(1)));
    expect(csv).toContain('000000000001');
  });

  it('checks points against the model of the device where there is one', async () => {
    const asked: string[] = [];
    const model = { resolve: (reference: string) => asked.push(reference) } as never;
    const driver = {
      ...iec61850Driver,
      normalizePoint: (...args: Parameters<typeof iec61850Driver.normalizePoint>) => {
        asked.push(args[2] === model ? 'with model' : 'without');
        return iec61850Driver.normalizePoint(args[0], args[1], null);
      },
    };
    const file = text('测点类型,测点编码,对象引用\n遥测,A,LD/MMXU1$MX$TotW$mag$f\n');
    await createTableThread(new Threads()).import(file, 'preview', { driver, settings: CHANNEL, points: [], model });
    expect(asked).toContain('with model');
  });

  it('reads the file of a channel whose device has a model as it would be read in place, fault or not', async () => {
    const table = { ...presentTable(points(1_501)), model: {} as never };
    const rows = Array.from({ length: 2_500 }, (_, at) => `遥测,P${at},n${at},${at},0x20\n`).join('');
    const csv = new TextEncoder().encode(`测点类型,测点编码,测点名称,寄存器地址,解析码\n${rows}`);
    const xlsx = await exportTable('xlsx', modbusTcpDriver, points(2_500));
    const noWorkbook = new Uint8Array(70_000);
    noWorkbook.set(xlsx.subarray(0, 60_000));
    const pastes = new TextEncoder().encode(new TextDecoder().decode(csv).replaceAll(',', '\t'));
    const uploads = [
      { name: 'a.csv', bytes: csv },
      { name: 'a.xlsx', bytes: xlsx },
      { name: 'a.xlsx', bytes: noWorkbook },
      { name: '', bytes: pastes, pasted: null },
    ];
    for (const upload of uploads) {
      expect(upload.bytes.length, 'read in the thread').toBeGreaterThan(65_536);
      const own = await createTableThread(new Threads()).import(upload, 'merge', table);
      expect(own).toEqual(await importTable(upload, 'merge', table));
      expect(own.change?.added.length ?? 'none').toBe(upload.bytes === noWorkbook ? 'none' : 999);
    }
  });

  it('compares the file of a channel whose device has a model as it would be compared in place, fault or not', async () => {
    const table = { driver: modbusTcpDriver, settings: CHANNEL, model: {} as never };
    const xlsx = await exportTable('xlsx', modbusTcpDriver, points(2_500));
    const noWorkbook = new Uint8Array(70_000);
    noWorkbook.set(xlsx.subarray(0, 60_000));
    const csv = await exportTable('csv', modbusTcpDriver, points(2_500));
    const present = { of: 'points', points: points(1_501).map((point) => ({ ...point, unit: 'V' })) } as const;
    const asked: Uint8Array[] = [];
    for (const [bytes, counts] of [[xlsx, [2_500, 0]] as const, [csv, [2_500, 0]] as const, [noWorkbook, [0, 1]] as const]) {
      const side = { of: 'file', upload: { name: 'a', bytes } } as const;
      expect(bytes.length, 'read in the thread').toBeGreaterThan(65_536);
      for (const [before, after] of [[side, present] as const, [present, side] as const]) {
        const here = await compareTables(
          before,
          after,
          table,
          async () => {},
          (upload) => {
            asked.push(upload.bytes);
            return readSheets(upload);
          },
        );
        expect(await createTableThread(new Threads()).compare(before, after, table)).toEqual(here);
        const ofFile = before === side ? here.before : here.after;
        expect([ofFile.size, ofFile.counts.errors]).toEqual(counts);
      }
    }
    expect(asked).toHaveLength(6);
  });

  it('leaves the lines their turn while it compares such a file: none of its points is looked at with all others', async () => {
    const table = { driver: modbusTcpDriver, settings: CHANNEL, model: {} as never };
    let looks = 0;
    let most = 0;
    const driver = {
      ...modbusTcpDriver,
      normalizePoint: (...args: Parameters<typeof modbusTcpDriver.normalizePoint>) => {
        looks += 1;
        return modbusTcpDriver.normalizePoint(...args);
      },
    };
    const upload = { name: 'a.csv', bytes: await exportTable('csv', modbusTcpDriver, points(2_500)) };
    await compareTables({ of: 'points', points: [] }, { of: 'file', upload }, { ...table, driver }, async () => {
      most = Math.max(most, looks);
      looks = 0;
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(300);
  });

  it('ends the comparison of such a file that takes too long, and says so', async () => {
    const endless = script(
      'endless-side.mjs',
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ kind: 'ready' }); for (;;);",
    );
    const table = { driver: modbusTcpDriver, settings: CHANNEL, model: {} as never };
    const sides = [
      { of: 'points', points: points(1) },
      { of: 'file', upload: { name: 'a.csv', bytes: new Uint8Array(70_000) } },
    ] as const;
    await expect(createTableThread(new Threads(), endless, { ms: 100 }).compare(...sides, table)).rejects.toMatchObject({
      code: 'CONFIG_TOO_LARGE',
      said: { code: 'table.compare_too_large', params: { seconds: 0.1 } },
    });
  });

  it('has no list of somebody else to read beside a model: it would be read in place', () => {
    // a driver that gets both needs the reading of its lists in the thread, too
    expect(builtInDrivers.all.filter((driver) => driver.model && driver.lists)).toEqual([]);
  });

  it('ends the reading of such a file that takes too long, and says so', async () => {
    const endless = script(
      'endless-sheets.mjs',
      "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ kind: 'ready' }); for (;;);",
    );
    const table = { ...presentTable(points(1)), model: {} as never };
    const { report } = await createTableThread(new Threads(), endless, { ms: 100 }).import(
      { name: 'a.csv', bytes: new Uint8Array(70_000) },
      'merge',
      table,
    );
    expect(report.errors).toMatchObject([{ rule: 'file_too_slow' }]);
  });

  it('looks at a large table by the rules as it would be looked at in place', async () => {
    const table = presentTable(points(2_500).map((point) => ({ ...point, decode: '0x42', name: 'the same' })));
    const turnRounds = new Map([[1, 30]]);
    const here = runSteps(findingsOf(table, turnRounds));
    expect(here.listed.length).toBeGreaterThan(4_000);
    expect(await createTableThread(new Threads()).findings(table, turnRounds)).toEqual({ listed: here.listed, counts: here.counts });
    expect(await createTableThread(new Threads(), null).findings(table, turnRounds)).toEqual(here);
  });

  it('compares two tables, and writes what differs, as it would be done in place', async () => {
    const before = points(2_500);
    const table = { driver: modbusTcpDriver, settings: CHANNEL };
    const side = (of: readonly PointConfig[]) => ({ of: 'points', points: of }) as const;
    const others = [side(before.slice(3).map((point) => ({ ...point, unit: 'V' }))), { of: 'file', upload: LINES } as const];
    for (const after of others) {
      const here = await compareTables(side(before), after, table, async () => {});
      expect(here.rows.length).toBeGreaterThan(2_000);
      expect(await createTableThread(new Threads()).compare(side(before), after, table)).toEqual(here);
    }
    const about = {
      before: 'A',
      after: 'B',
      madeAt: '',
      counts: { added: 0, removed: 1, changed: 0, renamed: 0, faulty: 0, same: 0 },
      language: 'zh',
    } as const;
    const rows = before.map((point) => ({ kind: 'removed', before: point, after: null, fields: [], faults: [] }) as const);
    const csv = await createTableThread(new Threads()).comparisonFile('csv', modbusTcpDriver, about, rows);
    expect(csv).toEqual(await comparisonFile('csv', modbusTcpDriver, about, rows));
    expect(new TextDecoder().decode(csv).split('\r\n')).toHaveLength(2_502);
  });

  it('works in place where no thread comes up', async () => {
    const table = presentTable(points(3));
    const here = await importTable(LINES, 'merge', table);
    for (const entry of [null, join(dir, 'missing.js'), script('broken.mjs', 'import "nowhere-to-be-found";'), script('silent.mjs', '')]) {
      expect(await createTableThread(new Threads(), entry).import(LINES, 'merge', table)).toEqual(here);
      expect((await createTableThread(new Threads(), entry).export('csv', modbusTcpDriver, table.points)).length).toBeGreaterThan(0);
    }
  });

  it('a file that eats memory or time is told in the report; a thread that fails is a fault of ours', async () => {
    const up = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage({ kind: "ready" });';
    const table = presentTable();
    const rulesOf = async (entry: string, bounds: object) =>
      (await createTableThread(new Threads(), entry, bounds).import(LINES, 'merge', table)).report.errors.map((issue) => issue.rule);
    const eating = script('eating.mjs', `${up} const all = []; for (;;) all.push(new Array(100_000).fill({}));`);
    expect(await rulesOf(eating, { megabytes: 32 })).toEqual(['file_too_large']);
    const hanging = script('hanging.mjs', `${up} for (;;);`);
    expect(await rulesOf(hanging, { ms: 200 })).toEqual(['file_too_slow']);
    const failing = script('failing.mjs', `${up} throw new Error("oops");`);
    await expect(rulesOf(failing, {})).rejects.toMatchObject({ code: 'INTERNAL', message: 'oops' });
    const leaving = script('leaving.mjs', `${up} process.exit(0);`);
    await expect(rulesOf(leaving, {})).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});
