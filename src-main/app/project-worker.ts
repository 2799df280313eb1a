/** Entry of the thread that looks at project files; it talks with project-thread.ts. */
import { examineProject, isSoundCopy } from '../persistence/index.ts';
import { serveThread } from '../platform/thread.ts';
import type { ProjectJob } from './project-thread.ts';

await serveThread<ProjectJob>(async ({ job }) => {
  if (job.kind === 'copy') return isSoundCopy(job.path);
  examineProject(job.path, { create: false, holder: job.holder, wallMs: () => job.wallMs });
  return true;
});
