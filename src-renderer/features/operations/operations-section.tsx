import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { Icon } from '../../ui/icons.tsx';
import { OperationForm } from './operation-form.tsx';
import { isCommand, type Operation } from './operation-model.ts';
import { OperationOutcome } from './operation-outcome.tsx';
import { useOperationText } from './operation-text.ts';
import classes from './operations.module.css';
import { endTone, endWord, operationKey, useOperationsStore } from './operations-store.ts';

const COLOURS = { ok: 'green', warn: 'amber', bad: 'red' } as const;

interface OperationsSectionProps {
  readonly channel: Channel;
  /** At least one. */
  readonly operations: readonly Operation[];
}

/**
 * What the protocol of a channel can be asked for by name: a list, the parameters of the chosen one, and what came of it. What was
 * sent is followed to its end when the panel is left; the outcome of a command comes as a notification then.
 */
export function OperationsSection({ channel, operations }: OperationsSectionProps) {
  const { t } = useTranslation('operations');
  const client = useQueryClient();
  const text = useOperationText();
  const { chosen, runs, choose, run } = useOperationsStore();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const operation = operations.find((item) => item.name === chosen[channel.id]) ?? operations[0];
  if (!operation) return null;
  const last = runs[operationKey(channel.id, operation.name)];
  const start = async (params: Readonly<Record<string, unknown>>) => {
    const end = await run(channel, operation, { ...params });
    if (end && isCommand(operation) && !isShown.current) {
      const message = t('notify', { operation: text.nameOf(operation.name), channel: channel.name, outcome: t(`outcome.${endWord(end)}`) });
      notifications.show({ message, color: COLOURS[endTone(end)], withBorder: true });
    }
    await client.invalidateQueries({ queryKey: ['pointTable'] });
    await client.invalidateQueries({ queryKey: ['listAudit'] });
  };
  return (
    <section className={classes.section} aria-label={t('title')} data-testid="operations">
      <nav className={classes.list} aria-label={t('label')}>
        {operations.map((item) => (
          <button
            key={item.name}
            type="button"
            className={classes.item}
            aria-current={item.name === operation.name}
            onClick={() => choose(channel.id, item.name)}
            data-testid={`operation-${item.name}`}
          >
            <span className={classes.name}>
              {text.nameOf(item.name)}
              {isCommand(item) ? <Icon name="send" size={13} label={t('changes')} /> : null}
            </span>
          </button>
        ))}
        <p className={`${classes.hint} ${classes.aside}`}>{t('hint')}</p>
      </nav>
      <div className={classes.body}>
        <h2 className={classes.title}>{text.nameOf(operation.name)}</h2>
        <p className={classes.hint}>
          {text.summaryOf(operation)} {isCommand(operation) ? <b>{t('changesText')}</b> : null}
        </p>
        <OperationForm
          key={`${channel.id} ${operation.name}`}
          channel={channel}
          operation={operation}
          isUnderWay={last?.end === null}
          onRun={(params) => void start(params)}
        />
        {last ? <OperationOutcome channel={channel} run={last} operation={operation.name} /> : null}
      </div>
    </section>
  );
}
