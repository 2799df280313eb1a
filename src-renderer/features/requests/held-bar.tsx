import { Affix, Button, Group, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { holdActions, sendActions, useHeldRequests } from '../../api/held-requests.ts';
import { useCommand, useKeyHint } from '../../commands/registry.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyDone, notifyProblem } from '../../ui/notify.ts';
import { FormChoice } from './form-choice.tsx';
import { actionsText, useOrigin, useRequestForm } from './request-words.ts';
import classes from './requests.module.css';

/** Above dialogs, in which most actions are, and away from their buttons; below what tells of them. */
const ABOVE_DIALOGS = 350;
export const HOLD_COMMAND = 'hold-actions';

/** Ctrl+K or its key: what is pressed from now on is written down in place of being sent, dialogs included; once more, and it is copied. */
export function HeldBar() {
  const { t } = useTranslation('requests');
  const { isHolding, requests } = useHeldRequests();
  const form = useRequestForm((state) => state.form);
  const origin = useOrigin();
  const text = origin === null ? '' : actionsText(form, requests, origin);
  async function copy() {
    if (text === '') return;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // it stays to be copied by hand
      notifyProblem(t('copyFailed'));
      return;
    }
    sendActions();
    notifyDone(t('hold.copied', { count: requests.length }));
  }
  const run = () => {
    if (!isHolding) holdActions();
    else if (requests.length === 0) sendActions();
    else void copy();
  };
  const words = isHolding ? t(requests.length === 0 ? 'hold.end' : 'hold.copy') : t('hold.begin');
  useCommand({ id: HOLD_COMMAND, group: 'service', words, key: 'alt+C', worksCovered: true, reason: null, run });
  const key = useKeyHint(HOLD_COMMAND);
  if (!isHolding) return null;
  return (
    <Affix position={{ bottom: 36, left: 16 }} zIndex={ABOVE_DIALOGS}>
      <Paper
        component="section"
        className={classes.held}
        aria-label={t('hold.title')}
        shadow="md"
        withBorder
        p="xs"
        data-testid="held-actions"
      >
        <Group gap="xs" wrap="nowrap" justify="space-between">
          <Group gap="xs" wrap="nowrap" role="status" title={t('hold.hint')}>
            <Icon name="copy" />
            <Text size="sm" fw={600}>
              {t('hold.title')}
            </Text>
            <Text size="sm" c="dimmed">
              {t('hold.held', { count: requests.length })}
            </Text>
          </Group>
          <Button variant="default" size="compact-sm" onClick={sendActions} data-testid="held-end">
            {t('hold.end')}
          </Button>
        </Group>
        {requests.length === 0 ? null : (
          <>
            <textarea
              className={classes.text}
              readOnly
              rows={6}
              spellCheck={false}
              aria-label={t('text')}
              value={text}
              data-testid="held-text"
            />
            <Group justify="space-between" wrap="nowrap">
              <FormChoice />
              <Button
                size="compact-sm"
                disabled={text === ''}
                title={`${t('hold.copy')}${key}`}
                onClick={() => void copy()}
                data-testid="held-copy"
              >
                {t('copy')}
              </Button>
            </Group>
          </>
        )}
      </Paper>
    </Affix>
  );
}
