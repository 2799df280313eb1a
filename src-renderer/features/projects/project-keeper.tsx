import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperationName } from '#shared/contract/index.ts';
import { POLL, useOperation } from '../../api/hooks.ts';
import { isOtherSession, noteSession } from '../../app/project-session.ts';
import { notifyProblem } from '../../ui/notify.ts';
import { resetWrites } from '../write/reset-writes.ts';
import { closeDialogs } from './close-dialogs.ts';
import { forgetByChannel } from './use-projects.ts';

/** What opens another project. The dialog that asked for it is told by its answer, and closes by itself. */
const OPENING: readonly unknown[] = ['openProject', 'openDemo', 'renameProject', 'importProjectText'] satisfies OperationName[];

/** Lets this page go of the project before, when another one was opened here or by somebody else; draws nothing. */
export function ProjectKeeper() {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const session = useOperation('serviceInfo', {}, { pollMs: POLL.status }).data?.project_session;
  useEffect(() => {
    if (session === undefined) return;
    if (isOtherSession(session)) {
      const isOwn = client.isMutating({ predicate: ({ options }) => OPENING.includes(options.mutationKey?.[0]) }) > 0;
      // before the work is drawn anew: a dialog inside it is known only while it is there
      const hadDialog = !isOwn && closeDialogs();
      if (resetWrites()) notifyProblem(t('writesOver'));
      else if (hadDialog) notifyProblem(t('dialogOver'));
    }
    if (!noteSession(session)) return;
    forgetByChannel();
    void client.resetQueries();
  }, [session, client, t]);
  return null;
}
