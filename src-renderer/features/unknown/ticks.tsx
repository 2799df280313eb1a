import { createContext, useCallback, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './unknown.module.css';
import { objectKey, type UnknownObject } from './unknown-model.ts';

/** Ticked objects by key; those of other pages stay ticked. */
export interface Ticks {
  readonly selected: ReadonlyMap<string, UnknownObject>;
  /** Every object of the page that can be a point is ticked. */
  readonly isPageSelected: boolean;
  onToggle(object: UnknownObject): void;
  onTogglePage(): void;
  add(objects: readonly UnknownObject[]): void;
  clear(): void;
}

/** The ticks of a list, of which `page` is in sight. */
export function useTicks(page: readonly UnknownObject[]): Ticks {
  const [selected, setSelected] = useState<ReadonlyMap<string, UnknownObject>>(new Map());
  const usable = page.filter((object) => object.frame_type !== null);
  const isPageSelected = usable.length > 0 && usable.every((object) => selected.has(objectKey(object)));
  const change = useCallback((objects: readonly UnknownObject[], isTicked: boolean) => {
    setSelected((before) => {
      const after = new Map(before);
      for (const object of objects) {
        if (isTicked && object.frame_type !== null) after.set(objectKey(object), object);
        else after.delete(objectKey(object));
      }
      return after;
    });
  }, []);
  return {
    selected,
    isPageSelected,
    onToggle: (object) => change([object], !selected.has(objectKey(object))),
    onTogglePage: () => change(page, !isPageSelected),
    add: (objects) => change(objects, true),
    clear: () => setSelected(new Map()),
  };
}

/** The ticks of the list that a cell stands in. */
export const TicksContext = createContext<Ticks | null>(null);

function useTicksContext(): Ticks {
  const ticks = useContext(TicksContext);
  if (!ticks) throw new Error('A tick stands outside of its list.');
  return ticks;
}

/** Ticks all objects of the page, or takes the ticks off again. */
export function PageTick() {
  const { t } = useTranslation('tools');
  const { isPageSelected, onTogglePage } = useTicksContext();
  return (
    <input
      type="checkbox"
      className={classes.check}
      aria-label={t('unknown.selectPage')}
      checked={isPageSelected}
      onChange={onTogglePage}
    />
  );
}

/** The tick of one object; one that cannot be a point says so. */
export function RowTick({ object }: { readonly object: UnknownObject }) {
  const { t } = useTranslation('tools');
  const { selected, onToggle } = useTicksContext();
  const isPoint = object.frame_type !== null;
  return (
    <input
      type="checkbox"
      className={classes.check}
      aria-label={t('unknown.select', { address: object.address })}
      title={isPoint ? undefined : t('unknown.noPoint')}
      disabled={!isPoint}
      checked={selected.has(objectKey(object))}
      onChange={() => onToggle(object)}
    />
  );
}
