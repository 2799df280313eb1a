import '../i18n/index.ts';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { CommandKeys } from '../commands/command-keys.tsx';
import { keepFocusPlaces } from '../ui/focus-return.ts';
import { cssVariables, theme } from './theme.ts';

/** What is left of a dialog of 720 px in the middle: its buttons and ticks are not covered. */
const BESIDE_DIALOGS = 'clamp(300px, 50vw - 378px, 440px)';

const colorSchemes = localStorageColorSchemeManager({ key: 'loopcheck.scheme' });

function newQueryClient() {
  return new QueryClient({
    defaultOptions: {
      // The service is on this computer: a site without internet is the normal case, not a reason to pause.
      queries: { networkMode: 'always', retry: false, staleTime: 0 },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

interface ProvidersProps {
  readonly children: ReactNode;
  /** `test` switches transitions and portals of Mantine off. */
  readonly env?: 'default' | 'test';
}

/** Everything the pages expect around them: query cache, theme, notifications, the keys of the commands. Tests use it too. */
export function Providers({ children, env = 'default' }: ProvidersProps) {
  const [client] = useState(newQueryClient);
  useEffect(keepFocusPlaces, []);
  return (
    <QueryClientProvider client={client}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemes}
        env={env}
        withCssVariables={env !== 'test'}
      >
        <Notifications position="bottom-left" limit={4} containerWidth={BESIDE_DIALOGS} />
        <CommandKeys />
        {children}
      </MantineProvider>
    </QueryClientProvider>
  );
}
