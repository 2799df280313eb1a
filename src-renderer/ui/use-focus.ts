import { type RefObject, useEffect, useRef } from 'react';

/** Ref of an element that takes the keyboard when it appears: in a dialog whose steps change, the trap of the dialog does it only once. */
export function useFocus<Element extends HTMLElement>(): RefObject<Element | null> {
  const element = useRef<Element>(null);
  useEffect(() => element.current?.focus(), []);
  return element;
}
