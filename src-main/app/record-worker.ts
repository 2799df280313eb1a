/** Entry of the thread that makes HTML and xlsx of records, and proves records; it talks with record-thread.ts. */
import { serveThread } from '../platform/thread.ts';
import { builtInDrivers } from './built-in-drivers.ts';
import { recordJob, type ViewedJob } from './record-job.ts';

await serveThread<ViewedJob>(async ({ job }) => ({ found: await recordJob(job, builtInDrivers) }));
