import { Loader, Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DeviceTemplate } from '#shared/contract/library.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { useOperation } from '../../api/hooks.ts';
import { ChooseFile } from '../../ui/drop-zone.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Said } from '../../ui/said.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { guideTo } from '../guide/guide.ts';
import classes from './library.module.css';
import { showLibrary } from './library-store.ts';
import { useLibrary, useTemplateWords } from './use-library.ts';
import { UseTemplate } from './use-template.tsx';

interface ListProps {
  readonly items: readonly DeviceTemplate[];
  readonly chosen: string | null;
  onChoose(id: string): void;
}

function TemplateList({ items, chosen, onChoose }: ListProps) {
  const { t } = useTranslation('library');
  const words = useTemplateWords();
  return (
    <ul className={classes.list} aria-label={t('title')}>
      {items.map((template) => (
        <li key={template.id}>
          <button
            type="button"
            className={classes.item}
            aria-current={template.id === chosen}
            onClick={() => onChoose(template.id)}
            data-template={template.id}
          >
            <span>{words(template).name}</span>
            <span className={classes.kind}>
              {protocolFacts(template.protocol_type).name} · {t('points', { count: template.points })}
              {template.built_in ? null : ` · ${t('own')}`}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Templates of devices: a channel or a simulated device of one, files of one's own and of others. */
export default function LibraryDialog() {
  const { t } = useTranslation(['library', 'app']);
  const { data, error } = useOperation('listTemplates', {});
  const { add } = useLibrary();
  const words = useTemplateWords();
  const { isOver, handlers } = useFileDrop((file) => add.mutate(file));
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = search.trim().toLowerCase();
  const items = (data?.items ?? []).filter((template) => {
    const { name, about } = words(template);
    return [name, about, template.name, protocolFacts(template.protocol_type).name].some((text) => text.toLowerCase().includes(wanted));
  });
  const shown = items.find(({ id }) => id === chosen) ?? null;
  return (
    <Modal
      {...guideTo('device-library')}
      opened
      onClose={() => showLibrary(false)}
      size={900}
      title={t('library:title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      data-testid="library"
    >
      <div className={`${classes.body} ${isOver ? classes.over : ''}`} {...handlers}>
        <div className={classes.side}>
          <TextInput
            aria-label={t('library:search')}
            placeholder={t('library:search')}
            leftSection={<Icon name="search" size={14} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            data-autofocus
            data-testid="library-search"
          />
          {data ? <TemplateList items={items} chosen={shown?.id ?? null} onChoose={setChosen} /> : error ? null : <Loader size="sm" />}
          {data && items.length === 0 ? <Text size="sm">{t('library:none')}</Text> : null}
          <ChooseFile
            label={t('library:add')}
            onFile={(file) => add.mutate(file)}
            accept=".json"
            loading={add.isPending}
            leftSection={<Icon name="upload" size={14} />}
            data-testid="library-add"
          />
          {(data?.unreadable ?? []).map(({ file, reason, reason_info }) => (
            <Text key={file} size="xs" c="red">
              {file}: <Said message={reason_info} text={reason} />
            </Text>
          ))}
        </div>
        <div className={classes.main}>
          <ErrorNotice error={error ?? add.error} compact />
          {shown ? <UseTemplate key={shown.id} template={shown} /> : <EmptyState icon="list" title={t('library:choose')} />}
        </div>
      </div>
    </Modal>
  );
}
