import { Modal } from '@mantine/core';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnType, ProtocolType } from '#shared/domain/enums.ts';
import { Providers } from '../../app/providers.tsx';
import { useUiStore } from '../../app/ui-store.ts';
import { AppCommands } from '../../commands/app-commands.tsx';
import { CommandKeys } from '../../commands/command-keys.tsx';
import { useRegistry } from '../../commands/registry.ts';
import { setLanguage } from '../../i18n/index.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { guideAbout, guideTo } from './guide.ts';

const place = { tab: 'points', showsPlant: false, showsStart: false, isCheck: false } as const;
const modbus = { protocol_type: ProtocolType.modbusTcp, conn_type: ConnType.tcpClient };
const station = { protocol_type: ProtocolType.iec104, conn_type: ConnType.tcpClient };

describe('the page of the guide', () => {
  it.each([
    ['the start page', { ...place, showsStart: true }, null, 'first-steps'],
    ['a project without channels', place, null, 'first-steps'],
    ['the plant', { ...place, showsPlant: true }, null, 'window'],
    ['the check', { ...place, isCheck: true }, modbus, 'check'],
    ['points', place, modbus, 'point-tables'],
    ['the line', { ...place, tab: 'line' }, modbus, 'line'],
    ['tools of Modbus', { ...place, tab: 'tools' }, modbus, 'doctor'],
    ['tools of a station', { ...place, tab: 'tools' }, station, 'iec104'],
    ['tools of a simulated device', { ...place, tab: 'tools' }, { ...station, conn_type: ConnType.tcpServer }, 'simulation'],
  ] as const)('fits %s', (_where, where, channel, page) => {
    expect(guideAbout(where, channel)).toBe(page);
  });
});

describe('F1', () => {
  const opened = vi.fn();

  beforeEach(() => {
    opened.mockReset();
    vi.spyOn(window, 'open').mockImplementation((...given) => {
      opened(...given);
      return null;
    });
    useRegistry.setState({ commands: new Map() });
    useUiStore.setState({ selectedChannelId: 1, showsPlant: false, showsStart: false, check: null, tab: 'line', beside: null });
  });

  async function press(dialog: React.ReactNode = null): Promise<void> {
    fakeService({ listChannels: () => [aChannel()] });
    render(
      <Providers env="test">
        <AppCommands />
        <CommandKeys />
        {dialog}
      </Providers>,
    );
    await waitFor(() => expect(useRegistry.getState().commands.has('read-none')).toBe(false));
    await userEvent.setup().keyboard('{F1}');
  }

  it('opens what fits the view, beside the window', async () => {
    await press();
    expect(opened.mock.calls).toEqual([['/guide/en/line.html', '_blank', 'noopener']]);
  });

  it('opens what fits the dialog that is open, in the language of the page', async () => {
    await setLanguage('zh-CN');
    try {
      await press(
        <Modal {...guideTo('doctor')} opened onClose={() => {}} title="A dialog">
          words
        </Modal>,
      );
      expect(screen.getByRole('dialog')).toBeTruthy();
      expect(opened.mock.calls).toEqual([['/guide/zh/doctor.html', '_blank', 'noopener']]);
    } finally {
      await setLanguage('en');
    }
  });
});
