import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { DoctorJob, DoctorNote, Verdict } from '#shared/contract/jobs.ts';
import { DOCTOR_MESSAGES, type DoctorLayer, type VerdictState } from '#shared/domain/doctor.ts';
import { paramsInWords } from '../../i18n/words.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import classes from './doctor.module.css';

const ICONS: Record<VerdictState, IconName> = { good: 'ok', warning: 'warn', bad: 'bad', skipped: 'idle' };

/** A sentence of the doctor with its next step, in the language of the page. */
export function DoctorSentence({ note }: { readonly note: DoctorNote }) {
  const { t } = useTranslation('doctor');
  const params = paramsInWords(note.params);
  // every code has its own parameters; the types of one stand for all
  const say = (part: 'text' | 'next') => t(`codes.${note.code}.${part}` as 'codes.LINE_REFUSED.text', params as { target: string });
  return (
    <>
      <p className={classes.text}>{say('text')}</p>
      {'next' in DOCTOR_MESSAGES[note.code] ? (
        <p className={classes.next}>
          <Icon name="right" size={13} />
          <span>{say('next')}</span>
        </p>
      ) : null}
    </>
  );
}

interface LayerProps {
  readonly layer: DoctorLayer;
  readonly verdict: Verdict | undefined;
  /** It is this layer that is being looked at now. */
  readonly isNow: boolean;
}

function Layer({ layer, verdict, isNow }: LayerProps) {
  const { t } = useTranslation('doctor');
  const state = verdict?.state ?? (isNow ? 'now' : 'waiting');
  return (
    <li className={classes.layer} data-testid={`doctor-${layer}`} data-state={state} data-code={verdict?.code}>
      <span className={`${classes.mark} ${classes[state] ?? ''}`}>
        <Icon name={verdict ? ICONS[verdict.state] : isNow ? 'busy' : 'idle'} size={18} label={t(`states.${state}`)} />
      </span>
      <div>
        <h3 className={classes.title}>
          {t(`layers.${layer}`)} <span className={classes.hint}>{t(`hints.${layer}`)}</span>
        </h3>
        {verdict ? <DoctorSentence note={verdict} /> : null}
        {verdict?.notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: notes are only ever added at the end
          <div key={index} className={classes.note}>
            <DoctorSentence note={note} />
          </div>
        ))}
      </div>
    </li>
  );
}

/** The layers from the wire up, each with its verdict as far as there is one. The one that is looked at is in sight; at the end the first that is bad. */
export function VerdictList({ job }: { readonly job: DoctorJob | null }) {
  const { t } = useTranslation('doctor');
  const list = useRef<HTMLOListElement>(null);
  const layers = job?.layers ?? [];
  const next = layers.find((layer) => !job?.findings.some((verdict) => verdict.layer === layer));
  const shown = job?.state === 'running' ? next : job?.findings.find(({ state }) => state === 'bad')?.layer;
  useEffect(() => {
    if (shown) list.current?.querySelector(`[data-testid="doctor-${shown}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area has to be reachable by keyboard (WCAG 2.1.1)
    <ol ref={list} className={classes.layers} tabIndex={0} aria-label={t('verdicts')}>
      {layers.map((layer) => (
        <Layer
          key={layer}
          layer={layer}
          verdict={job?.findings.find((verdict) => verdict.layer === layer)}
          isNow={job?.state === 'running' && layer === next}
        />
      ))}
    </ol>
  );
}
