import './zod-setup.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/global.css';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { Providers } from './app/providers.tsx';

/** The parts of the pages by themselves; for those who build them. */
const KitPage = lazy(() => import('./kit/kit-page.tsx'));
const showsKit = window.location.hash === '#/kit';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Providers>
        {showsKit ? (
          <Suspense fallback={null}>
            <KitPage />
          </Suspense>
        ) : (
          <App />
        )}
      </Providers>
    </StrictMode>,
  );
}
