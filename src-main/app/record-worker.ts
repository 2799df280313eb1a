/** Entry of the thread that makes HTML and xlsx of records; it talks with record-thread.ts. */
import { serveThread } from '../platform/thread.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { makeRecord } from './record-job.ts';
import type { ViewedJob } from './record-view.ts';

await serveThread<ViewedJob>(async ({ job }) => {
  await makeRecord(job, builtInDrivers);
  return true;
});
