import { Button, Group, Modal, ScrollArea, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { holdActions } from '../../api/held-requests.ts';
import { type SentRequest, useSentRequests } from '../../api/sent-requests.ts';
import { useKeyHint } from '../../commands/registry.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import { toClipboard } from '../../ui/to-clipboard.ts';
import { guideTo } from '../guide/guide.ts';
import { FormChoice } from './form-choice.tsx';
import { HOLD_COMMAND } from './held-bar.tsx';
import { actionsText, useOrigin, useRequestForm } from './request-words.ts';
import classes from './requests.module.css';

/** What was done on this page as requests of the API, the newest first: as a command of a shell, or as a script. */
export function RequestsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['requests', 'app']);
  const requests = useSentRequests((state) => state.requests);
  const origin = useOrigin();
  const [chosen, setChosen] = useState<number | null>(null);
  const form = useRequestForm((state) => state.form);
  const key = useKeyHint(HOLD_COMMAND);
  const shown = requests.find(({ id }) => id === chosen) ?? requests[0];
  const text = shown && origin ? actionsText(form, [shown], origin) : '';
  const columns: readonly SmallColumn<SentRequest>[] = [
    { id: 'at', name: t('requests:at'), isShort: true, cell: ({ at }) => <span className="lc-mono">{formatTime(at)}</span> },
    {
      id: 'request',
      name: t('requests:request'),
      isRowHeader: true,
      cell: ({ id, request: { method, url } }) => (
        <button type="button" className={classes.pick} aria-pressed={id === shown?.id} onClick={() => setChosen(id)}>
          {`${method} ${url}`}
        </button>
      ),
    },
    { id: 'outcome', name: t('requests:outcome'), isShort: true, cell: ({ outcome }) => t(`requests:outcomes.${outcome ?? 'open'}`) },
  ];
  return (
    <Modal
      {...guideTo('scripts')}
      opened
      onClose={onClose}
      size={900}
      title={t('requests:title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Text size="sm" c="dimmed">
          {t('requests:hint')}
        </Text>
        <Button
          variant="default"
          flex="none"
          title={`${t('requests:hold.hint')}${key}`}
          onClick={() => {
            onClose();
            holdActions();
          }}
          data-testid="hold-actions"
        >
          {t('requests:hold.begin')}
        </Button>
      </Group>
      <ScrollArea.Autosize mah={220} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': t('requests:title') }}>
        <SmallTable
          label={t('requests:title')}
          columns={columns}
          rows={requests}
          keyOf={({ id }) => id}
          rowData={({ name }) => ({ 'data-request': name })}
          empty={t('requests:none')}
          testId="requests"
        />
      </ScrollArea.Autosize>
      {shown ? (
        <>
          <Group justify="space-between" mt="sm" mb={6}>
            <FormChoice />
            <Button
              variant="default"
              leftSection={<Icon name="copy" size={14} />}
              onClick={() => void toClipboard(text, t('requests:copied'), t('requests:copyFailed'))}
              data-testid="request-copy"
            >
              {t('requests:copy')}
            </Button>
          </Group>
          <textarea
            className={classes.text}
            readOnly
            rows={12}
            spellCheck={false}
            aria-label={t('requests:text')}
            value={text}
            data-testid="request-text"
          />
        </>
      ) : null}
    </Modal>
  );
}
