import { useArmingStore } from './arming.ts';
import { useSelectionStore } from './selections.ts';
import { useWriteStore } from './write-store.ts';

/**
 * Lets go of everything that is known of writes: the dialog, armings, selections, values under way. All of it is kept by ids, which mean something else in
 * another project. True when there was something that a person would miss.
 */
export function resetWrites(): boolean {
  const hadAny =
    useWriteStore.getState().target !== null ||
    Object.keys(useArmingStore.getState().armings).length > 0 ||
    Object.keys(useSelectionStore.getState().selections).length > 0;
  useWriteStore.getState().close();
  useWriteStore.setState({ pending: {}, unresolved: {} });
  useArmingStore.setState({ armings: {} });
  useSelectionStore.setState({ selections: {} });
  return hadAny;
}
