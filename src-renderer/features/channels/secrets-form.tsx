import { ActionIcon, Button, Loader, PasswordInput, SimpleGrid, Text, Tooltip } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import formClasses from '../../ui/form/form-frame.module.css';
import { serviceIssues, unplacedError } from '../../ui/form/issues.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { closeChannelDialog } from './channel-dialog-store.ts';
import { useSecretLabel } from './secret-label.ts';

/** What somebody entered: a text replaces a secret, null removes it; what is not named stays. */
type Changes = Readonly<Record<string, string | null>>;

interface SecretFieldProps {
  readonly name: string;
  readonly isSet: boolean;
  readonly change: string | null | undefined;
  readonly error: string | undefined;
  onChange(change: string | null | undefined): void;
}

/** One secret: says whether it is set, takes a new one, removes it. What is set is never shown. */
function SecretField({ name, isSet, change, error, onChange }: SecretFieldProps) {
  const { t } = useTranslation('channels');
  const label = useSecretLabel()(name);
  const state = change === null ? t('secrets.removed') : isSet ? t('secrets.set') : t('secrets.notSet');
  const remove = t('secrets.remove', { name: label });
  return (
    <PasswordInput
      label={label}
      placeholder={state}
      value={change ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      error={error}
      autoComplete="new-password"
      leftSection={<Icon name="key" />}
      {...(isSet && change === undefined
        ? {
            rightSection: (
              <Tooltip label={remove}>
                <ActionIcon variant="subtle" color="gray" aria-label={remove} onClick={() => onChange(null)}>
                  <Icon name="trash" />
                </ActionIcon>
              </Tooltip>
            ),
          }
        : {})}
      data-path={`secrets.${name}`}
      data-testid={`secret-${name}`}
    />
  );
}

/** Passwords and codes of a channel. */
export default function SecretsForm({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation(['channels', 'app']);
  const present = useOperation('channelSecrets', { channel_id: channel.id });
  const save = useAction('updateChannelSecrets', ['channelSecrets']);
  const [changes, setChanges] = useState<Changes>({});
  if (!present.data) return present.error ? <ErrorNotice error={present.error} /> : <Loader size="sm" />;
  const names = Object.keys(present.data.secrets);
  const issues = save.error ? serviceIssues(save.error) : {};
  const set = (name: string, change: string | null | undefined) => {
    const { [name]: _, ...others } = changes;
    setChanges(change === undefined ? others : { ...others, [name]: change });
    save.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      notifyDone(t('channels:secrets.done', { name: channel.name }));
      closeChannelDialog();
    };
    save.mutate({ channel_id: channel.id, secrets: { ...changes } }, { onSuccess });
  };
  const unplaced = unplacedError(
    save.error,
    names.map((name) => `secrets.${name}`),
  );
  return (
    <form onSubmit={submit} noValidate autoComplete="off" data-testid="secrets-form">
      <div className={formClasses.fields}>
        <Text size="sm">{t('channels:secrets.hint')}</Text>
        <SimpleGrid cols={2} spacing="sm" verticalSpacing="xs">
          {names.map((name) => (
            <SecretField
              key={name}
              name={name}
              isSet={present.data.secrets[name] === true}
              change={changes[name]}
              error={issues[`secrets.${name}`]}
              onChange={(change) => set(name, change)}
            />
          ))}
        </SimpleGrid>
      </div>
      <div className={formClasses.footer}>
        <ErrorNotice error={unplaced} compact />
        <div className={formClasses.buttons}>
          <Button variant="default" onClick={closeChannelDialog}>
            {t('app:action.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={Object.keys(changes).length === 0} data-testid="save-secrets">
            {t('app:action.save')}
          </Button>
        </div>
      </div>
    </form>
  );
}
