import { describe, expect, it } from 'vitest';
import { filterEntries } from './palette-filter.ts';

const GROUPS = [
  {
    group: 'Go to',
    actions: [
      { id: 'plant', label: 'Show the plant' },
      { id: 'add-channel', label: 'Add a channel', keywords: 'new device connection' },
    ],
  },
  {
    group: 'Channels',
    actions: [
      { id: 'channel 1', label: 'Channel of the bay', description: 'IEC 104 · 10.0.0.7:2404' },
      { id: 'channel 2', label: 'PCS', description: 'Modbus TCP · 10.0.0.8:502' },
    ],
  },
];

const found = (query: string) => filterEntries(query, GROUPS).flatMap(({ actions }) => actions.map(({ id }) => id));

describe('the entries of the palette', () => {
  it('are found by each word of the text, in any order', () => {
    expect(found('add channel')).toEqual(['add-channel']);
    expect(found('channel add')).toEqual(['add-channel']);
    expect(found('add plant')).toEqual([]);
  });

  it('are found by words that are not their own, together with those that are', () => {
    expect(found('new channel')).toEqual(['add-channel']);
    expect(found('modbus 502')).toEqual(['channel 2']);
  });

  it('stand in the order of how well they fit', () => {
    expect(found('channel')).toEqual(['add-channel', 'channel 1']);
    expect(found('channel of')).toEqual(['channel 1']);
    expect(found('bay channel')).toEqual(['channel 1']);
    expect(filterEntries('10.0.0.7 channel', GROUPS).map(({ group }) => group)).toEqual(['Channels']);
  });

  it('begin with the group that fits best', () => {
    const groups = [
      { group: 'A', actions: [{ id: 'far', label: 'Template', keywords: 'channel' }] },
      { group: 'B', actions: [{ id: 'near', label: 'Stop the channel' }] },
    ];
    expect(filterEntries('Channel', groups).map(({ group }) => group)).toEqual(['B', 'A']);
  });

  it('are all there without a text', () => {
    expect(found('  ')).toHaveLength(4);
  });
});
