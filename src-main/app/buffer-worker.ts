/** Entry of the thread that keeps waiting records of publishers; it talks with buffer-thread.ts. */
import { BufferEngine } from '../persistence/buffer/engine.ts';
import { serveCalls } from '../platform/call-thread.ts';
import type { BufferJob } from './buffer-thread.ts';

serveCalls(({ path, project }: BufferJob) => new BufferEngine(path, project));
