import { ActionIcon, Button, Kbd, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DataOf } from '#shared/contract/index.ts';
import logo from '../../resources/icons/icon.svg';
import { useOperation } from '../api/hooks.ts';
import { openPalette } from '../commands/app-commands.tsx';
import { useKeyHint } from '../commands/registry.ts';
import { openGuide } from '../features/guide/guide.ts';
import { ProjectMenu } from '../features/projects/project-menu.tsx';
import { ServiceMark } from '../features/remotes/service-mark.tsx';
import { LANGUAGE_NAMES, LANGUAGES, setLanguage } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { openDialog } from './dialog-store.ts';
import classes from './top-bar.module.css';
import { useUiStore } from './ui-store.ts';

function LanguageMenu() {
  const { t, i18n } = useTranslation('app');
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={t('bar.language')} data-testid="language">
          <Icon name="language" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            leftSection={<Icon name={i18n.language === language ? 'check' : 'language'} />}
            onClick={() => void setLanguage(language)}
          >
            {LANGUAGE_NAMES[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const SCHEMES = [
  { value: 'light', icon: 'sun', label: 'schemeLight' },
  { value: 'dark', icon: 'moon', label: 'schemeDark' },
  { value: 'auto', icon: 'auto', label: 'schemeAuto' },
] as const satisfies readonly { value: string; icon: IconName; label: string }[];

function SchemeMenu() {
  const { t } = useTranslation('app');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const present = SCHEMES.find((item) => item.value === colorScheme) ?? SCHEMES[2];
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={t('bar.scheme')} data-testid="scheme">
          <Icon name={present.icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {SCHEMES.map((item) => (
          <Menu.Item
            key={item.value}
            leftSection={<Icon name={item.icon} />}
            rightSection={item.value === colorScheme ? <Icon name="check" /> : null}
            onClick={() => setColorScheme(item.value)}
          >
            {t(`bar.${item.label}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const docsOf = ({ host, port }: DataOf<'serviceInfo'>) => (port ? `http://${host}:${port}/docs` : null);

/** Address of the API pages for the browser: beside the pages, or the service's port when this is the desktop window. */
function useDocsUrl(): string | null {
  const url = useOperation('serviceInfo', {}, { select: docsOf }).data ?? null;
  return window.loopcheck ? url : '/docs';
}

function MoreMenu() {
  const { t } = useTranslation('app');
  const docsUrl = useDocsUrl();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('bar.menu')} data-testid="more-menu">
          <Icon name="menu" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="gear" />} onClick={() => openDialog('settings')}>
          {t('bar.settings')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="record" />} onClick={() => openDialog('audit')}>
          {t('bar.audit')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => openDialog('requests')} data-testid="open-requests">
          {t('bar.requests')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="external" />} onClick={() => openGuide(null)} data-testid="open-guide">
          {t('bar.guide')}
        </Menu.Item>
        {docsUrl ? (
          <Menu.Item component="a" href={docsUrl} target="_blank" rel="noreferrer" leftSection={<Icon name="external" />}>
            {t('bar.apiDocs')}
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<Icon name="info" />} onClick={() => openDialog('about')}>
          {t('bar.about')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function PaletteKey() {
  const key = useKeyHint('palette');
  return key === '' ? null : <Kbd size="xs">{key.slice(2, -1)}</Kbd>;
}

/** Product, project, language, appearance and the menu of the service. */
export function TopBar() {
  const { t } = useTranslation(['app', 'commands']);
  const toggleSidebar = useUiStore((state) => state.toggleSidebar);
  return (
    <section className={classes.bar} aria-label={t('app:bar.label')}>
      <Tooltip label={t('app:bar.toggleSidebar')}>
        <ActionIcon aria-label={t('app:bar.toggleSidebar')} onClick={toggleSidebar}>
          <Icon name="sidebar" />
        </ActionIcon>
      </Tooltip>
      <img src={logo} alt="" width={20} height={20} />
      <span className={classes.product}>{t('app:product')}</span>
      <ServiceMark />
      <ProjectMenu />
      <div className={classes.spacer} />
      <Button
        variant="default"
        color="gray"
        miw={220}
        styles={{ label: { flex: 1, textAlign: 'left' } }}
        leftSection={<Icon name="search" size={14} />}
        rightSection={<PaletteKey />}
        onClick={openPalette}
        data-testid="open-palette"
      >
        {t('commands:open')}
      </Button>
      <div className={classes.spacer} />
      <LanguageMenu />
      <SchemeMenu />
      <MoreMenu />
    </section>
  );
}
