import { screen, waitFor, within } from '@testing-library/dom';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeptCapture } from '#shared/contract/captures.ts';
import type { CapturedConversation, TakenCapture } from '#shared/contract/simulation.ts';
import { AppError } from '#shared/domain/errors.ts';
import { english, quoted, say } from '#shared/messages/index.ts';
import { Providers } from '../../app/providers.tsx';
import { setLanguage } from '../../i18n/index.ts';
import { FramesExport } from '../frames/frames-export.tsx';
import { aChannel, fakeService, giveSize } from '../testing/fake-service.ts';
import { CaptureDone } from './capture-done.tsx';
import { ConversationTable } from './conversation-table.tsx';
import { KeptList } from './kept-list.tsx';

beforeEach(async () => {
  giveSize();
  await setLanguage('en');
});

const aCapture = (name: string, frames: number | null = 2): KeptCapture => ({ name, at: '2026-01-01T08:00:00.000Z', octets: 704, frames });
const listed = (items: readonly KeptCapture[]) => ({
  items: [...items],
  octets: 704 * items.length,
  most: 2,
  most_octets: 268_435_456,
  folder: '/p.captures',
});

describe('keeping a frame log', () => {
  it('names the captures that would go, and lets them go only when somebody agrees', async () => {
    const asked: unknown[] = [];
    const { code, params } = say('capture.oldest_go', { names: ['Line 1'], most: 20, mib: 256 });
    // as the service refuses: its message as data, beside the code
    vi.stubGlobal('fetch', async (_: string, { body = '{}' }: { body?: string } = {}) => {
      const input = JSON.parse(body);
      asked.push(input);
      const answer = input.drop.includes('Line 1')
        ? { code: 200, data: { capture: aCapture('Line 2', 7), dropped: ['Line 1'] } }
        : { code: 409, error: 'STATE_CONFLICT', message: 'full', message_code: code, params, data: { drop: ['Line 1'] } };
      return new Response(JSON.stringify(answer), { status: answer.code });
    });
    render(
      <Providers env="test">
        <FramesExport channelId={3} filter="slave == 1" />
      </Providers>,
    );
    const user = userEvent.setup();
    await user.click(screen.getByTestId('frames-export'));
    await user.click(await screen.findByTestId('frames-keep'));
    expect(await screen.findByText(/for one more, Line 1 would have to go/)).toBeTruthy();
    await setLanguage('zh-CN');
    expect(await screen.findByText(/须删除 Line 1/)).toBeTruthy();
    expect(asked).toEqual([{ channel_id: 3, filter: 'slave == 1', drop: [] }]);
    await user.click(screen.getByTestId('confirm'));
    expect(await screen.findByText('已保存 Line 2，7 帧。 为此删除了 Line 1。')).toBeTruthy();
    expect(asked.at(-1)).toEqual({ channel_id: 3, filter: 'slave == 1', drop: ['Line 1'] });
  });
});

describe('the captures that are kept', () => {
  it('tell which one goes next where there is no room, and what is not known of them', async () => {
    fakeService({ listCaptures: () => listed([aCapture('New'), aCapture('Old', null)]) });
    render(
      <Providers env="test">
        <KeptList />
      </Providers>,
    );
    const old = (await screen.findByText('Old')).closest('li') as HTMLElement;
    expect(old.textContent).toContain('frames not counted');
    expect(old.textContent).toContain('goes next');
    expect(screen.getByText('New').closest('li')?.textContent).not.toContain('goes next');
    expect(within(old).queryByTestId('kept-look')).toBeNull();
  });

  it('are removed when somebody said so; a refusal stays in sight', async () => {
    let isGone = false;
    const removed: unknown[] = [];
    fakeService({
      listCaptures: () => listed(isGone ? [] : [aCapture('Only')]),
      removeCapture(input) {
        removed.push(input);
        if (removed.length === 1) throw new AppError('STATE_STORE', quoted('the drive is gone'));
        isGone = true;
        return { removed: true };
      },
    });
    render(
      <Providers env="test">
        <KeptList />
      </Providers>,
    );
    const user = userEvent.setup();
    await user.click(await screen.findByTestId('kept-remove'));
    expect(removed).toEqual([]);
    await user.click(await screen.findByTestId('confirm'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('the drive is gone');
    await user.click(screen.getByTestId('confirm'));
    expect(await screen.findByText(/No capture is kept/)).toBeTruthy();
    expect(removed).toEqual([{ name: 'Only' }, { name: 'Only' }]);
  });
});

describe('the conversations of a capture', () => {
  it('that can be taken in part say what is left out, and can be chosen', async () => {
    const left = say('capture.mms_unnamed', { sets: 3, structures: 1 });
    const found: CapturedConversation = {
      ...{ index: 0, carrier: 'tcp', master: '10.0.0.9:50112', device: '10.0.0.1:102', line: '', roles_by: 'port', packets: 40, gaps: 0 },
      ...{ from: null, to: null, protocol_type: 5, reads: 9, addresses: 4, reason: null, reason_message: null },
      ...{ left_out: english(left), left_out_message: left },
    };
    const chosen: number[] = [];
    render(
      <Providers env="test">
        <ConversationTable
          channel={aChannel({ protocol_type: 5 })}
          conversations={[found]}
          chosen={null}
          onChoose={(index) => chosen.push(index)}
        />
      </Providers>,
    );
    expect(await screen.findByText(/^Yes, but it has values that the capture does not name: 3 answers/)).toBeTruthy();
    await userEvent.setup().click(screen.getByRole('radio'));
    expect(chosen).toEqual([0]);
    await setLanguage('zh-CN');
    expect(await screen.findByText(/^可以，但有抓包未说明名称的数值：3 个应答和报告/)).toBeTruthy();
  });
});

describe('a capture that was taken', () => {
  const taken: TakenCapture = {
    series: { name: 'line', rows: 8, seconds: 2.66, columns: [] },
    reads: 15,
    protocol_type: 3,
    protocol: { cause_octets: 1, common_address_octets: 2 },
    points: [],
    taken_into: { channel_id: 1, added: 7, changed: 0 },
  };

  it('says which settings differ, begins from second 0, starts the channel, and stays where that fails', async () => {
    const asked: [string, unknown][] = [];
    let closed = 0;
    fakeService({
      setSimulation(input) {
        asked.push(['setSimulation', input]);
        return {} as never;
      },
      startDevice(input) {
        asked.push(['startDevice', input]);
        if (asked.length < 3) throw new AppError('TRANSPORT_PORT_TAKEN', quoted('port 502 is taken'));
        return {} as never;
      },
    });
    const channel = aChannel({ conn_type: 1, status: 'stopped', protocol: { common_address_octets: 2 } });
    render(
      <Providers env="test">
        <CaptureDone
          channel={channel}
          taken={taken}
          onClose={() => {
            closed += 1;
          }}
        />
      </Providers>,
    );
    expect(screen.getByTestId('capture-settings').textContent).toContain('cause_octets 1');
    expect(screen.getByTestId('capture-settings').textContent).not.toContain('common_address_octets');
    const user = userEvent.setup();
    await user.click(screen.getByTestId('capture-start'));
    expect((await screen.findByTestId('error-notice')).textContent).toContain('port 502 is taken');
    expect(closed).toBe(0);
    await user.click(screen.getByTestId('capture-start'));
    await waitFor(() => expect(closed).toBe(1));
    const both = [
      ['setSimulation', { channel_id: channel.id, is_on: true, anew: true }],
      ['startDevice', { channel_id: channel.id }],
    ];
    expect(asked).toEqual([...both, ...both]);
  });
});
