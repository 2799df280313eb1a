/** Entry of the thread that makes HTML and xlsx of records, and proves records; it talks with record-thread.ts. */
import { serveThread } from '../platform/thread.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { recordJob } from './record-job.ts';
import type { ViewedJob } from './record-view.ts';

await serveThread<ViewedJob>(async ({ job }) => ({ found: await recordJob(job, builtInDrivers) }));
