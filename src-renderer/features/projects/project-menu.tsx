import { Button, Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useOperation } from '../../api/hooks.ts';
import { openDialog } from '../../app/dialog-store.ts';
import { useUiStore } from '../../app/ui-store.ts';
import { useCommand } from '../../commands/registry.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import classes from './projects.module.css';
import { showReadText } from './projects-store.ts';
import { USABLE } from './recent-list.tsx';
import { saveText, useProjectSteps } from './use-projects.ts';

/** Recent projects in the menu; the start page has them all. */
const MOST_RECENT = 5;

const STEPS = [
  ['new', 'plus'],
  ['open', 'file'],
  ['copy', 'copy'],
  ['rename', 'edit'],
] as const satisfies readonly (readonly [string, IconName])[];

/** The steps with a project as commands; draws nothing. */
function ProjectCommands({ steps }: { readonly steps: ReturnType<typeof useProjectSteps> }) {
  const { t } = useTranslation('projects');
  const { showStart } = useUiStore.getState();
  const always = { group: 'service', reason: null } as const;
  useCommand({ ...always, id: 'project-new', words: t('title.new'), run: () => steps.begin('new') });
  useCommand({ ...always, id: 'project-open', words: t('title.open'), key: 'mod+O', run: () => steps.begin('open') });
  useCommand({ ...always, id: 'project-copy', words: t('title.copy'), run: () => steps.begin('copy') });
  useCommand({ ...always, id: 'project-rename', words: t('title.rename'), run: () => steps.begin('rename') });
  useCommand({ ...always, id: 'save-text', words: t('text.save'), run: () => void saveText() });
  useCommand({ ...always, id: 'read-text', words: t('text.read'), run: () => showReadText(true) });
  useCommand({ ...always, id: 'demo', words: t('demo'), run: () => steps.openDemo() });
  useCommand({ id: 'start-page', group: 'go', words: t('start'), reason: null, run: showStart });
  return null;
}

/** The name of the open project, and what can be done with projects. */
export function ProjectMenu() {
  const { t } = useTranslation('projects');
  const project = useOperation('projectInfo', {}).data;
  const recent = (useOperation('recentProjects', {}).data?.items ?? []).filter(({ state }) => state !== 'open').slice(0, MOST_RECENT);
  const steps = useProjectSteps();
  const showStart = useUiStore((state) => state.showStart);
  return (
    <>
      <ProjectCommands steps={steps} />
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            rightSection={<Icon name="down" size={12} />}
            title={project?.path ?? ''}
            className={classes.name ?? ''}
            data-testid="project-menu"
          >
            {project?.name ?? t('project')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {STEPS.map(([kind, icon]) => (
            <Menu.Item key={kind} leftSection={<Icon name={icon} />} onClick={() => steps.begin(kind)} data-testid={`project-${kind}`}>
              {t(`title.${kind}`)}…
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="download" />} onClick={() => void saveText()} data-testid="project-save-text">
            {t('text.save')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="upload" />} onClick={() => showReadText(true)} data-testid="project-read-text">
            {t('text.read')}…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="list" />} onClick={showStart} data-testid="open-start">
            {t('start')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="info" />} onClick={() => openDialog('project')} data-testid="project-facts">
            {t('facts')}
          </Menu.Item>
          {recent.length > 0 ? <Menu.Label>{t('recent')}</Menu.Label> : null}
          {recent.map(({ path, name, state }) => (
            <Menu.Item key={path} title={path} disabled={!USABLE.includes(state)} onClick={() => steps.go(path)}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
