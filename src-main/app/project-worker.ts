/** Entry of the thread that examines a project file; it talks with project-thread.ts. */
import { examineProject } from '../persistence/index.ts';
import { serveThread } from '../platform/thread.ts';
import type { ProjectJob } from './project-thread.ts';

await serveThread<ProjectJob>(async ({ job: { path, holder, wallMs } }) => {
  examineProject(path, { create: false, holder, wallMs: () => wallMs });
  return true;
});
