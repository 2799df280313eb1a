import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatDateTime } from '../../ui/time.ts';
import { Facts } from './facts.tsx';

/** Folder of a path written the Windows or the POSIX way. */
function folderOf(path: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return cut > 0 ? path.slice(0, cut) : path;
}

/** Version and whereabouts of the service behind these pages. */
export function About() {
  const { t } = useTranslation('app');
  const info = useOperation('serviceInfo', {});
  const project = useOperation('projectInfo', {});
  if (!info.data) return <ErrorNotice error={info.error} />;
  const { version, host, port, pid, started_at } = info.data;
  return (
    <Stack gap="sm">
      <Text>{t('about.purpose')}</Text>
      <Facts
        items={[
          { name: t('about.version'), value: version },
          { name: t('about.service'), value: port === null ? t('about.window') : `http://${host}:${port}` },
          { name: t('about.started'), value: formatDateTime(started_at) },
          { name: t('about.process'), value: pid },
          { name: t('about.dataFolder'), value: project.data ? folderOf(project.data.path) : '–' },
        ]}
      />
      <Text c="dimmed" size="xs">
        {t('about.license')}
      </Text>
    </Stack>
  );
}
