import { Button, Group, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/hooks.ts';
import { openDialog } from '../../app/dialog-store.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { MissingSection } from '../projects/missing-section.tsx';
import type { ProjectStep } from '../projects/projects-store.ts';
import { useProjectSteps } from '../projects/use-projects.ts';
import { Facts } from './facts.tsx';

const STEPS = ['copy', 'rename', 'open'] as const satisfies readonly ProjectStep[];

/** The open project file: facts, what it lacks, and what can be done with it. */
export function ProjectPage() {
  const { t } = useTranslation(['app', 'projects']);
  const project = useOperation('projectInfo', {});
  const { begin } = useProjectSteps();
  if (!project.data) return <ErrorNotice error={project.error} />;
  const { path, size_bytes, channels, points, schema_version } = project.data;
  return (
    <Stack gap="sm">
      <Facts
        items={[
          { name: t('app:project.path'), value: <span className="lc-mono">{path}</span> },
          { name: t('app:project.size'), value: formatBytes(size_bytes) },
          { name: t('app:project.channels'), value: channels },
          { name: t('app:project.points'), value: points },
          { name: t('app:project.schema'), value: schema_version },
        ]}
      />
      <MissingSection />
      <Group justify="flex-end" gap="xs">
        {STEPS.map((kind) => (
          <Button
            key={kind}
            variant="default"
            onClick={() => {
              openDialog(null);
              begin(kind);
            }}
          >
            {t(`projects:title.${kind}`)}…
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
