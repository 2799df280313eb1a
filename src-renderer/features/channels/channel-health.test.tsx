import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Providers } from '../../app/providers.tsx';
import { aChannel, fakeService } from '../testing/fake-service.ts';
import { IEC104 } from '../testing/protocols.ts';
import { ChannelHealth } from './channel-health.tsx';

function show(change: Parameters<typeof aChannel>[0]) {
  fakeService({ listProtocols: () => [IEC104] });
  render(
    <Providers env="test">
      <ChannelHealth channel={aChannel(change)} updatedAt={0} />
    </Providers>,
  );
  return [...screen.getByTestId('health').querySelectorAll('dt')].map((name) => name.textContent);
}

describe('counters since the last start', () => {
  const { health } = aChannel();

  it('of a channel that asks: what came back, what did not, and who is left out', () => {
    const suspended = [13, 14].map((slave_id) => ({ slave_id, timeouts: 3, next_probe_at: '2026-03-01T08:00:05.000Z' }));
    const names = show({ health: { ...health, timeouts: 6, suspended } });
    expect(names).toEqual(['Requests/s', 'Latency', 'Timeouts', 'Refused', 'Faults', 'Late', 'Reconnects', 'Suspended']);
    const values = [...screen.getByTestId('health').querySelectorAll('dd')].map((value) => value.textContent);
    expect(values.slice(2, 3).concat(values.slice(-1))).toEqual(['6', '2']);
  });

  it('of a channel that serves: its peers, and nothing that it cannot have', () => {
    expect(show({ conn_type: 1, health: { ...health, clients: 2 } })).toEqual(['Requests/s', 'Clients', 'Refused', 'Faults']);
  });
});
