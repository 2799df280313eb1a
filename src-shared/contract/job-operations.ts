import { z } from 'zod';
import { Id, Nothing, queryInt } from './common.ts';
import { JobId, SlaveId } from './job-base.ts';
import { DoctorJob, FindBody, FindJob, IdentityObject, Job, ScanBody, ScanJob, ScanRow } from './jobs.ts';
import { type DownloadedFile, operation } from './operation.ts';

const jobQuery = z.object({ job_id: JobId });

export const jobOperations = {
  startDoctor: operation({
    method: 'POST',
    path: '/api/job/doctor',
    summary: 'Start the connection doctor on a channel that asks',
    description:
      'One verdict a layer. Modbus and DL/T 645: line, bytes, framing, address, table. IEC 104: host, port, tls, startdt, sizes, station. IEC 61850: host, ' +
      'port, tls, selectors, association, initiate, model. A stopped channel is opened for the time of the job; on a running one every question takes the ' +
      'device lock for one exchange, and no second connection is opened. Only reads are sent, and only on a serial line that nobody else asks on.',
    tag: 'jobs',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({
      channel_id: Id,
      slave_ids: z
        .array(z.int().min(0).max(999_999_999_999))
        .max(16)
        .default([])
        .describe('addresses to ask (IEC 104: common addresses); empty: those of the point table'),
      listen_ms: z.int().min(0).max(60_000).default(1500).describe('how long a serial line is listened to before anything is sent'),
    }),
    data: DoctorJob,
    errors: [404, 409],
  }),
  startFind: operation({
    method: 'POST',
    path: '/api/job/find',
    summary: 'Search a serial port for its parameters and slaves or meters, or a TCP address for unit ids or meters',
    description:
      'Listens with each setting before it asks; where somebody else asks already it only listens. The question is one read (Modbus: function 3, address 0, ' +
      'quantity 1); any valid answer counts, an exception too. Once a setting works only that one is searched on. DL/T 645: the wildcard ' +
      'AAAAAAAAAAAA in both editions; where answers collide its pairs are closed one by one from the low end.',
    tag: 'jobs',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: FindBody,
    data: FindJob,
    errors: [409],
  }),
  startScan: operation({
    method: 'POST',
    path: '/api/job/scan',
    summary: 'Scan the registers of one slave of a started channel',
    description:
      'By blocks; a refused block is halved down to `smallest_block`. Every block takes the device lock for one exchange, behind single reads and commands.',
    tag: 'jobs',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: ScanBody,
    data: ScanJob,
    errors: [404, 409, 503],
  }),
  jobStatus: operation({
    method: 'GET',
    path: '/api/job/status',
    summary: 'One job as it stands; from memory',
    description:
      'Doctor, search, scan, and the trial of a table: progress, and the result once it has ended. Results are kept for a while after; 404 means that others pushed this one out, or the service was started anew.',
    tag: 'jobs',
    effect: 'query',
    query: jobQuery,
    body: Nothing,
    data: Job,
    errors: [404],
  }),
  listJobs: operation({
    method: 'GET',
    path: '/api/job/list',
    summary: 'All jobs that run, and the results that are kept; newest first',
    description: 'With `channel_id` or `kind` only those. From memory; nothing is asked of a device.',
    tag: 'jobs',
    effect: 'query',
    query: z.object({
      channel_id: queryInt(1, Number.MAX_SAFE_INTEGER).optional(),
      kind: z.enum(['doctor', 'find', 'scan', 'table']).optional(),
    }),
    body: Nothing,
    data: z.array(Job),
  }),
  cancelJob: operation({
    method: 'POST',
    path: '/api/job/cancel',
    summary: 'End a job; what it found stays',
    description:
      'Waits end at once, an exchange under way within its timeout; the answer waits up to 1 s for the end. A job that has ended is no error.',
    tag: 'jobs',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: jobQuery,
    data: Job,
    errors: [404],
  }),
  scanRows: operation({
    method: 'GET',
    path: '/api/job/scan_rows',
    summary: 'Values of a scan, by function and address',
    description: 'In pages, also while the scan runs: what was found so far.',
    tag: 'jobs',
    effect: 'query',
    query: z.object({ job_id: JobId, page: queryInt(1, 1_000_000), page_size: queryInt(1, 10_000) }),
    body: Nothing,
    data: z.object({ total: z.int(), items: z.array(ScanRow) }),
    errors: [404],
  }),
  scanCsv: operation({
    method: 'GET',
    path: '/api/job/scan_csv',
    summary: 'Values of a scan as a file',
    description: 'UTF-8 with BOM, one line an address, with the readings of a register and of the pair that begins there.',
    tag: 'jobs',
    effect: 'query',
    query: jobQuery,
    body: Nothing,
    download: { mediaTypes: ['text/csv'] },
    data: z.custom<DownloadedFile>(),
    errors: [404],
  }),
  identifyDevice: operation({
    method: 'POST',
    path: '/api/device/identify',
    summary: 'What a device of a started channel says about itself',
    description:
      'Modbus: Read Device Identification (function 43/14), all objects; a device that does not know it answers 502 with its refusal. ' +
      'DL/T 645: model, numbers and ratings, as far as the meter has them.',
    tag: 'jobs',
    effect: 'repeatable',
    role: 'operate',
    line: true,
    query: Nothing,
    body: z.object({ channel_id: Id, slave_id: SlaveId.default(1) }),
    data: z.object({ slave_id: SlaveId, conformity: z.string(), objects: z.array(IdentityObject) }),
    errors: [404, 409, 502, 503, 504],
  }),
} as const;
