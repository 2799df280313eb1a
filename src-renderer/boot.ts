/** A page that is not drawn (in the background) begins as well. */
const UNDRAWN_MS = 100;

let hasBegun = false;

/** Loads the pages, which is most of an opening. */
function begin(): void {
  if (hasBegun) return;
  hasBegun = true;
  void import('./main.tsx');
}

// Behind the first picture: the frame of the window stands before its contents.
requestAnimationFrame(() => setTimeout(begin));
setTimeout(begin, UNDRAWN_MS);
