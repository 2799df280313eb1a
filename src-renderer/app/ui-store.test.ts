import { beforeEach, expect, it } from 'vitest';
import { useUiStore } from './ui-store.ts';

beforeEach(() => useUiStore.setState({ selectedChannelId: 1, showsPlant: false, tab: 'points', beside: null, activeArea: 'main' }));

it('a channel stands in one work area: chosen again it is worked in where it is', () => {
  const { selectChannel, showBeside, goTo } = useUiStore.getState();
  showBeside(2);
  selectChannel(1);
  expect(useUiStore.getState()).toMatchObject({ selectedChannelId: 1, activeArea: 'main', beside: { channelId: 2 } });
  selectChannel(2);
  expect(useUiStore.getState()).toMatchObject({ selectedChannelId: 1, activeArea: 'beside', beside: { channelId: 2 } });
  goTo({ selectedChannelId: 2, showsPlant: false, tab: 'frames' });
  expect(useUiStore.getState()).toMatchObject({ selectedChannelId: 2, activeArea: 'main', beside: null, tab: 'frames' });
});
