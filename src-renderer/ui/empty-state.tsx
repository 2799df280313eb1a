import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** What belongs here and how it gets here. */
  readonly hint?: string;
  /** The next step, usually a button. */
  readonly children?: ReactNode;
}

/** Stands where nothing is to be shown yet, and says why. */
export function EmptyState({ icon, title, hint, children }: EmptyStateProps) {
  return (
    <Stack align="center" justify="center" gap="xs" p="xl" style={{ height: '100%', minHeight: 160 }}>
      <Text c="dimmed" component="div">
        <Icon name={icon} size={32} />
      </Text>
      <Text fw={600} size="md">
        {title}
      </Text>
      {hint ? (
        <Text c="dimmed" ta="center" maw={460}>
          {hint}
        </Text>
      ) : null}
      {children}
    </Stack>
  );
}
