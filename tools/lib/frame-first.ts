import type { Plugin } from 'vite';

const SCRIPT = /<script type="module"( crossorigin)? src="([^"]+)"><\/script>/;
const NAME = 'frame-first.js';

/**
 * Begins the script of a page behind its first picture, so that its frame is seen at once; what the script needs is loaded meanwhile (`modulepreload`). A page that is not
 * drawn, in the background, begins as well. Order and place of the styles stay as they are: what is loaded later stands behind them.
 */
export function frameFirst(): Plugin {
  return {
    name: 'frame-first',
    apply: 'build',
    buildStart() {
      // its name says what is in it, like those of all files that are kept by browsers
      this.emitFile({ type: 'asset', name: NAME, source: BEGIN });
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const file = Object.values(bundle).find((each) => each.type === 'asset' && each.names.includes(NAME));
        if (!file) throw new Error(`The build has no ${NAME}.`);
        return behindFirstPicture(html, `./${file.fileName}`);
      },
    },
  };
}

/** The page with its script begun by the one at `begin`. Throws where it has none. */
export function behindFirstPicture(html: string, begin: string): string {
  const found = SCRIPT.exec(html);
  if (!found) throw new Error('The page has no script of its own.');
  const [script, crossorigin = '', src = ''] = found;
  const preload = `<link rel="modulepreload"${crossorigin} href="${src}">`;
  return html.replace(script, `<script src="${begin}" data-main="${src}" defer></script>\n    ${preload}`);
}

const BEGIN = `(() => {
  const { main } = document.currentScript.dataset;
  let hasBegun = false;
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    const script = document.createElement('script');
    script.type = 'module';
    script.crossOrigin = '';
    script.src = main;
    document.body.append(script);
  };
  requestAnimationFrame(() => setTimeout(begin));
  setTimeout(begin, 100);
})();
`;
