import { Button, Modal } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendActions } from '../../api/held-requests.ts';
import { useAction } from '../../api/hooks.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { fakeService } from '../testing/fake-service.ts';
import { HeldBar } from './held-bar.tsx';
import { useRequestForm } from './request-words.ts';
import { RequestsDialog } from './requests-dialog.tsx';

/** A dialog with an action, as most are. */
function Clearing() {
  const clear = useAction('clearFrames');
  return (
    <Modal opened onClose={() => {}} title="Frames">
      <Button onClick={() => clear.mutate({ channel_id: 7 })}>Clear</Button>
      <ErrorNotice error={clear.error} compact />
    </Modal>
  );
}

function show(children: React.ReactNode) {
  const service = fakeService({ clearFrames: () => ({ cleared: 3 }) });
  const user = userEvent.setup();
  render(
    <Providers env="test">
      <HeldBar />
      {children}
    </Providers>,
  );
  return { service, user };
}

const text = () => (screen.getByTestId('held-text') as HTMLTextAreaElement).value;

beforeEach(() => setLanguage('en'));
afterEach(() => {
  sendActions();
  useRequestForm.setState({ form: 'curl' });
  vi.restoreAllMocks();
});

describe('an action before it is sent', () => {
  it('is copied from a dialog by the key, the button and the key, and is sent by the button alone afterwards', async () => {
    const { service, user } = show(<Clearing />);
    await user.keyboard('{Alt>}c{/Alt}');
    expect(screen.getByTestId('held-actions').textContent).toContain('Actions are not sent');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(text()).toContain('/api/frames/clear'));
    expect(screen.getByTestId('error-notice').textContent).toContain('Not sent: it was written down as a request.');
    const written = text();
    expect([written.startsWith('curl '), written.includes('{"channel_id":7}'), written.includes('LOOPCHECK_TOKEN')]).toEqual([
      true,
      true,
      true,
    ]);
    await user.keyboard('{Alt>}c{/Alt}');
    await waitFor(() => expect(screen.queryByTestId('held-actions')).toBeNull());
    expect(await navigator.clipboard.readText()).toBe(written);
    expect(service.of('clearFrames')).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(service.of('clearFrames')).toEqual([{ channel_id: 7 }]));
  });

  it('is written as Python where that is chosen, and is forgotten when sending is wanted again', async () => {
    const { service, user } = show(<Clearing />);
    await user.keyboard('{Alt>}c{/Alt}');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await user.click(await screen.findByText('Python'));
    expect(text()).toContain('urllib.request.Request("');
    await user.click(screen.getByTestId('held-end'));
    expect(screen.queryByTestId('held-actions')).toBeNull();
    expect(service.of('clearFrames')).toEqual([]);
  });

  it('stays to be copied by hand where the clipboard is not to be had', async () => {
    const { user } = show(<Clearing />);
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await user.keyboard('{Alt>}c{/Alt}');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await user.click(await screen.findByTestId('held-copy'));
    expect(await screen.findByText(/The clipboard is not available/)).toBeTruthy();
    expect(text()).toContain('/api/frames/clear');
  });

  it('ends by the key where nothing was written down, and begins from the list of requests as well', async () => {
    const close = vi.fn();
    const { user } = show(<RequestsDialog onClose={close} />);
    await user.click(screen.getByTestId('hold-actions'));
    expect(close).toHaveBeenCalledTimes(1);
    expect(screen.getByTestId('held-actions')).toBeTruthy();
    await user.keyboard('{Alt>}c{/Alt}');
    expect(screen.queryByTestId('held-actions')).toBeNull();
  });

  it('tells in Chinese that it is not sent', async () => {
    await setLanguage('zh-CN');
    const { user } = show(<Clearing />);
    await user.keyboard('{Alt>}c{/Alt}');
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(screen.getByTestId('held-actions').textContent).toContain('操作不会发送1 个请求'));
    expect(screen.getByTestId('error-notice').textContent).toContain('未发送：已写成接口请求。');
  });
});
