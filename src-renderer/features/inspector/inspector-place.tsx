import { createContext, type ReactNode, useContext } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useUiStore } from '../../app/ui-store.ts';
import { type PaneSize, usePaneWidth } from '../../ui/split-pane.tsx';
import classes from './inspector.module.css';
import { useInspectorStore } from './inspector-store.ts';

export const INSPECTOR: PaneSize = { name: 'inspector', usual: 288, least: 220, most: 560 };

/** The place beside both work areas; null while each has its own. */
const PlaceContext = createContext<HTMLElement | null>(null);

/** Tells the work areas where the one inspector of both stands. */
export const InspectorPlaceProvider = PlaceContext.Provider;

/** True while two work areas share an inspector: one of them shows points, or its tables would be narrower for nothing. */
export function useIsInspectorShared(): boolean {
  const isOpen = useInspectorStore((state) => state.isOpen);
  const hasPoints = useUiStore(
    ({ tab, beside, showsPlant, showsStart }) =>
      beside !== null && (beside.tab === 'points' || (tab === 'points' && !showsPlant && !showsStart)),
  );
  return isOpen && hasPoints;
}

/** Stands beside both work areas, with or without a point: no table moves under the pointer when the work goes from one to the other. */
export function InspectorPlace({ onPlace }: { onPlace(place: HTMLElement | null): void }) {
  const { t } = useTranslation('inspector');
  const width = usePaneWidth(INSPECTOR);
  return <div ref={onPlace} className={classes.place} style={{ width }} data-nothing={t('none')} data-testid="inspector-place" />;
}

/** Shows the inspector where it belongs: in the place of both areas, else in its own. */
export function InPlace({ children }: { readonly children: ReactNode }) {
  const place = useContext(PlaceContext);
  return place ? createPortal(children, place) : children;
}
