import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ListProfile } from '#shared/contract/list-operations.ts';
import { useOperation } from '../../api/hooks.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ChooseFile } from '../../ui/drop-zone.tsx';
import { kept } from './change-mapping.ts';
import classes from './list-mapping.module.css';
import type { MappingView } from './mapping-view.ts';
import { useProfiles } from './use-profiles.ts';

const AUTO = '';
const NONE = '-';

function SaveProfile({ view, base, onClose }: { readonly view: MappingView; readonly base: ListProfile | null; onClose(): void }) {
  const { t } = useTranslation('lists');
  const { analysis, mapping, onMapping } = view;
  const [name, setName] = useState(base && !base.built_in ? base.name : '');
  const { save } = useProfiles();
  const formats = analysis.file.format === null ? [] : [analysis.file.format];
  const start = () =>
    save.mutate(
      { name, headers: analysis.headers, formats, mapping: kept(mapping, base?.mapping ?? null) },
      {
        onSuccess: ({ id }) => {
          onMapping({ ...mapping, profile: id });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      opened
      title={t('profile.saveTitle')}
      confirmLabel={t('profile.save')}
      pending={save.isPending}
      error={save.error}
      onConfirm={start}
      onClose={onClose}
    >
      <Text size="sm">{t('profile.saveText')}</Text>
      <TextInput
        label={t('profile.name')}
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
        data-testid="profile-name"
      />
    </ConfirmDialog>
  );
}

/** The profile by which a list is read: found by its headers, chosen, made from what was corrected, and exchanged as a file. */
export function ProfileBar(view: MappingView) {
  const { t } = useTranslation('lists');
  const { analysis, mapping, onMapping } = view;
  const [open, setOpen] = useState<'save' | 'delete' | null>(null);
  const { data } = useOperation('listProfiles', {});
  const { add, remove, saveAsFile } = useProfiles();
  const items = data?.items ?? [];
  const used = items.find(({ id }) => id === analysis.profile?.id) ?? null;
  const chosen = mapping.profile === undefined ? AUTO : (mapping.profile ?? NONE);
  const auto = mapping.profile === undefined && used ? t('profile.auto', { name: used.name }) : t('profile.autoNone');
  const choose = (id: string) => {
    const { profile: _, ...rest } = mapping;
    onMapping(id === AUTO ? rest : { ...rest, profile: id === NONE ? null : id });
  };
  return (
    <div className={classes.bar}>
      <NativeSelect
        label={t('profile.label')}
        size="xs"
        w={260}
        data={[
          { value: AUTO, label: mapping.profile === undefined ? auto : t('asFound') },
          { value: NONE, label: t('profile.none') },
          ...items.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={chosen}
        onChange={(event) => choose(event.currentTarget.value)}
        data-testid="mapping-profile"
      />
      <Button
        size="xs"
        variant="default"
        onClick={() => setOpen('save')}
        disabled={analysis.headers.length === 0}
        data-testid="profile-save"
      >
        {t('profile.save')}
      </Button>
      <ChooseFile label={t('profile.add')} onFile={(file) => add.mutate(file)} accept=".json" size="xs" loading={add.isPending} />
      {used ? (
        <Button size="xs" variant="default" onClick={() => saveAsFile.mutate(used.id)}>
          {t('profile.file')}
        </Button>
      ) : null}
      {used && !used.built_in ? (
        <Button size="xs" variant="default" color="red" onClick={() => setOpen('delete')}>
          {t('profile.delete')}
        </Button>
      ) : null}
      {(data?.unreadable ?? []).map(({ file }) => (
        <span key={file} className={classes.doubt}>
          {t('profile.unreadable', { file })}
        </span>
      ))}
      {open === 'save' ? <SaveProfile view={view} base={used} onClose={() => setOpen(null)} /> : null}
      {used ? (
        <ConfirmDialog
          opened={open === 'delete'}
          title={t('profile.deleteTitle', { name: used.name })}
          confirmLabel={t('profile.delete')}
          danger
          pending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(used.id, {
              onSuccess: () => {
                setOpen(null);
                choose(AUTO);
              },
            })
          }
          onClose={() => setOpen(null)}
        >
          <Text size="sm">{t('profile.deleteText')}</Text>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}
