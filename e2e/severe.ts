import axe from 'axe-core';
import type { Screen } from './screen.ts';

/** Rules that depend on colours; all others look at the same document in both schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Rules that depend on the words of the page and on its language. */
const WORD_RULES = [
  'html-has-lang',
  'html-lang-valid',
  'valid-lang',
  'document-title',
  'label',
  'button-name',
  'link-name',
  'input-button-name',
  'select-name',
  'image-alt',
  'role-img-alt',
  'svg-img-alt',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'aria-command-name',
  'aria-dialog-name',
  'aria-progressbar-name',
  'aria-meter-name',
  'aria-tooltip-name',
  'aria-treeitem-name',
  'nested-interactive',
  'scrollable-region-focusable',
  'duplicate-id-aria',
];

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly targets: readonly string[];
}

/**
 * Runs axe on the whole document as it stands. It stays in the document once it is there, and collects violations only: a list of all
 * that passed costs four times the check itself.
 */
async function violations(view: Screen, rules: readonly string[] | null): Promise<readonly Violation[]> {
  if (!(await view.page.evaluate("typeof axe === 'object'"))) await view.page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules ? { runOnly: rules } : {}) });
  const run = `axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, impact, nodes }) => ({ id, impact, targets: nodes.map(({ target }) => target.join(' ')) })))`;
  return (await view.page.evaluate(run)) as readonly Violation[];
}

/**
 * Violations on the screen as it stands that keep people out, in a form that a failing test can print: every rule in light, and those
 * about colours once more in dark. Leaves the page in light.
 */
export async function severe(view: Screen, place: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await view.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await view.settle();
    for (const { id, impact, targets } of await violations(view, colorScheme === 'dark' ? COLOUR_RULES : null)) {
      if (impact !== 'serious' && impact !== 'critical') continue;
      found.push(`${place}, ${colorScheme}: ${id}: ${targets.join(' | ')}`);
    }
  }
  return found;
}

/** As `severe`, with the page as it stands and all but the colours, which are the same in every language. */
export async function severeWords(view: Screen, place: string): Promise<string[]> {
  const found = (await violations(view, WORD_RULES)).filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return found.map(({ id, targets }) => `${place}: ${id}: ${targets.join(' | ')}`);
}
