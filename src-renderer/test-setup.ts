import './zod-setup.ts';
import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';

// Dialogs load on demand; on a busy machine that alone can take the usual second.
configure({ asyncUtilTimeout: 8000 });
afterEach(cleanup);

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
