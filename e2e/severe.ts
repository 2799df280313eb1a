import axe from 'axe-core';
import type { Screen } from './screen.ts';

/** Rules that depend on colours; all others look at the same document in both schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

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
