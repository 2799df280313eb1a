/** A list that was scrolled rests when nothing moved it for so long, in milliseconds. */
export const RESTS_AFTER_MS = 120;

const timers = new WeakMap<HTMLElement, ReturnType<typeof setTimeout>>();

/**
 * Marks a list while it is scrolled. Rows that pass below a mouse that stands still do not light up meanwhile: that would be one more drawing for each step.
 */
export function markScrolling(box: HTMLElement): void {
  clearTimeout(timers.get(box));
  box.toggleAttribute('data-scrolling', true);
  timers.set(
    box,
    setTimeout(() => box.removeAttribute('data-scrolling'), RESTS_AFTER_MS),
  );
}
