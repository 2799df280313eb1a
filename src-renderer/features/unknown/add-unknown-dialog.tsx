import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { slaveText } from '#shared/domain/notation.ts';
import { useAction } from '../../api/hooks.ts';
import { type GridColumn, textColumn } from '../../ui/data-grid/column.ts';
import { DataGrid } from '../../ui/data-grid/data-grid.tsx';
import { useLocalRows } from '../../ui/data-grid/rows.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues } from '../../ui/form/issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { useStable } from '../../ui/use-stable.ts';
import { termsOf, useNotation } from '../channels/protocol-facts.ts';
import { guideTo } from '../guide/guide.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './unknown.module.css';
import { codeFaults, hasBits, objectKey, type Proposal, pointsOf, proposalsFor, rowIssues, type UnknownObject } from './unknown-model.ts';

const ROW_HEIGHT = 36;
const MOST_HEIGHT = 380;

interface RowsProps {
  readonly channel: Channel;
  readonly proposals: readonly Proposal[];
  readonly issues: ReadonlyMap<number, string>;
  readonly showsBit: boolean;
  onChange(row: number, change: Partial<Proposal>): void;
}

function useFaultTexts(proposals: readonly Proposal[], issues: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const { t } = useTranslation('tools');
  const texts = new Map(issues);
  for (const [row, fault] of codeFaults(proposals)) texts.set(row, fault === 'empty' ? t('unknown.codeEmpty') : t('unknown.codeTwice'));
  return texts;
}

/** A proposal at its place, with what is wrong with it. */
interface Row {
  readonly index: number;
  readonly proposal: Proposal;
  readonly fault: string | undefined;
}

const idOf = ({ proposal }: Row) => objectKey(proposal.object);
const rowProps = () => ({ 'data-testid': 'proposal' });

function useColumns({ channel, showsBit, onChange }: RowsProps): readonly GridColumn<Row>[] {
  const { t } = useTranslation(['tools', 'points']);
  const notation = useNotation(channel.protocol_type);
  const change = useStable(onChange);
  return useMemo(() => {
    const terms = termsOf(notation);
    const plain = textColumn<Row>;
    const bit: GridColumn<Row> = {
      id: 'bit',
      name: t('tools:unknown.bit'),
      width: 60,
      cell: ({ index, proposal }) =>
        proposal.frameType === FrameType.yx ? (
          <TextInput
            aria-label={t('tools:unknown.bitOf', { address: proposal.object.address })}
            value={proposal.bit}
            inputMode="numeric"
            maxLength={2}
            onChange={(event) => change(index, { bit: event.currentTarget.value.replace(/\D/g, '') })}
          />
        ) : null,
    };
    return [
      plain('point', t('tools:unknown.point'), 76, ({ proposal }) => FRAME_TYPE_LETTERS[proposal.frameType]),
      plain('slave', t('points:column.slave', { context: terms.slave }), 76, ({ proposal }) =>
        slaveText(proposal.object.slave_id, notation),
      ),
      plain('address', t('points:column.address', { context: terms.address }), 84, ({ proposal }) => String(proposal.object.address)),
      {
        id: 'code',
        name: t('tools:unknown.code'),
        width: 170,
        cell: ({ index, proposal, fault }) => (
          <TextInput
            aria-label={t('tools:unknown.codeOf', { address: proposal.object.address })}
            value={proposal.code}
            maxLength={100}
            error={fault !== undefined}
            onChange={(event) => change(index, { code: event.currentTarget.value })}
          />
        ),
      },
      {
        id: 'name',
        name: t('tools:unknown.name'),
        width: 150,
        grows: 1,
        cell: ({ index, proposal }) => (
          <TextInput
            aria-label={t('tools:unknown.nameOf', { address: proposal.object.address })}
            value={proposal.name}
            maxLength={200}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
          />
        ),
      },
      ...(showsBit ? [bit] : []),
      {
        id: 'fault',
        name: t('tools:unknown.remark'),
        width: 150,
        grows: 1,
        cell: ({ fault }) => (fault === undefined ? null : <span className={classes.fault}>{fault}</span>),
        titleOf: ({ fault }) => fault,
      },
    ];
  }, [t, notation, showsBit, change]);
}

