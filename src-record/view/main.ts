/** Entry of the script that stands in every record as HTML. */
import { showRecord } from './show-record.ts';
import './style.css';

document.addEventListener('DOMContentLoaded', () => {
  const shown = showRecord();
  let restore: (() => void) | null = null;
  addEventListener('beforeprint', () => {
    restore ??= shown.prepareForPaper();
  });
  addEventListener('afterprint', () => {
    restore?.();
    restore = null;
  });
});
