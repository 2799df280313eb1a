import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import type { Point } from '#shared/contract/points.ts';
import { QUALITIES } from '#shared/domain/enums.ts';
import { useFieldText } from '../../ui/form/field-text.ts';
import type { FieldSpec } from '../../ui/form/schema-field.ts';
import { useProtocol } from '../channels/protocol-facts.ts';
import { bulkSpecs, commonText } from '../point-form/bulk-model.ts';
import { usePointTexts } from '../point-form/point-form.tsx';
import { FRAME_TYPE_LETTERS } from '../points/point-text.ts';
import classes from './inspector.module.css';

interface SeveralPointsProps {
  readonly channel: Channel;
  /** Two or more. */
  readonly count: number;
  /** They as they are now; null for more than can be compared at each poll. */
  readonly points: readonly Point[] | null;
  /** What can be done with all of them. */
  readonly actions: ReactNode;
}

/** What several points have in common, field by field, and how good they are. */
export function SeveralPoints({ channel, count, points, actions }: SeveralPointsProps) {
  const { t } = useTranslation('inspector');
  const descriptor = useProtocol(channel.protocol_type);
  return (
    <div className={classes.body} data-testid="inspector-several">
      <section>
        <div className={classes.value}>{t('several', { count })}</div>
        {points ? <Counts points={points} /> : <p className={classes.muted}>{t('tooMany')}</p>}
      </section>
      <div className={classes.actions}>{actions}</div>
      {descriptor && points ? <CommonFields descriptor={descriptor} points={points} /> : null}
    </div>
  );
}

/** Numbers of them by type and by quality. */
function Counts({ points }: { readonly points: readonly Point[] }) {
  const { t } = useTranslation('points');
  const types = [...Map.groupBy(points, (point) => point.frame_type)].sort(([a], [b]) => a - b);
  const qualities = QUALITIES.map((quality) => [quality, points.filter((point) => point.quality === quality).length] as const);
  return (
    <>
      <div className={classes.muted}>{types.map(([type, list]) => `${FRAME_TYPE_LETTERS[type]} ${list.length}`).join(' · ')}</div>
      <div className={classes.muted}>
        {qualities
          .filter(([, count]) => count > 0)
          .map(([quality, count]) => `${t(`quality.${quality}`)} ${count}`)
          .join(' · ')}
      </div>
    </>
  );
}

function CommonFields({ descriptor, points }: { readonly descriptor: ProtocolDescriptor; readonly points: readonly Point[] }) {
  const { t } = useTranslation('fields');
  const textOf = useFieldText();
  const texts = usePointTexts(descriptor);
  const isHex = descriptor.notation?.address.form === 'hexadecimal';
  // polls bring new values and the same settings
  const settings = JSON.stringify(points.map((point) => [point.id, settingsOf(point)]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `settings` says when the points differ in what is shown here
  const fields = useMemo(() => {
    return bulkSpecs(descriptor, points).map((spec) => [spec, commonText(points, spec, isHex)] as const);
  }, [descriptor, settings, isHex]);
  const wordsOf = (spec: FieldSpec, value: string) => {
    const { choiceLabel } = { ...textOf(spec, false), ...texts[spec.key] };
    if (spec.kind === 'boolean') return t(value === 'true' ? 'bulk.yes' : 'bulk.no');
    const choice = spec.choices.find((each) => String(each) === value);
    return choice === undefined ? value : (choiceLabel?.(choice) ?? value);
  };
  return (
    <dl className={classes.facts}>
      {fields.map(([spec, value]) =>
        value === '' ? null : (
          <div key={spec.key}>
            <dt>{{ ...textOf(spec, false), ...texts[spec.key] }.label}</dt>
            <dd className={value === null ? classes.muted : undefined}>{value === null ? t('bulk.mixed') : wordsOf(spec, value)}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function settingsOf({ value, raw_hex, quality, flags, updated_at, source_time, error, ...settings }: Point): unknown {
  return settings;
}