/** The proposals; what is wrong with one stands at its end, so that nothing moves for it. */
function Rows(props: RowsProps) {
  const { t } = useTranslation('tools');
  const { proposals } = props;
  const faults = useFaultTexts(proposals, props.issues);
  const list = proposals.map((proposal, index): Row => ({ index, proposal, fault: faults.get(index) }));
  const rows = useLocalRows(list, idOf);
  const columns = useColumns(props);
  return (
    <div className={classes.proposals} style={{ height: Math.min(MOST_HEIGHT, (proposals.length + 1) * ROW_HEIGHT) }}>
      <DataGrid name="proposals" label={t('unknown.title')} rows={rows} columns={columns} rowProps={rowProps} rowHeight={ROW_HEIGHT} />
    </div>
  );
}

interface AddUnknownDialogProps {
  readonly channel: Channel;
  readonly descriptor: ProtocolDescriptor | undefined;
  readonly objects: readonly UnknownObject[];
  onAdded(): void;
  onClose(): void;
}

/** Makes points of objects that the device sends: code, name and bit can be changed before. All are added or none. */
export function AddUnknownDialog({ channel, descriptor, objects, onAdded, onClose }: AddUnknownDialogProps) {
  const { t } = useTranslation(['tools', 'app']);
  const [proposals, setProposals] = useState(() => proposalsFor(objects));
  const [prefix, setPrefix] = useState('');
  const add = useAction('addPoints', ['pointTable', 'listChannels', 'projectInfo', 'unknownObjects']);
  const changePrefix = (next: string) => {
    setPrefix(next);
    setProposals((all) =>
      all.map((item) => (item.code.startsWith(prefix) ? { ...item, code: `${next}${item.code.slice(prefix.length)}` } : item)),
    );
  };
  const submit = () =>
    add.mutate(
      { channel_id: channel.id, points: pointsOf(proposals) },
      {
        onSuccess: ({ data }) => {
          notifyDone(t('tools:unknown.added', { count: data.items.length }));
          onAdded();
          onClose();
        },
        onError: (error) => {
          if (hasBits(descriptor) && Object.keys(serviceIssues(error)).some((path) => path.endsWith('.bit'))) setNeedsBit(true);
        },
      },
    );
  // Only packed objects need a bit: the service says so, and the column stays then.
  const [needsBit, setNeedsBit] = useState(false);
  const canAdd = proposals.length > 0 && codeFaults(proposals).size === 0 && !add.isPending;
  const issues = rowIssues(add.error ? serviceIssues(add.error) : {});
  return (
    <Modal
      {...guideTo('iec104')}
      opened
      onClose={onClose}
      size={780}
      title={t('tools:unknown.addTitle', { channel: channel.name })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (canAdd) submit();
        }}
      >
        <Stack gap="sm" data-testid="add-unknown">
          <Group align="flex-end" justify="space-between">
            <p className={classes.note}>{t('tools:unknown.addHint')}</p>
            <TextInput
              label={t('tools:unknown.prefix')}
              value={prefix}
              maxLength={40}
              w={190}
              onChange={(event) => changePrefix(event.currentTarget.value)}
              data-autofocus
              data-testid="unknown-prefix"
            />
          </Group>
          <Rows
            channel={channel}
            proposals={proposals}
            issues={issues}
            showsBit={needsBit}
            onChange={(row, change) => {
              add.reset();
              setProposals((all) => all.map((item, index) => (index === row ? { ...item, ...change } : item)));
            }}
          />
          <ErrorNotice error={add.error} compact={issues.size > 0} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('app:action.cancel')}
            </Button>
            <Button type="submit" disabled={!canAdd && !add.isPending} loading={add.isPending} data-testid="unknown-do-add">
              {t('tools:unknown.doAdd', { count: proposals.length })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
