import { createContext, type ReactNode, useCallback, useContext } from 'react';
import { CommandScope } from '../commands/registry.ts';
import type { WorkTab } from './place.ts';
import { type AreaName, useUiStore } from './ui-store.ts';

const AreaContext = createContext<AreaName>('main');

/** The work area that a component stands in. */
export function useAreaName(): AreaName {
  return useContext(AreaContext);
}

/** True in the work area that was worked in last: what there is of a thing once on the page belongs there. */
export function useIsActiveArea(): boolean {
  const area = useAreaName();
  return useUiStore(({ activeArea, beside }) => (beside === null ? area === 'main' : activeArea === area));
}

/** Changes the view of the work area that a component stands in. */
export function useSetTab(): (tab: WorkTab) => void {
  const area = useAreaName();
  return useCallback((tab) => useUiStore.getState().setTab(tab, area), [area]);
}

interface AreaProps {
  readonly name: AreaName;
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A work area: who clicks or types in it works in it, and keys and commands are for it. */
export function Area({ name, label, className, children }: AreaProps) {
  return (
    <AreaContext value={name}>
      <AreaBox name={name} label={label} className={className}>
        {children}
      </AreaBox>
    </AreaContext>
  );
}

function AreaBox({ name, label, className, children }: AreaProps) {
  const isActive = useIsActiveArea();
  const work = () => useUiStore.getState().workIn(name);
  return (
    <section
      className={className}
      aria-label={label}
      data-area={name}
      data-active={isActive}
      onPointerDownCapture={work}
      onFocusCapture={work}
    >
      <CommandScope value={isActive}>{children}</CommandScope>
    </section>
  );
}
