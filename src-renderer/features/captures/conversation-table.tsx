import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { CapturedConversation } from '#shared/contract/simulation.ts';
import { protocolFacts } from '#shared/domain/protocols.ts';
import { useWords } from '../../i18n/words.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { formatBeside, formatDateTime } from '../../ui/time.ts';
import classes from './captures.module.css';

const idOf = ({ index }: CapturedConversation) => String(index);
const rowProps = ({ index }: CapturedConversation) => ({ 'data-testid': 'conversation', 'data-conversation': index });

/** Why a conversation cannot be taken into a channel, in words; null: it can. */
export function useRefusal(channel: Channel): (conversation: CapturedConversation) => string | null {
  const { t } = useTranslation('captures');
  const words = useWords();
  return useMemo(
    () =>
      ({ protocol_type, reason, reason_message }) => {
        if (reason !== null) return t('no', { reason: words(reason_message, reason) });
        if (protocol_type === channel.protocol_type) return null;
        return t('otherProtocol', { serves: protocolFacts(channel.protocol_type).name });
      },
    [channel.protocol_type, t, words],
  );
}

interface ConversationTableProps {
  readonly channel: Channel;
  readonly conversations: readonly CapturedConversation[];
  readonly chosen: number | null;
  onChoose(index: number): void;
}

/** The conversations of a capture, one of which is chosen. */
export function ConversationTable({ channel, conversations, chosen, onChoose }: ConversationTableProps) {
  const { t } = useTranslation('captures');
  const refusalOf = useRefusal(channel);
  const words = useWords();
  const rows = useLocalRows(conversations, idOf);
  const columns = useMemo((): readonly GridColumn<CapturedConversation>[] => {
    const text = textColumn<CapturedConversation>;
    const count = (id: string, name: string, width: number, of: (row: CapturedConversation) => number) =>
      ({ ...text(id, name, width, (row) => String(of(row))), align: 'right' }) as const;
    const deviceOf = ({ carrier, line, device }: CapturedConversation) => (carrier === 'line' ? t('onLine', { line }) : device);
    const protocolOf = ({ protocol_type }: CapturedConversation) => (protocol_type === null ? '–' : protocolFacts(protocol_type).name);
    const stateOf = (row: CapturedConversation) => {
      const { left_out, left_out_message } = row;
      return refusalOf(row) ?? (left_out === null ? t('yes') : t('yesInPart', { left: words(left_out_message, left_out) }));
    };
    return [
      {
        id: 'choice',
        name: '',
        width: 34,
        isFixed: true,
        cell: (row) => (
          <input
            type="radio"
            name="conversation"
            className={classes.choice}
            checked={row.index === chosen}
            disabled={refusalOf(row) !== null}
            onChange={() => onChoose(row.index)}
            aria-label={t('chooseOne', { name: deviceOf(row) })}
          />
        ),
      },
      {
        ...text('device', t('column.device'), 150, deviceOf),
        isRowHeader: true,
        titleOf: (row) => `${deviceOf(row)} · ${t(`roles.${row.roles_by}`)}`,
      },
      text('master', t('column.master'), 150, ({ master }) => master || '–'),
      text('protocol', t('column.protocol'), 105, protocolOf),
      count('reads', t('column.reads'), 75, ({ reads }) => reads),
      count('addresses', t('column.addresses'), 60, ({ addresses }) => addresses),
      count('gaps', t('column.gaps'), 55, ({ gaps }) => gaps),
      text('from', t('column.from'), 185, ({ from }) => formatDateTime(from)),
      text('to', t('column.to'), 100, ({ from, to }) => (from !== null && to !== null ? formatBeside(to, from) : formatDateTime(to))),
      {
        ...text('state', t('column.state'), 130, stateOf),
        grows: 1,
        cell: (row) => <span className={refusalOf(row) === null ? classes.can : classes.cannot}>{stateOf(row)}</span>,
      },
    ];
  }, [t, words, refusalOf, chosen, onChoose]);
  return (
    <div className={classes.grid}>
      <DataGrid
        name="capture-conversations"
        label={t('conversations')}
        rows={rows}
        columns={columns}
        rowProps={rowProps}
        onPick={(row) => {
          if (refusalOf(row) === null) onChoose(row.index);
        }}
        empty={t('foundNone')}
      />
    </div>
  );
}
