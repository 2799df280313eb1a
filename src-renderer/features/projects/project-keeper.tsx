import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { POLL, useOperation } from '../../api/hooks.ts';
import { noteSession } from '../../app/project-session.ts';
import { notifyProblem } from '../../ui/notify.ts';
import { resetWrites } from '../write/reset-writes.ts';
import { forgetByChannel } from './use-projects.ts';

/** Lets this page go of the project before, when another one was opened here or by somebody else; draws nothing. */
export function ProjectKeeper() {
  const { t } = useTranslation('projects');
  const client = useQueryClient();
  const session = useOperation('serviceInfo', {}, { pollMs: POLL.status }).data?.project_session;
  useEffect(() => {
    if (session === undefined || !noteSession(session)) return;
    if (resetWrites()) notifyProblem(t('writesOver'));
    forgetByChannel();
    void client.resetQueries();
  }, [session, client, t]);
  return null;
}
