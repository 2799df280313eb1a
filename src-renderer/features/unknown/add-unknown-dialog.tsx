import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { FrameType } from '#shared/domain/enums.ts';
import { slaveText } from '#shared/domain/notation.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues } from '../../ui/form/issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { termsOf, useNotation } from '../channels/protocol-facts.ts';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './unknown.module.css';
import { codeFaults, hasBits, objectKey, type Proposal, pointsOf, proposalsFor, rowIssues, type UnknownObject } from './unknown-model.ts';

const ROW_HEIGHT = 34;

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

/** The proposals, drawn only where they are seen: there may be thousands. */
function Rows({ channel, proposals, issues, showsBit, onChange }: RowsProps) {
  const { t } = useTranslation(['tools', 'points']);
  const notation = useNotation(channel.protocol_type);
  const terms = termsOf(notation);
  const scroll = useRef<HTMLElement>(null);
  const faults = useFaultTexts(proposals, issues);
  const virtual = useVirtualizer({
    count: proposals.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const columns = showsBit ? 6 : 5;
  const before = items[0]?.start ?? 0;
  const after = Math.max(0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <section ref={scroll} className={classes.proposals} tabIndex={0} aria-label={t('tools:unknown.title')}>
      <table className={classes.table} aria-rowcount={proposals.length + 1}>
        <thead>
          <tr>
            <th scope="col" style={{ width: 76 }}>
              {t('tools:unknown.point')}
            </th>
            <th scope="col" style={{ width: 76 }}>
              {t('points:column.slave', { context: terms.slave })}
            </th>
            <th scope="col" style={{ width: 84 }}>
              {t('points:column.address', { context: terms.address })}
            </th>
            <th scope="col" style={{ width: 190 }}>
              {t('tools:unknown.code')}
            </th>
            <th scope="col">{t('tools:unknown.name')}</th>
            {showsBit ? (
              <th scope="col" style={{ width: 60 }}>
                {t('tools:unknown.bit')}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          <tr aria-hidden>
            <td className={classes.gap} colSpan={columns} style={{ height: before }} />
          </tr>
          {items.map((item) => {
            const proposal = proposals[item.index];
            if (!proposal) return null;
            const { object } = proposal;
            const { address } = object;
            return (
              <tr key={objectKey(object)} ref={virtual.measureElement} data-index={item.index} data-testid="proposal">
                <td>{FRAME_TYPE_LETTERS[proposal.frameType]}</td>
                <td>{slaveText(object.slave_id, notation)}</td>
                <td>{address}</td>
                <td>
                  <TextInput
                    aria-label={t('tools:unknown.codeOf', { address })}
                    value={proposal.code}
                    maxLength={100}
                    error={faults.get(item.index)}
                    onChange={(event) => onChange(item.index, { code: event.currentTarget.value })}
                  />
                </td>
                <td>
                  <TextInput
                    aria-label={t('tools:unknown.nameOf', { address })}
                    value={proposal.name}
                    maxLength={200}
                    onChange={(event) => onChange(item.index, { name: event.currentTarget.value })}
                  />
                </td>
                {showsBit ? (
                  <td>
                    {proposal.frameType === FrameType.yx ? (
                      <TextInput
                        aria-label={t('tools:unknown.bitOf', { address })}
                        value={proposal.bit}
                        inputMode="numeric"
                        maxLength={2}
                        onChange={(event) => onChange(item.index, { bit: event.currentTarget.value.replace(/\D/g, '') })}
                      />
                    ) : null}
                  </td>
                ) : null}
              </tr>
            );
          })}
          <tr aria-hidden>
            <td className={classes.gap} colSpan={columns} style={{ height: after }} />
          </tr>
        </tbody>
      </table>
    </section>
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
  const issues = rowIssues(add.error ? serviceIssues(add.error) : {});
  return (
    <Modal
      opened
      onClose={onClose}
      size={780}
      title={t('tools:unknown.addTitle', { channel: channel.name })}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
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
          <Button
            disabled={proposals.length === 0 || codeFaults(proposals).size > 0}
            loading={add.isPending}
            onClick={submit}
            data-testid="unknown-do-add"
          >
            {t('tools:unknown.doAdd', { count: proposals.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
