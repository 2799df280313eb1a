/** Entry of the script that stands in every record as HTML. */
import { showRecord } from './show-record.ts';
import './style.css';

document.addEventListener('DOMContentLoaded', () => {
  const shown = showRecord();
  const { dataset } = document.documentElement;
  let restore: (() => void) | null = null;
  addEventListener('beforeprint', () => {
    if (restore) return;
    // what fails on the way leaves a page that is not ready: a window that prints by itself looks at it
    dataset.ready = 'false';
    restore = shown.prepareForPaper();
    dataset.ready = 'true';
  });
  addEventListener('afterprint', () => {
    restore?.();
    restore = null;
  });
});
