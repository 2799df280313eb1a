/** What lies over the page and takes the focus with it when it goes. */
const OVERLAY = '[role="dialog"], [role="menu"]';
/** Node of the body that holds what lies over the page. */
const PORTAL = '[data-portal]';
/** Places that are remembered: more than dialogs ever lie on one another. */
const MOST = 16;

function hasOverlay(node: Node): boolean {
  return node instanceof Element && (node.matches(OVERLAY) || node.querySelector(OVERLAY) !== null);
}

/** The dialog that covers all others. */
function topDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[aria-modal="true"]')].at(-1);
}

/** True for a place that can take the keyboard now: in the topmost dialog while one is open. */
function isOpen(place: HTMLElement): boolean {
  const top = topDialog();
  return place.isConnected && !place.matches(':disabled') && place.closest('[inert]') === null && (top?.contains(place) ?? true);
}

/**
 * Gives the keyboard back to where it was before a dialog or a menu that has gone, as long as nothing else has taken it: whoever works in a table
 * without a mouse goes on there. A dialog whose step has gone with the button that was pressed keeps the keyboard too. Ends with what it returns.
 */
export function keepFocusPlaces(): () => void {
  let places: HTMLElement[] = [];
  const remember = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) places = [...places.filter((place) => place !== target && place.isConnected), target].slice(-MOST);
  };
  const giveBack = () => {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    (places.findLast(isOpen) ?? topDialog())?.focus({ preventScroll: true });
  };
  const stay = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget !== null) return;
    // by then it is gone, or the next step has taken the keyboard
    requestAnimationFrame(() => {
      if (target instanceof Element && !target.isConnected && topDialog()) giveBack();
    });
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) watch(node);
    if (records.some(({ removedNodes }) => [...removedNodes].some(hasOverlay))) giveBack();
  });
  const watch = (node: Node) => {
    if (node instanceof Element && node.matches(PORTAL)) observer.observe(node, { childList: true });
  };
  observer.observe(document.body, { childList: true });
  for (const node of document.body.children) watch(node);
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', stay);
  return () => {
    observer.disconnect();
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', stay);
  };
}
