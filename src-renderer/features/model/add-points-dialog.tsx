import { Button, Group, Loader, Modal, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PointSuggestion } from '#shared/contract/iec61850.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { serviceIssues } from '../../ui/form/issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { useFocus } from '../../ui/use-focus.ts';
import { guideTo } from '../guide/guide.ts';
import { DraftTable } from './draft-table.tsx';
import classes from './model.module.css';
import { chosenPoints, draftProblems, firstDrafts, type PointDraft } from './point-drafts.ts';

interface AddPointsDialogProps {
  readonly channelId: number;
  readonly references: readonly string[];
  onAdded(): void;
  onClose(): void;
}

type BodyProps = Omit<AddPointsDialogProps, 'references'> & { readonly suggestions: readonly PointSuggestion[] };

/** What the service says about single points of the request, by their place in the list. */
function placedIssues(issues: Readonly<Record<string, string>>, places: readonly number[]): ReadonlyMap<number, string> {
  const placed = new Map<number, string>();
  for (const [path, text] of Object.entries(issues)) {
    const place = places[Number(/^points\.(\d+)/.exec(path)?.[1] ?? -1)];
    if (place !== undefined) placed.set(place, placed.get(place) ?? text);
  }
  return placed;
}

function Body({ channelId, suggestions, onAdded, onClose }: BodyProps) {
  const { t } = useTranslation(['model', 'app']);
  const [drafts, setDrafts] = useState(() => firstDrafts(suggestions));
  const add = useAction('addPoints', ['pointTable', 'listChannels', 'projectInfo', 'suggestPoints']);
  const problems = useMemo(() => draftProblems(drafts), [drafts]);
  const first = useFocus<HTMLButtonElement>();
  const chosen = chosenPoints(suggestions, drafts);
  const refused = placedIssues(
    add.error ? serviceIssues(add.error) : {},
    chosen.map(({ index }) => index),
  );
  const change = (index: number, part: Partial<PointDraft>) => {
    add.reset();
    setDrafts(drafts.map((draft, place) => (draft && place === index ? { ...draft, ...part } : draft)));
  };
  const chooseAll = (isChosen: boolean) => setDrafts(drafts.map((draft) => draft && { ...draft, isChosen }));
  const submit = () =>
    add.mutate(
      { channel_id: channelId, points: chosen.map(({ point }) => point) },
      {
        onSuccess: ({ data }) => {
          notifyDone(t('model:points.done', { count: data.items.length }));
          onAdded();
          onClose();
        },
      },
    );
  return (
    <>
      <DraftTable
        suggestions={suggestions}
        drafts={drafts}
        textOf={(index) => {
          const problem = problems.get(index);
          return problem ? t(`model:points.${problem}`) : (refused.get(index) ?? null);
        }}
        onChange={change}
        onChooseAll={chooseAll}
      />
      {refused.size > 0 ? null : <ErrorNotice error={add.error} compact />}
      <Group justify="space-between" gap="xs">
        <Text c="dimmed" role="status" data-testid="points-chosen">
          {t('model:points.chosen', { count: chosen.length, total: suggestions.length })}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('app:action.cancel')}
          </Button>
          <Button
            ref={first}
            disabled={chosen.length === 0 || problems.size > 0}
            loading={add.isPending}
            onClick={submit}
            data-testid="points-add"
          >
            {t('model:points.add')}
          </Button>
        </Group>
      </Group>
    </>
  );
}

/** The points that suit the ticked nodes: code, name and type can be changed before they are added to the table. */
export function AddPointsDialog({ channelId, references, onAdded, onClose }: AddPointsDialogProps) {
  const { t } = useTranslation(['model', 'app']);
  const asked = useOperation('suggestPoints', { channel_id: channelId, references: [...references] });
  return (
    <Modal
      {...guideTo('walk-ied')}
      opened
      onClose={onClose}
      size={1080}
      title={t('model:points.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
    >
      <div className={classes.dialog} data-testid="points-dialog">
        {asked.data && !asked.isPlaceholderData ? (
          <Body channelId={channelId} suggestions={asked.data.items} onAdded={onAdded} onClose={onClose} />
        ) : asked.error ? (
          <ErrorNotice error={asked.error} />
        ) : (
          <Loader size="sm" m="md" />
        )}
      </div>
    </Modal>
  );
}
