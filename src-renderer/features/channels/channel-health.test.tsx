import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Channel } from '#shared/contract/channels.ts';
import { Providers } from '../../app/providers.tsx';
import { closeDoctor, useDoctorStore } from '../doctor/doctor-store.ts';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { IEC104, REFERENCE_NOTATION } from '../testing/protocols.ts';
import { ChannelHealth } from './channel-health.tsx';

function show(change: Partial<Channel>, slaves: readonly number[]) {
  fakeService({ listProtocols: () => [{ ...IEC104, protocol_type: 5, notation: REFERENCE_NOTATION }] });
  const channel = aChannel(change);
  const suspended = slaves.map((slave_id) => ({ slave_id, timeouts: 3, next_probe_at: '2026-03-01T08:00:05.000Z' }));
  render(
    <Providers env="test">
      <ChannelHealth channel={{ ...channel, health: { ...channel.health, suspended } }} updatedAt={0} />
    </Providers>,
  );
}

beforeEach(closeDoctor);

describe('health line', () => {
  it('leads to the cause of silent slaves, and examines them alone', async () => {
    show({}, [13, 14]);
    await userEvent.setup().click(screen.getByTestId('health-cause'));
    expect(useDoctorStore.getState()).toEqual({ channelId: 1, slaveIds: [13, 14] });
  });

  it('examines 16 of many', async () => {
    show(
      {},
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    await userEvent.setup().click(screen.getByTestId('health-cause'));
    expect(useDoctorStore.getState().slaveIds).toHaveLength(16);
  });

  it('names no slave where the protocol has none', async () => {
    const user = userEvent.setup();
    show({ protocol_type: 5 }, [1]);
    await waitFor(async () => {
      await user.click(screen.getByTestId('health-cause'));
      expect(useDoctorStore.getState()).toEqual({ channelId: 1, slaveIds: [] });
    });
  });

  it('offers nothing while all answer', () => {
    show({}, []);
    expect(screen.queryByTestId('health-cause')).toBeNull();
  });
});
