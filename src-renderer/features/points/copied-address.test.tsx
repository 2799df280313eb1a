import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { type AddressNotation, DEFAULT_PREFERENCES, prefer, usePreferences } from '../../app/preferences.ts';
import { Providers } from '../../app/providers.tsx';
import { aChannel, aPoint, fakeService } from '../testing/fake-service.ts';
import { IEC104, METER_NOTATION } from '../testing/protocols.ts';
import { usePointColumns } from './columns.tsx';

const METERS: ProtocolDescriptor = { ...IEC104, notation: METER_NOTATION };
const CHANNEL = aChannel({ protocol_type: 3, address_base: 1 });
const actions = { onRead: () => {}, onWrite: () => {} };

/** Shown and copied addresses of a point with the headers over them, by an address notation. */
async function copied(addresses: AddressNotation, protocol: ProtocolDescriptor, address: number) {
  prefer({ addresses });
  fakeService({ listProtocols: () => [protocol] });
  const point = aPoint({ address, func_code: 3 });
  const { result } = renderHook(() => usePointColumns(CHANNEL, false, actions), {
    wrapper: ({ children }) => <Providers env="test">{children}</Providers>,
  });
  const width = protocol.notation?.columns.address;
  await waitFor(() => expect(result.current.find(({ id }) => id === 'address')?.width).toBe(width));
  const columns = result.current.filter(({ id }) => id === 'address' || id === 'hex');
  return columns.map(({ name, text, cell }) => ({ name, shown: cell(point, { index: 0, isSelected: false }), copied: text?.(point) }));
}

afterEach(() => usePreferences.setState(DEFAULT_PREFERENCES, true));

describe('the address of a copied row', () => {
  it.each([
    ['decimal', [{ name: 'IOA', shown: '101', copied: '101' }]],
    ['reference', [{ name: 'IOA', shown: '40101', copied: '101' }]],
    ['hexadecimal', [{ name: 'IOA', shown: '0x0065', copied: '0x0065' }]],
  ] as const)('is one that an import reads as the same, however addresses are shown (%s)', async (how, expected) => {
    expect((await copied(how, IEC104, 101)).slice(0, 1)).toEqual(expected);
  });

  it('of a meter stands under the word by which an import knows it', async () => {
    const di = '0x02010100';
    for (const how of ['decimal', 'reference', 'hexadecimal'] as const) {
      const [last] = (await copied(how, METERS, 0x02010100)).slice(-1);
      expect(last, how).toMatchObject({ name: 'DI', copied: di });
    }
  });
});
