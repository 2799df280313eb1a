import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { DeviceModel, ModelDataSet } from '#shared/contract/iec61850.ts';
import { useWords } from '../../i18n/words.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DataSetDetail } from './data-set-detail.tsx';
import { Freshness } from './freshness.tsx';
import classes from './model.module.css';
import type { ModelUiState } from './model-store.ts';

interface SetListProps {
  readonly sets: readonly ModelDataSet[];
  readonly chosen: string;
  onChoose(name: string): void;
}

function SetList({ sets, chosen, onChoose }: SetListProps) {
  const { t } = useTranslation('model');
  const words = useWords();
  const nowMs = Date.now();
  return (
    <nav className={classes.sets} aria-label={t('sets.list')} data-testid="data-sets">
      {sets.map((set) => (
        <button
          type="button"
          key={set.name}
          className={classes.set}
          aria-current={set.name === chosen}
          onClick={() => onChoose(set.name)}
          data-testid="data-set"
        >
          <span className={classes.setName} title={set.name}>
            {set.name.slice(set.name.lastIndexOf('$') + 1)}
          </span>
          <span className={classes.setPlace}>{set.name.slice(0, set.name.lastIndexOf('$'))}</span>
          <span className={classes.setFacts}>
            <span>{t('sets.members', { count: set.member_count })}</span>
            <Freshness
              updatedAt={set.last_updated_at}
              isStale={set.stale}
              error={set.last_error === null ? null : words(set.last_error_info, set.last_error)}
              nowMs={nowMs}
            />
          </span>
        </button>
      ))}
    </nav>
  );
}

interface DataSetViewProps {
  readonly channel: Channel;
  readonly model: DeviceModel;
  readonly ui: ModelUiState;
}

/** The data sets of a device and the last values of one of them. */
export function DataSetView({ channel, model, ui }: DataSetViewProps) {
  const { t } = useTranslation('model');
  const sets = model.data_sets;
  const chosen = sets.find((set) => set.name === ui.dataSet) ?? sets[0];
  if (!chosen) return <EmptyState icon="list" title={t('sets.none')} hint={t('sets.noneHint')} />;
  return (
    <div className={classes.dataSets}>
      <SetList sets={sets} chosen={chosen.name} onChoose={ui.setDataSet} />
      <DataSetDetail key={chosen.name} channel={channel} name={chosen.name} />
    </div>
  );
}
