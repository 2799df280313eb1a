import { expect, it } from 'vitest';
import { behindFirstPicture } from './frame-first.ts';

const STYLE = '<link rel="stylesheet" crossorigin href="./assets/main.css">';
const page = (script: string) => `<head>${script}\n${STYLE}</head><body><div>frame</div></body>`;

it('begins the script of the page by ours, loads it meanwhile, and leaves the styles where they are', () => {
  const html = behindFirstPicture(page('<script type="module" crossorigin src="./assets/main.js"></script>'), './assets/begin.js');
  expect(html).toContain('<script src="./assets/begin.js" data-main="./assets/main.js" defer></script>');
  expect(html).toContain('<link rel="modulepreload" crossorigin href="./assets/main.js">');
  expect(html).not.toContain('type="module"');
  expect(html.indexOf(STYLE)).toBeGreaterThan(html.indexOf('begin.js'));
});

it('refuses a page without a script of its own: it would stay a frame', () => {
  expect(() => behindFirstPicture(page(''), './assets/begin.js')).toThrow('no script of its own');
});
