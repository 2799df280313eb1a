import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { DeviceModel } from '#shared/contract/iec61850.ts';
import { useWords } from '../../i18n/words.ts';
import { Said } from '../../ui/said.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { formatSince } from '../../ui/time.ts';
import classes from './model.module.css';

const TONES: Readonly<Record<DeviceModel['state'], Tone>> = { unknown: 'idle', learning: 'busy', known: 'ok', failed: 'bad' };

function Facts({ model }: { readonly model: DeviceModel }) {
  const { t, i18n } = useTranslation('model');
  const number = new Intl.NumberFormat(i18n.language);
  const { identity, counts } = model;
  const device = identity ? [identity.vendor, identity.model, identity.revision].filter((text) => text !== '').join(' ') : '';
  const facts = [
    device === '' ? '' : t('fact.identity', { device }),
    model.configuration_revision === '' ? '' : t('fact.revision', { revision: model.configuration_revision }),
    t('fact.counts', {
      devices: number.format(counts.logical_devices),
      nodes: number.format(counts.logical_nodes),
      objects: number.format(counts.data_objects),
      attributes: number.format(counts.attributes),
      sets: number.format(counts.data_sets),
    }),
    model.learned_at === null ? '' : t('fact.learned', { time: formatSince(model.learned_at, new Date()) }),
  ].filter((text) => text !== '');
  return (
    <span className={classes.facts} title={facts.join('\n')} data-testid="model-facts">
      {facts.join(' · ')}
    </span>
  );
}

/** How far the model is known, what device it is of, and how large it is. */
export function ModelStatusLine({ model }: { readonly model: DeviceModel }) {
  const { t } = useTranslation('model');
  const words = useWords();
  const word = model.state === 'known' && model.source !== null ? t(`source.${model.source}`) : t(`state.${model.state}`);
  return (
    <div className={classes.status} role="status" data-testid="model-status" data-state={model.state}>
      <StatusBadge tone={TONES[model.state]}>{word}</StatusBadge>
      {model.state === 'learning' ? (
        <>
          <Progress.Root size="sm" className={classes.progress ?? ''}>
            <Progress.Section value={model.total > 0 ? (100 * model.done) / model.total : 0} aria-label={t('state.learning')} />
          </Progress.Root>
          <span className={classes.muted}>{t('steps', { done: model.done, total: model.total })}</span>
        </>
      ) : null}
      {model.error === null ? null : (
        <span className={classes.bad} title={words(model.error_message, model.error)}>
          <Said message={model.error_message} text={model.error} />
        </span>
      )}
      {model.counts.logical_devices > 0 ? <Facts model={model} /> : null}
    </div>
  );
}
