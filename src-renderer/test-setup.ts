import './test-react.ts';
import './zod-setup.ts';
import { notifications } from '@mantine/notifications';
import { spotlight } from '@mantine/spotlight';
import { cleanup, configure } from '@testing-library/react';
import * as React from 'react';
import { afterAll, afterEach, vi } from 'vitest';
import { i18n, initialLanguage } from './i18n/index.ts';
import { resetStores } from './test-stores.ts';

// React keeps a call stack with each element, ten thousand a second, to add to a warning who made the element. Behind that number it makes none, and warns
// all the same: the number stands there from the beginning. It is a tenth of the time of a test that shows a grid.
const internals: unknown = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
if (internals instanceof Object) Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {} });

configure(({ getElementError }) => ({
  // Every wait is for a state; the limit is for what hangs, however busy the computer is.
  asyncUtilTimeout: 30_000,
  // The document is written into an error where somebody reads it: at every look of a wait it took a quarter of the time of all page tests.
  getElementError(message, container) {
    const error = new Error(message ?? '');
    error.name = 'TestingLibraryElementError';
    const whole = () => getElementError(message, container).message;
    return Object.defineProperty(error, 'message', { get: whole, configurable: true });
  },
}));
afterEach(() => {
  cleanup();
  // the palette keeps itself open in a store of its own
  spotlight.close();
  notifications.clean();
});

// Document and modules are those of all files of a worker: each leaves them as it found them.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  resetStores();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  await i18n.changeLanguage(initialLanguage());
  document.head.replaceChildren();
  document.body.replaceChildren();
  for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name);
});

// What Mantine needs and jsdom does not have.
vi.stubGlobal(
  'matchMedia',
  (query: string): Partial<MediaQueryList> => ({
    matches: false,
    media: query,
    onchange: null,
    addEventListener: () => {},
    removeEventListener: () => {},
    dispatchEvent: () => false,
  }),
);

class ResizeObserverStub {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal('ResizeObserver', ResizeObserverStub);
Element.prototype.scrollIntoView = () => {};
