import type { Page } from '@playwright/test';

/** Begins to note each place of buttons within their dialog, picture by picture. */
export function watchPlaces(page: Page, ...testIds: readonly string[]): Promise<unknown> {
  return page.evaluate(`(() => {
    const places = new Set();
    const look = () => {
      for (const id of ${JSON.stringify(testIds)}) {
        let [left, top] = [0, 0];
        // places of the layout: the dialog itself slides in
        for (let at = document.querySelector('[data-testid="' + id + '"]'); at && at.getAttribute('role') !== 'dialog'; at = at.offsetParent) {
          left += at.offsetLeft;
          top += at.offsetTop;
        }
        if (top > 0) places.add([id, left, top].join(' '));
      }
      requestAnimationFrame(look);
    };
    look();
    window.places = () => [...places];
  })()`);
}

/** All places that were noted: one for each button whose dialog was open, where nothing moved it. */
export function placesOf(page: Page): Promise<string[]> {
  return page.evaluate('window.places()');
}
