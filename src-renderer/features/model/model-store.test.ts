import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useModelUi } from './model-store.ts';

it('each channel has a view of its model, which stays when it is left', () => {
  const one = renderHook(() => useModelUi(1));
  const two = renderHook(() => useModelUi(2));
  const fresh = { view: 'tree', open: new Set(), ticked: new Set(), active: null, dataSet: null };
  expect(one.result.current).toMatchObject(fresh);
  act(() => {
    one.result.current.setView('differences');
    one.result.current.setActive('LD0/LLN0');
    one.result.current.setDataSet('LD0/LLN0.ds');
    one.result.current.setOpen(['LD0', 'LD1'], true);
    one.result.current.setOpen(['LD1', 'LD2'], false);
    one.result.current.setTicked(['a', 'b'], true);
    one.result.current.setTicked(['a'], false);
  });
  const changed = { view: 'differences', open: new Set(['LD0']), ticked: new Set(['b']), active: 'LD0/LLN0', dataSet: 'LD0/LLN0.ds' };
  expect(one.result.current).toMatchObject(changed);
  expect(two.result.current).toMatchObject(fresh);
  one.unmount();
  const again = renderHook(() => useModelUi(1));
  expect(again.result.current).toMatchObject(changed);
  act(() => again.result.current.clearTicked());
  expect(again.result.current).toMatchObject({ ...changed, ticked: new Set() });
});
