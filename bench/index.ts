/**
 * `npm run bench [-- NAME …]`: prints one JSON object a line for each measured number, as soon as it is there; exit code 1 when a limit is missed.
 * Names: client, outstanding, server, store, table, stalls, edits, manual, rounds, serial, planner, large, import, compare, iec104-codec, iec104, dlt645, iec61850, unattended, gateway, simulation, history, stream, frames, frames-page, pages, trend-page, record, start; without a name all run.
 */
import { run as client } from './client.ts';
import { run as compare } from './compare.ts';
import { run as dlt645 } from './dlt645.ts';
import { run as edits } from './edits.ts';
import { run as frames } from './frames.ts';
import { run as framesPage } from './frames-page.ts';
import { run as gateway } from './gateway.ts';
import { run as history } from './history.ts';
import { run as iec104 } from './iec104.ts';
import { run as iec104Codec } from './iec104-codec.ts';
import { run as iec61850 } from './iec61850.ts';
import { run as importTable } from './import.ts';
import { run as large } from './large.ts';
import { run as manual } from './manual.ts';
import { run as outstanding } from './outstanding.ts';
import { run as pages } from './pages.ts';
import { run as planner } from './planner.ts';
import { run as record } from './record.ts';
import type { BenchResult } from './result.ts';
import { run as rounds } from './rounds.ts';
import { run as serial } from './serial.ts';
import { run as server } from './server.ts';
import { run as simulation } from './simulation.ts';
import { run as stalls } from './stalls.ts';
import { run as start } from './start.ts';
import { run as store } from './store.ts';
import { run as stream } from './stream.ts';
import { run as table } from './table.ts';
import { run as trendPage } from './trend-page.ts';
import { run as unattended } from './unattended.ts';

const benches: Readonly<Record<string, () => Promise<BenchResult[]> | AsyncIterable<BenchResult>>> = {
  client,
  outstanding,
  server,
  store,
  table,
  stalls,
  edits,
  manual,
  rounds,
  serial,
  planner,
  large,
  import: importTable,
  compare,
  'iec104-codec': iec104Codec,
  iec104,
  dlt645,
  iec61850,
  unattended,
  gateway,
  simulation,
  history,
  stream,
  frames,
  'frames-page': framesPage,
  pages,
  'trend-page': trendPage,
  record,
  start,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`No bench named ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
let isMissed = false;
for (const [name, run] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const results = run();
  for await (const result of results instanceof Promise ? await results : results) {
    console.log(JSON.stringify(result));
    isMissed ||= !result.pass;
  }
}
process.exitCode = isMissed ? 1 : 0;
