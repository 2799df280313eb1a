import AxeBuilder from '@axe-core/playwright';
import type { Screen } from './screen.ts';

/** Rules that depend on colours; all others look at the same document in both schemes. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Violations on the screen as it stands that keep people out, in a form that a failing test can print: every rule in light, and those
 * about colours once more in dark. Leaves the page in light.
 */
export async function severe(view: Screen, place: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['dark', 'light'] as const) {
    await view.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await view.settle();
    const axe = new AxeBuilder({ page: view.page });
    // The desktop window opens no second page, which is what the other way needs.
    if (!view.isBrowser) axe.setLegacyMode(true);
    if (colorScheme === 'dark') axe.withRules(COLOUR_RULES);
    const { violations } = await axe.analyze();
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue;
      found.push(`${place}, ${colorScheme}: ${id}: ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
    }
  }
  return found;
}
