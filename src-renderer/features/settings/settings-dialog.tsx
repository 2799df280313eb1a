import { Modal, Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDialogStore } from '../../app/dialog-store.ts';
import { guideTo } from '../guide/guide.ts';
import { PublishSettings } from '../publish/publish-settings.tsx';
import { RemoteSettings } from '../remotes/remote-settings.tsx';
import { UpdateSettings } from '../updates/update-settings.tsx';
import { AccessSettings } from './access-settings.tsx';
import { DisplaySettings } from './display-settings.tsx';
import { KeysSettings } from './keys-settings.tsx';
import { ServiceSettingsForm } from './service-settings.tsx';
import classes from './settings.module.css';

/** Ctrl+,: what belongs to the person in front of the screen, what belongs to the service, and the keys. */
export function SettingsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['settings', 'app']);
  const tab = useDialogStore((state) => state.tab);
  return (
    <Modal
      {...guideTo('window')}
      opened
      onClose={onClose}
      title={t('settings:title')}
      size={720}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Tabs defaultValue={tab} keepMounted={false} data-testid="settings">
        <Tabs.List aria-label={t('settings:title')}>
          <Tabs.Tab value="display" data-autofocus data-testid="settings-display">
            {t('settings:tab.display')}
          </Tabs.Tab>
          <Tabs.Tab value="service" data-testid="settings-service">
            {t('settings:tab.service')}
          </Tabs.Tab>
          <Tabs.Tab value="access" data-testid="settings-access">
            {t('settings:tab.access')}
          </Tabs.Tab>
          <Tabs.Tab value="publish" data-testid="settings-publish">
            {t('settings:tab.publish')}
          </Tabs.Tab>
          <Tabs.Tab value="remotes" data-testid="settings-remotes">
            {t('settings:tab.remotes')}
          </Tabs.Tab>
          <Tabs.Tab value="updates" data-testid="settings-updates">
            {t('settings:tab.updates')}
          </Tabs.Tab>
          <Tabs.Tab value="keys" data-testid="settings-keys">
            {t('settings:tab.keys')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="display" className={classes.panel ?? ''}>
          <DisplaySettings />
        </Tabs.Panel>
        <Tabs.Panel value="service" className={classes.panel ?? ''}>
          <ServiceSettingsForm onDone={onClose} />
        </Tabs.Panel>
        <Tabs.Panel value="access" className={classes.panel ?? ''}>
          <AccessSettings />
        </Tabs.Panel>
        <Tabs.Panel value="publish" className={classes.panel ?? ''}>
          <PublishSettings />
        </Tabs.Panel>
        <Tabs.Panel value="remotes" className={classes.panel ?? ''}>
          <RemoteSettings />
        </Tabs.Panel>
        <Tabs.Panel value="updates" className={classes.panel ?? ''}>
          <UpdateSettings />
        </Tabs.Panel>
        <Tabs.Panel value="keys" className={classes.panel ?? ''}>
          <KeysSettings />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  );
}
