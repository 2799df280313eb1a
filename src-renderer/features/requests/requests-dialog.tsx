import { Button, Group, Modal, ScrollArea, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { REQUEST_FORMS, type RequestForm, requestText } from '#shared/client/request-text.ts';
import { useOperation } from '../../api/hooks.ts';
import { type SentRequest, useSentRequests } from '../../api/sent-requests.ts';
import { shownService } from '../../api/service-place.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { formatTime } from '../../ui/time.ts';
import { toClipboard } from '../../ui/to-clipboard.ts';
import { guideTo } from '../guide/guide.ts';
import classes from './requests.module.css';

const FORM_NAMES: Readonly<Record<RequestForm, string>> = { curl: 'curl', powershell: 'PowerShell', python: 'Python' };

/** Where the service is reached from: the page's own address, from the desktop window the one it listens on. Null: not known yet. */
function useOrigin(): string | null {
  const info = useOperation('serviceInfo', {}).data;
  const remotes = useOperation('listRemotes', {}, { enabled: shownService !== null }).data;
  // a script asks the other service itself
  if (shownService !== null) return remotes?.items.find(({ id }) => id === shownService)?.address ?? null;
  if (!window.loopcheck) return window.location.origin;
  if (!info?.port) return null;
  return `${info.fingerprint === null ? 'http' : 'https'}://${info.host}:${info.port}`;
}

/** What was done on this page as requests of the API, the newest first: as a command of a shell, or as a script. */
export function RequestsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['requests', 'app']);
  const requests = useSentRequests((state) => state.requests);
  const origin = useOrigin();
  const [chosen, setChosen] = useState<number | null>(null);
  const [form, setForm] = useState<RequestForm>('curl');
  const shown = requests.find(({ id }) => id === chosen) ?? requests[0];
  const text = shown && origin ? textOf(form, shown, origin, t('requests:operates')) : '';
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
      <Text size="sm" c="dimmed" mb="xs">
        {t('requests:hint')}
      </Text>
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
            <SegmentedControl
              size="xs"
              aria-label={t('requests:form')}
              data={REQUEST_FORMS.map((value) => ({ value, label: FORM_NAMES[value] }))}
              value={form}
              onChange={setForm}
            />
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

function textOf(form: RequestForm, { request, fileName, isDownload, effect }: SentRequest, origin: string, operates: string): string {
  const file = fileName === null ? {} : { fileName };
  return requestText(form, { ...request, ...file, origin, isDownload, ...(effect === 'command' ? { remark: operates } : {}) });
}
