/** Entry of the thread that reads and writes table files; it talks with table-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { TableFileFault } from './table-file.ts';
import { readTable, writeTable } from './table-formats.ts';
import { ROWS_A_MESSAGE, type TableAnswer, type TableJob, type WrittenRows } from './table-thread.ts';

if (parentPort) {
  const port = parentPort;
  const say = (answer: TableAnswer) => port.postMessage(answer);
  say({ kind: 'ready' });
  try {
    const job = workerData as TableJob;
    if (job.kind === 'read') {
      const { sheets, ...file } = await readTable(job.bytes);
      for (const { rows, ...sheet } of sheets) {
        say({ kind: 'sheet', sheet });
        for (let from = 0; from < rows.length; from += ROWS_A_MESSAGE) say({ kind: 'rows', rows: rows.slice(from, from + ROWS_A_MESSAGE) });
      }
      say({ kind: 'read', file });
    } else {
      const sheets = job.sheets.map((sheet) => ({ ...sheet, rows: [...sheet.rows] }));
      await new Promise<void>((resolve) => {
        port.on('message', (message: WrittenRows | null) => {
          if (message === null) resolve();
          else sheets[message.sheet]?.rows.push(...message.rows);
        });
      });
      say({ kind: 'written', bytes: await writeTable(job.format, sheets) });
    }
  } catch (error) {
    if (error instanceof TableFileFault) say({ kind: 'fault', rule: error.rule, params: error.params });
    else throw error;
  }
  port.close();
}
