import { ActionIcon, type ActionIconProps, Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

interface Guard {
  /** Why it cannot be used now; null when it can. The button stays reachable, so that the reason can be read with the keyboard too. */
  readonly reason: string | null;
  /** What it does, and its key; empty where the screen says it beside the button. */
  readonly hint: string;
  onClick(): void;
}

function guarded({ reason, onClick }: Guard) {
  return reason === null ? { onClick } : { 'data-disabled': true, 'aria-disabled': true, onClick: undefined };
}

interface GuardedButtonProps extends Guard, Pick<ButtonProps, 'variant' | 'color' | 'loading' | 'leftSection' | 'miw' | 'size'> {
  readonly children: ReactNode;
  readonly testId?: string;
}

/** A button that says why it is disabled. */
export function GuardedButton({ reason, hint, onClick, children, testId, ...rest }: GuardedButtonProps) {
  return (
    <Tooltip label={reason ?? hint} disabled={(reason ?? hint) === ''} events={{ hover: true, focus: true, touch: true }}>
      <Button {...rest} {...guarded({ reason, hint, onClick })} data-testid={testId}>
        {children}
      </Button>
    </Tooltip>
  );
}

interface GuardedIconProps extends Guard, Pick<ActionIconProps, 'variant' | 'color' | 'loading'> {
  readonly icon: IconName;
  readonly label: string;
  readonly testId?: string;
}

/** An icon button that says what it does, or why it is disabled. */
export function GuardedIcon({ reason, hint, onClick, icon, label, testId, ...rest }: GuardedIconProps) {
  return (
    <Tooltip label={reason ?? hint} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon {...rest} {...guarded({ reason, hint, onClick })} aria-label={label} data-testid={testId}>
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  );
}
