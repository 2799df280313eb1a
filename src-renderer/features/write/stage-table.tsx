import { useTranslation } from 'react-i18next';
import type { CommandResult } from '#shared/contract/points.ts';
import { points as words } from '../../i18n/en/points.ts';
import { type SmallColumn, SmallTable } from '../../ui/data-grid/small-table.tsx';
import { Said } from '../../ui/said.tsx';
import { formatTime } from '../../ui/time.ts';

type Stage = CommandResult['stages'][number];
type StageWord = keyof typeof words.write.stageOf;

const isStageWord = (name: string): name is StageWord => name in words.write.stageOf;

/** What happened one after the other, with its times. A stage without words of its own is shown as the protocol names it. */
export function StageTable({ stages }: { readonly stages: CommandResult['stages'] }) {
  const { t } = useTranslation('points');
  if (stages.length === 0) return null;
  const columns: readonly SmallColumn<Stage>[] = [
    { id: 'time', name: t('write.time'), isShort: true, cell: (stage) => <span className="lc-mono">{formatTime(stage.at)}</span> },
    {
      id: 'stage',
      name: t('write.stage'),
      isShort: true,
      cell: ({ name }) => (isStageWord(name) ? t(`write.stageOf.${name}`) : name),
    },
    { id: 'detail', name: t('write.detail'), cell: (stage) => <Said message={stage.detail_message} text={stage.detail} /> },
  ];
  return (
    <SmallTable label={t('write.stages')} columns={columns} rows={stages} keyOf={(stage) => `${stage.name} ${stage.at} ${stage.detail}`} />
  );
}
