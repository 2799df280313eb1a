import { Button, NumberInput, Switch, TextInput } from '@mantine/core';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LineFaultSettings, Simulation } from '#shared/contract/simulation.ts';
import { useAction } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Icon } from '../../ui/icons.tsx';
import { shownNumber } from '../../ui/number.ts';
import { exceptionsText, NO_LINE_FAULTS, NUMBER_FAULTS, type NumberFault, parseExceptions } from './fault-form.ts';
import classes from './simulation.module.css';

/** What the line does wrong on purpose: edited, taken over in one step, ended in one step, with how often each was made. */
export function LineFaults({ simulation }: { readonly simulation: Simulation }) {
  const { t } = useTranslation('simulation');
  const { channel_id, line, made, has_checksum, has_exceptions } = simulation;
  const set = useAction('setLineFaults', ['simulation', 'listEvents']);
  const [edited, setEdited] = useState<Partial<Record<NumberFault, number | string>>>({});
  const [exceptions, setExceptions] = useState<string | null>(null);
  const parsed = exceptions === null ? line.exceptions : parseExceptions(exceptions);
  const isRight = parsed !== null && Object.values(edited).every((value) => value !== '');
  const take = (change: Partial<LineFaultSettings>) =>
    set.mutate(
      { channel_id, ...change },
      {
        onSuccess: () => {
          setEdited({});
          setExceptions(null);
        },
      },
    );
  const numbers = Object.fromEntries(Object.entries(edited).map(([name, value]) => [name, Number(value)]));
  const isClean = line.exceptions.length === 0 && !line.refuse_connections && NUMBER_FAULTS.every(({ name }) => line[name] === 0);
  return (
    <section aria-label={t('line.title')}>
      <h2 className={classes.title}>{t('line.title')}</h2>
      <p className={classes.hint}>{t('line.hint')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isRight) take({ ...numbers, ...(exceptions === null ? {} : { exceptions: parsed }) });
        }}
      >
        <div className={classes.faults}>
          <span />
          <span />
          <span className={`${classes.column} ${classes.made}`}>{t('line.made')}</span>
          {NUMBER_FAULTS.filter(({ name }) => name !== 'wrong_check_percent' || has_checksum).map(({ name, made: counted, most }) => (
            <Fragment key={name}>
              <label htmlFor={`fault-${name}`}>{t(`line.${name}`)}</label>
              <NumberInput
                id={`fault-${name}`}
                size="xs"
                value={edited[name] ?? line[name]}
                onChange={(value) => setEdited({ ...edited, [name]: value })}
                min={0}
                max={most}
                suffix={most === 100 ? ' %' : ' ms'}
                allowDecimal={most === 100}
                data-testid={`fault-${name}`}
              />
              <span className={classes.made}>{counted === null ? '' : shownNumber(String(made[counted]))}</span>
            </Fragment>
          ))}
          <label htmlFor="fault-refuse">{t('line.refuse_connections')}</label>
          <Switch
            id="fault-refuse"
            checked={line.refuse_connections}
            disabled={set.isPending}
            onChange={(event) => take({ refuse_connections: event.currentTarget.checked })}
          />
          <span className={classes.made}>{shownNumber(String(made.refused))}</span>
        </div>
        {has_exceptions ? (
          <TextInput
            mt={8}
            size="xs"
            label={`${t('line.exceptions')} · ${t('line.madeCount', { count: made.exceptions })}`}
            placeholder="100-105: 2, 200: 6"
            value={exceptions ?? exceptionsText(line.exceptions)}
            onChange={(event) => setExceptions(event.currentTarget.value)}
            error={parsed === null ? t('line.exceptionsWrong') : null}
            data-testid="fault-exceptions"
          />
        ) : null}
        <ErrorNotice error={set.error} compact />
        <div className={classes.buttons}>
          <Button type="submit" size="xs" loading={set.isPending} disabled={!isRight} data-testid="faults-take">
            {t('line.take')}
          </Button>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="ok" size={14} />}
            disabled={isClean || set.isPending}
            onClick={() => take(NO_LINE_FAULTS)}
            data-testid="faults-end"
          >
            {t('line.end')}
          </Button>
        </div>
      </form>
    </section>
  );
}
