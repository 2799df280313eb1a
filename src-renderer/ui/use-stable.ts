import { useEffect, useMemo, useRef } from 'react';

/** A function that stays the same and does what the last one given does. */
export function useStable<Args extends readonly unknown[]>(act: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useMemo(
    () =>
      (...args: Args) =>
        latest.current(...args),
    [],
  );
}
