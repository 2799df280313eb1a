import { useTranslation } from 'react-i18next';
import type { CommandResult } from '#shared/contract/points.ts';
import { points as words } from '../../i18n/en/points.ts';
import { Said } from '../../ui/said.tsx';
import { formatTime } from '../../ui/time.ts';
import classes from './write.module.css';

type StageWord = keyof typeof words.write.stageOf;

const isStageWord = (name: string): name is StageWord => name in words.write.stageOf;

/** What happened one after the other, with its times. A stage without words of its own is shown as the protocol names it. */
export function StageTable({ stages }: { readonly stages: CommandResult['stages'] }) {
  const { t } = useTranslation('points');
  if (stages.length === 0) return null;
  return (
    <table className={classes.stages} aria-label={t('write.stages')}>
      <thead>
        <tr>
          <th scope="col">{t('write.time')}</th>
          <th scope="col">{t('write.stage')}</th>
          <th scope="col">{t('write.detail')}</th>
        </tr>
      </thead>
      <tbody>
        {stages.map((stage) => (
          <tr key={`${stage.name} ${stage.at} ${stage.detail}`}>
            <td className="lc-mono">{formatTime(stage.at)}</td>
            <td>{isStageWord(stage.name) ? t(`write.stageOf.${stage.name}`) : stage.name}</td>
            <td>
              <Said message={stage.detail_message} text={stage.detail} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
