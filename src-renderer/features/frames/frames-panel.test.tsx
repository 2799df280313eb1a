import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FrameEntry } from '#shared/contract/frames.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { fakeService, giveSize } from '../testing/fake-service.ts';
import { FramesPanel } from './frames-panel.tsx';
import { useFramesStore } from './frames-store.ts';
import { FRAME_FILTERS } from './tail.ts';

function entry(seq: number, change: Partial<FrameEntry> = {}): FrameEntry {
  return {
    seq,
    at: '2026-03-01T08:00:00.125Z',
    monotonic_ms: seq,
    kind: 'tx',
    hex: '00 01 00 00 00 06',
    length: 6,
    link: null,
    connection: 1,
    peer: '127.0.0.1:502',
    text: `request ${seq}`,
    text_message: null,
    ...change,
  };
}
const NODES = [
  { name: 'transaction', name_message: null, value: '1', value_message: null, start: 0, end: 2, severity: 'info' as const, children: [] },
  {
    name: 'length',
    name_message: say('frame.length'),
    value: '6 octets',
    value_message: say('frame.octets', { count: 6 }),
    start: 4,
    end: 6,
    severity: 'error' as const,
    children: [],
  },
];

function show(change = {}) {
  let log = [entry(1), entry(2, { kind: 'rx', text: 'answer 2', hex: 'AB CD' })];
  const service = fakeService({
    listFrames: (input) => {
      const items = log.filter((item) => item.seq > Number(input.after_seq ?? 0));
      const last = log.at(-1)?.seq ?? 0;
      return { items, first_seq: 1, last_seq: last, looked_to: last, dropped: 0 };
    },
    explainFrame: () => ({ entry: entry(1), nodes: NODES }),
    clearFrames: () => ({ cleared: 2 }),
    ...change,
  });
  render(
    <Providers env="test">
      <FramesPanel channelId={1} />
    </Providers>,
  );
  return { service, setLog: (next: FrameEntry[]) => (log = next) };
}

beforeEach(() => {
  giveSize();
  useFramesStore.setState({ kinds: FRAME_FILTERS, text: '', filters: {} });
});

afterEach(() => vi.useRealTimers());

describe('frame log', () => {
  it('follows the log, and tells of entries that were dropped', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { service, setLog } = show();
    await screen.findByText('answer 2');
    setLog([entry(1), entry(2), entry(6, { text: 'later' })]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await screen.findByText('later')).toBeTruthy();
    expect(screen.getByTestId('frame-gap').textContent).toContain('3 entries are missing here');
    expect(service.of('listFrames').at(-1)?.after_seq).toBe('2');
  });

  it('asks nothing while it is paused', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { service } = show();
    await screen.findByText('answer 2');
    fireEvent.click(screen.getByTestId('frames-pause'));
    const before = service.of('listFrames').length;
    await vi.advanceTimersByTimeAsync(5000);
    expect(service.of('listFrames').length).toBe(before);
    fireEvent.click(screen.getByTestId('frames-pause'));
    await vi.advanceTimersByTimeAsync(10);
    expect(service.of('listFrames').length).toBe(before + 1);
  });

  it('filters by kind and text', async () => {
    const user = userEvent.setup();
    show();
    await screen.findByText('answer 2');
    await user.click(screen.getByRole('checkbox', { name: 'TX' }));
    expect(screen.queryByText('request 1')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'TX' }));
    await user.type(screen.getByRole('searchbox'), 'abcd');
    expect(screen.queryByText('request 1')).toBeNull();
    expect(screen.getByText('answer 2')).toBeTruthy();
  });

  it('explains a frame with the keyboard and marks the octets of a meaning', async () => {
    const user = userEvent.setup();
    show();
    await screen.findByText('answer 2');
    screen.getByRole('grid').focus();
    await user.keyboard('{Home}{Enter}');
    await screen.findByText('transaction');
    screen.getByRole('tree').focus();
    await user.keyboard('{ArrowDown}{ArrowDown}');
    const marked = () => [...screen.getByTestId('explain-hex').querySelectorAll('[data-marked]')].map((octet) => octet.textContent);
    expect(marked()).toEqual(['00', '06']);
    await user.hover(screen.getByText('transaction'));
    expect(marked()).toEqual(['00', '01']);
    expect(screen.getByRole('img', { name: 'Error' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByTestId('frame-explanation')).toBeNull();
  });

  it('is Chinese on a Chinese page: the list, its search, and each meaning', async () => {
    const user = userEvent.setup();
    await setLanguage('zh-CN');
    try {
      const text_message = say('frame.none', { count: 2 });
      show({
        listFrames: () => ({
          items: [entry(1, { text: '2 octets that are no frame', text_message }), entry(2)],
          first_seq: 1,
          last_seq: 2,
          dropped: 0,
        }),
      });
      await user.type(screen.getByRole('searchbox'), '不构成');
      await user.click(await screen.findByText('2 个字节不构成报文'));
      expect(screen.queryByText('request 2')).toBeNull();
      const tree = await screen.findByTestId('explain-tree');
      await waitFor(() => expect(tree.textContent).toContain('长度6 字节'));
      expect(screen.getByTestId('frame-explanation').textContent).not.toContain('octets');
    } finally {
      await setLanguage('en');
    }
  });

  it('says that a frame has left the log', async () => {
    const user = userEvent.setup();
    show({
      explainFrame: () => {
        throw new AppError('CONFIG_NOT_FOUND', quoted('Frame 1 is not kept any more.'));
      },
    });
    await user.click(await screen.findByText('request 1'));
    expect(await screen.findByText('This frame has left the bounded log and can no longer be explained.')).toBeTruthy();
  });

  it('goes back at its beginning to what the service keeps, and lets it go again at the newest', async () => {
    const user = userEvent.setup();
    const whole = Array.from({ length: 12 }, (_, at) => entry(at + 1));
    let isLost = false;
    const { service } = show({
      listFrames: ({ before_seq, after_seq }: Record<string, unknown>) => {
        if (before_seq !== undefined && isLost) throw new AppError('TRANSPORT_LOST', quoted('The service is away.'));
        const before = whole.filter(({ seq }) => seq < Number(before_seq ?? 13) && seq > Number(after_seq ?? 0));
        return { items: before.slice(-4), first_seq: 1, last_seq: 12, looked_to: 12, dropped: 0 };
      },
    });
    await screen.findByText('request 9');
    expect(screen.queryByText('request 8')).toBeNull();
    isLost = true;
    await user.click(screen.getByTestId('frames-older'));
    expect((await screen.findByRole('alert')).textContent).toContain('The service is away.');
    isLost = false;
    await user.click(screen.getByTestId('frames-older'));
    expect(await screen.findByText('request 5')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(screen.getByTestId('frames-older'));
    expect(await screen.findByText('request 1')).toBeTruthy();
    expect(screen.queryByTestId('frames-older')).toBeNull();
    expect([...new Set(service.of('listFrames').flatMap(({ before_seq }) => before_seq ?? []))]).toEqual(['9', '5']);
  });

  it('clears the log of the service and its own rows', async () => {
    const user = userEvent.setup();
    const { service, setLog } = show();
    await screen.findByText('answer 2');
    setLog([]);
    await user.click(screen.getByTestId('frames-clear'));
    await waitFor(() => expect(screen.queryByText('answer 2')).toBeNull());
    expect(service.of('clearFrames')).toEqual([{ channel_id: 1 }]);
  });
});
