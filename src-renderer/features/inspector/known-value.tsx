import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PlausibleReading, Point } from '#shared/contract/points.ts';
import { describeRegisters } from '#shared/domain/registers.ts';
import { useAction, useOperation } from '../../api/hooks.ts';
import { inWords } from '../../i18n/words.ts';
import { notifyError } from '../../ui/notify.ts';
import { exactNumber, shortNumber } from '../points/point-text.ts';
import classes from './inspector.module.css';

interface KnownValueProps {
  readonly point: Point;
  onTakenOver(): void;
}

/** Finds the settings under which the point has the value that the device shows, and takes one over. */
export function KnownValue({ point, onTakenOver }: KnownValueProps) {
  const { t } = useTranslation('inspector');
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<string | null>(null);
  const input = { channel_id: point.channel_id, point_id: point.id, frame_type: point.frame_type };
  const found = useOperation('pointReadings', { ...input, known: known ?? '0' }, { enabled: known !== null });
  const edit = useAction('editPoint', ['pointTable', 'pointReadings', 'pointHistory']);
  const take = ({ changes }: PlausibleReading) =>
    edit.mutate(
      { point_id: point.id, frame_type: point.frame_type, ...changes },
      {
        onSuccess: () => {
          setKnown(null);
          setTyped('');
          onTakenOver();
        },
        onError: notifyError,
      },
    );
  const search = (event: FormEvent) => {
    event.preventDefault();
    const text = typed.trim() === '' ? null : typed.trim();
    // the octets may be others than when it was asked before
    if (text !== null && text === known) void found.refetch();
    setKnown(text);
  };
  const answer = known !== null && !found.isPlaceholderData ? (found.data?.plausible ?? null) : null;
  return (
    <>
      <form className={classes.known} onSubmit={search}>
        <TextInput
          label={t('known')}
          description={t('knownHint')}
          value={typed}
          error={known !== null && found.error ? inWords(found.error.said, found.error.message) : null}
          onChange={(event) => setTyped(event.currentTarget.value)}
          rightSectionWidth={64}
          rightSection={
            <Button type="submit" size="compact-xs" variant="light" disabled={typed.trim() === ''}>
              {t('find')}
            </Button>
          }
        />
      </form>
      {answer ? <Found point={point} answer={answer} known={known ?? ''} isBusy={edit.isPending} onTake={take} /> : null}
    </>
  );
}

interface FoundProps {
  readonly point: Point;
  readonly answer: readonly PlausibleReading[];
  readonly known: string;
  readonly isBusy: boolean;
  onTake(reading: PlausibleReading): void;
}

function Found({ point, answer, known, isBusy, onTake }: FoundProps) {
  const { t } = useTranslation('inspector');
  if (answer[0]?.differs.length === 0) {
    return (
      <p role="status" className={classes.muted}>
        {t('right')}
      </p>
    );
  }
  return (
    <ul className={classes.found} role="status">
      {answer.length === 0 ? <li>{Number(known) === 0 ? t('foundZero') : t('foundNone', { known })}</li> : null}
      {answer.map((reading) => (
        <li key={JSON.stringify(reading.changes)}>
          <span className={classes.foundText}>
            <b>{shortNumber(reading.value)}</b> <Changes reading={reading} point={point} />
          </span>
          <Button size="compact-xs" variant="default" disabled={isBusy} title={reading.raw_hex} onClick={() => onTake(reading)}>
            {t('takeOver')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface ChangesProps {
  readonly reading: PlausibleReading;
  readonly point: Pick<Point, 'decode' | 'protocol'>;
}

function Changes({ reading: { changes, differs }, point }: ChangesProps) {
  const { t } = useTranslation('inspector');
  const { decode = point.decode, protocol = point.protocol, address, mul_coe: factor } = changes;
  const isReadOtherwise = changes.decode !== undefined || changes.protocol !== undefined;
  const parts = [
    ...(isReadOtherwise ? [t('change.decode', { decode: describeRegisters({ decode, protocol }) })] : []),
    ...(address === undefined ? [] : [t('change.address', { address })]),
    ...(factor === undefined ? [] : [t('change.factor', { factor: exactNumber(factor) })]),
  ];
  return <span title={differs.map((what) => t(`differs.${what}`)).join(', ')}>{parts.join(' · ')}</span>;
}
