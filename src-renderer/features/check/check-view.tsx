import { Loader } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { POLL, useOperation } from '../../api/hooks.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { SessionDialogs } from './session-dialogs.tsx';
import { SessionList } from './session-list.tsx';
import { SessionView } from './session-view.tsx';

/** The point-to-point check: its sessions, or one of them. A session that is gone leads to the list. */
export default function CheckView() {
  const { t } = useTranslation('check');
  const sessions = useOperation('listChecks', {}, { pollMs: POLL.status });
  const sessionId = useUiStore((state) => state.check?.sessionId ?? null);
  const session = sessions.data?.items.find(({ id }) => id === sessionId);
  const isMissing = sessionId !== null && sessions.isSuccess && !session;
  const { refetch } = sessions;
  useEffect(() => {
    if (!isMissing) return;
    let isLeft = false;
    // The list may be older than the session: only one that is asked for now says that it is gone.
    void refetch().then(({ data, isSuccess }) => {
      if (!isLeft && isSuccess && !data.items.some(({ id }) => id === sessionId)) useUiStore.getState().showCheck(null);
    });
    return () => {
      isLeft = true;
    };
  }, [isMissing, sessionId, refetch]);
  if (!sessions.data) return sessions.error ? <ErrorNotice error={sessions.error} /> : <Loader size="sm" m="md" aria-label={t('title')} />;
  return (
    <>
      {session ? <SessionView key={session.id} session={session} /> : <SessionList sessions={sessions.data.items} />}
      <SessionDialogs />
    </>
  );
}
