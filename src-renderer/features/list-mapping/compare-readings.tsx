import { Badge, Button, Table } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DataOf } from '#shared/contract/index.ts';
import type { ComparedReadings, ListQuestion } from '#shared/contract/list-operations.ts';
import { isServing } from '#shared/domain/enums.ts';
import type { AppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { Said } from '../../ui/said.tsx';
import classes from './list-mapping.module.css';
import { choiceText } from './question-words.ts';

type Row = DataOf<'compareReadings'>['rows'][number];

function Reading({ reading }: { readonly reading: Row['readings'][number] }) {
  const { t } = useTranslation('lists');
  if (reading.error !== null) return <Said message={reading.error_info} text={reading.error} />;
  return (
    <span className={reading.plausible ? (classes.good ?? '') : (classes.muted ?? '')} title={reading.raw_hex}>
      {reading.value_text === '' ? t('noValue') : `${reading.value_text} ${reading.unit}`} <small>@{reading.address}</small>
    </span>
  );
}

interface CompareProps {
  readonly channel: Channel;
  readonly question: ListQuestion;
  onAnswer(choice: string): void;
}

function Readings({ compared, question, onAnswer }: Omit<CompareProps, 'channel'> & { readonly compared: ComparedReadings }) {
  const { t } = useTranslation('lists');
  const { rows, plausible, requests } = compared;
  return (
    <div data-testid="mapping-readings">
      <Table withRowBorders>
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            {question.candidates.map(({ choice }) => (
              <Table.Th key={choice}>
                <Button size="compact-xs" variant={choice === plausible ? 'filled' : 'default'} onClick={() => onAnswer(choice)}>
                  {choiceText(question, choice, t)}
                </Button>{' '}
                {choice === plausible ? <Badge color="green">{t('plausible')}</Badge> : null}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.code}>
              <Table.Td>{row.name || row.code}</Table.Td>
              {row.readings.map((reading) => (
                <Table.Td key={reading.choice} className="lc-mono">
                  <Reading reading={reading} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className={classes.muted}>
        {t('requests', { count: requests })} {plausible === null ? t('noneplausible') : ''}
      </p>
    </div>
  );
}

/** Some addresses of the list, read from the device in each of the ways it may be meant: only when somebody asks for it. */
export function CompareReadings({ channel, question, onAnswer }: CompareProps) {
  const { t } = useTranslation('lists');
  const compare = useMutation<ComparedReadings, AppError>({
    mutationFn: async () =>
      (await api.call('compareReadings', { channel_id: channel.id, candidates: question.candidates.slice(0, MOST_WAYS) })).data,
    retry: false,
  });
  const reason = isServing(channel.conn_type) ? t('compareServer') : channel.status === 'stopped' ? t('compareStopped') : null;
  return (
    <div className={classes.compare}>
      <GuardedButton
        reason={reason}
        hint={t('compareHint')}
        variant="default"
        size="xs"
        loading={compare.isPending}
        onClick={() => compare.mutate()}
        testId="mapping-compare"
      >
        {t('compare')}
      </GuardedButton>
      <ErrorNotice error={compare.error} compact />
      {compare.data ? <Readings compared={compare.data} question={question} onAnswer={onAnswer} /> : null}
    </div>
  );
}

const MOST_WAYS = 4;
