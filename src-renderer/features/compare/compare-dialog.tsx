import { Button, Modal, Select, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import type { SideFacts } from '#shared/contract/table-compare.ts';
import { useOperation } from '../../api/hooks.ts';
import { useWords } from '../../i18n/words.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { guideTo } from '../guide/guide.ts';
import classes from './compare.module.css';
import { CompareResult } from './compare-result.tsx';
import { closeCompare } from './compare-store.ts';
import { SidePicker } from './side-picker.tsx';
import { isChosen, useCompare } from './use-compare.ts';

/** Two point tables beside each other: chosen, compared, and taken over as far as somebody chooses. */
export default function CompareDialog({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation(['tables', 'app']);
  const words = useWords();
  const state = useCompare(channel);
  const { sides, result } = state;
  const protocols = useOperation('listProtocols', {}).data ?? [];
  const steps = useOperation('pointHistory', { channel_id: channel.id }).data?.items ?? [];
  const isTwoFiles = sides.before.of === 'file' && sides.after.of === 'file';
  const nameOf = ({ name, step_id }: SideFacts) => {
    const step = steps.find(({ id }) => id === step_id);
    return step ? t('tables:compare.stepOf', { name, step: words(step.name_message, step.name) }) : name;
  };
  const close = (
    <Button variant="default" onClick={closeCompare}>
      {t('app:action.close')}
    </Button>
  );
  return (
    <Modal
      {...guideTo('table-check')}
      opened
      onClose={closeCompare}
      size={result ? 1240 : 860}
      title={t('tables:compare.title')}
      closeButtonProps={{ 'aria-label': t('app:action.close') }}
      closeOnClickOutside={false}
    >
      <div className={`${classes.body} ${result ? classes.large : ''}`} data-testid="compare-dialog">
        {result ? (
          <CompareResult state={state} result={result} nameOf={nameOf}>
            {close}
          </CompareResult>
        ) : (
          <>
            <Text size="xs" c="dimmed">
              {t('tables:compare.hint')}
            </Text>
            <div className={classes.choice}>
              {(['before', 'after'] as const).map((name) => (
                <SidePicker key={name} name={name} channel={channel} side={sides[name]} onChange={(side) => state.setSide(name, side)} />
              ))}
            </div>
            {isTwoFiles ? (
              <Select
                label={t('tables:compare.protocol')}
                w={260}
                data={protocols.map(({ protocol_type, name }) => ({ value: String(protocol_type), label: name }))}
                value={String(state.protocol)}
                onChange={(next) =>
                  state.setProtocol(protocols.find(({ protocol_type }) => String(protocol_type) === next)?.protocol_type ?? state.protocol)
                }
                allowDeselect={false}
              />
            ) : null}
            <ErrorNotice error={state.error} compact />
            <div className={classes.footer}>
              {close}
              <GuardedButton
                reason={isChosen(sides) ? null : t('tables:compare.choose')}
                hint=""
                loading={state.isComparing}
                onClick={state.run}
                testId="compare-start"
              >
                {t('tables:compare.start')}
              </GuardedButton>
            </div>
          </>
        )}
      </div>
    </Modal>
  );
}
