import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventEntry } from '#shared/contract/events.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, fakeService, giveSize } from '../testing/fake-service.ts';
import EventsPanel from './events-panel.tsx';

function anEvent(change: Partial<EventEntry> = {}): EventEntry {
  return {
    seq: 1,
    channel_id: 1,
    kind: 'change',
    point_id: 1,
    frame_type: 1,
    code: 'YX001',
    value: 1,
    flags: [],
    device_time: '2026-03-01T08:00:00.000Z',
    received_at: '2026-03-01T08:00:00.010Z',
    text: '',
    ...change,
  };
}

const COUNTER = anEvent({
  code: 'IT001',
  flags: ['IV', 'clock_not_synchronised'],
  cause: { code: 37, name: 'requested by general counter request' },
  negative: true,
  sequence: 5,
  adjusted: true,
  carry: true,
  device_time: null,
  source_time_text: '2026-02-31 24:61:00.000',
  time_accuracy: 10,
});

async function show(events: readonly EventEntry[]) {
  giveSize();
  fakeService({
    listEvents: ({ after_seq }) => ({
      items: events.filter(({ seq }) => seq > Number(after_seq ?? 0)),
      last_seq: events.length,
      dropped: 0,
    }),
    listChannels: () => [aChannel()],
  });
  render(
    <Providers env="test">
      <EventsPanel channelId={1} />
    </Providers>,
  );
  const [cell] = await screen.findAllByText(events[0]?.code ?? '');
  return cell?.closest('tr') as HTMLElement;
}

beforeEach(() => setLanguage('en'));

describe('sequence of events', () => {
  it('tells cause, P/N, counter bits and a time that is none', async () => {
    const row = await show([COUNTER]);
    expect(screen.getByRole('columnheader', { name: 'Cause' })).toBeTruthy();
    for (const text of ['IV P/N SQ 5 CA CY', 'requested by general counter request', '2026-02-31 24:61:00.000']) {
      expect(row.textContent).toContain(text);
    }
    const marks = within(row).getByText(/SQ 5/).closest('[title]') as HTMLElement;
    for (const line of ['IV: invalid', 'Cause 37: requested', 'P/N: the device says no', 'SQ: sequence number 5', 'CA: ', 'CY: ']) {
      expect(marks.title).toContain(line);
    }
    const time = within(row).getByText(/24:61/);
    for (const line of ['Time tag as the device wrote it', 'Time exact to 10 bits', 'clock of the device is not synchronised']) {
      expect(time.title).toContain(line);
    }
  });

  it('tells them in Chinese', async () => {
    await setLanguage('zh-CN');
    const row = await show([COUNTER]);
    expect(screen.getByRole('columnheader', { name: '传送原因' })).toBeTruthy();
    const marks = within(row).getByText(/SQ 5/).closest('[title]') as HTMLElement;
    for (const line of ['P/N：设备给出否定确认', 'SQ：顺序号 5', 'CA：', 'CY：']) expect(marks.title).toContain(line);
    expect(row.textContent).toContain('响应计数量总召唤');
    expect(within(row).getByText(/24:61/).title).toContain('设备时钟未同步');
  });

  it('names the point with its unit and says what it had before, states in words', async () => {
    const light = { code: 'QF1', name: 'Feeder breaker', unit: '' };
    const events = [
      anEvent({ ...light, seq: 1, value: 0 }),
      anEvent({ seq: 2, code: 'UA', name: 'Voltage', unit: 'kV', point_id: 2, frame_type: 0, value: 10.5 }),
      anEvent({ ...light, seq: 3, value: 1 }),
      anEvent({ ...light, seq: 4, value: 2 }),
    ];
    await show(events);
    const texts = screen.getAllByRole('row').map((row) => row.textContent ?? '');
    expect(texts[1]).toContain('Feeder breakerOff (0)');
    expect(texts[2]).toContain('Voltage10.5kV');
    expect(texts[3]).toContain('Off (0)On (1)');
    expect(texts[4]).toContain('On (1)Intermediate (2)');
  });

  it('finds events by point, name and what happened, and saves those that the service keeps', async () => {
    const user = userEvent.setup();
    const own = [anEvent({ seq: 1, name: 'Feeder, breaker' }), anEvent({ seq: 2, code: 'UA', name: 'Voltage', value: 3 })];
    await show(own);
    await user.type(screen.getByRole('searchbox'), 'feeder');
    await waitFor(() => expect(screen.getByTestId('events-shown').textContent).toBe('1 event'));
    const save = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:');
    vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    await user.click(screen.getByTestId('events-export'));
    await waitFor(() => expect(save).toHaveBeenCalled());
    const [[saved] = []] = save.mock.calls;
    const text = saved instanceof Blob ? await saved.text() : '';
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain('YX001,"Feeder, breaker"');
    expect(text).not.toContain('UA');
  });

  it('shows events of the service itself, which are chosen as one of the kinds', async () => {
    const user = userEvent.setup();
    const fails = { name: 'Plant', reason: { code: 'publish.lost', params: { url: 'mqtt://broker' } } };
    const ofService = anEvent({
      seq: 2,
      channel_id: null,
      kind: 'system',
      point_id: null,
      frame_type: null,
      code: '',
      value: null,
      text: 'told in the language of the page',
      text_message: { code: 'publish.event_fails', params: fails },
    });
    await setLanguage('zh-CN');
    await show([anEvent(), ofService]);
    expect(await screen.findByText(/发布 Plant 失败：/)).toBeTruthy();
    for (const name of ['变化', '通道', '任务']) await user.click(screen.getByRole('checkbox', { name }));
    await waitFor(() => expect(screen.getByTestId('events-shown').textContent).toBe('1 条事件'));
    expect(screen.queryByText('YX001')).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: '服务' }));
    await waitFor(() => expect(screen.getByTestId('events-shown').textContent).toBe('0 条事件'));
  });

  it('has no column of causes where nothing tells one, and no mark where there is none', async () => {
    const row = await show([anEvent({ adjusted: false, carry: false })]);
    expect(screen.queryByRole('columnheader', { name: 'Cause' })).toBeNull();
    expect(row.textContent).not.toMatch(/P\/N|CA|CY|SQ/);
  });

  it('marks a valid time of a clock that is not synchronised', async () => {
    const row = await show([anEvent({ flags: ['clock_not_synchronised'] })]);
    expect(within(row).getByRole('img', { name: 'clock of the device is not synchronised' })).toBeTruthy();
    expect(row.textContent).not.toContain('clock_not');
  });
});
