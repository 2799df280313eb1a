import { useCallback } from 'react';
import { useSetTab } from '../../app/area.tsx';
import { useToolsStore } from '../tools/tools-store.ts';

/** Leads to where the table of the channel in sight is tried at its device; nothing is asked yet. */
export function useTryTable(): () => void {
  const setTab = useSetTab();
  return useCallback(() => {
    useToolsStore.getState().show('table');
    setTab('tools');
  }, [setTab]);
}
