import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';

/** How well an entry fits: 0 when its words have the text as it stands, 1 when they have each word of it, 2 with what it is also known as; null when not. */
function rankOf({ label = '', description = '', keywords = '' }: SpotlightActionData, text: string): number | null {
  const name = label.toLowerCase();
  if (name.includes(text)) return 0;
  const words = text.split(/\s+/u);
  if (words.every((word) => name.includes(word))) return 1;
  const all = [name, description, ...[keywords].flat()].join('\n').toLowerCase();
  return words.every((word) => all.includes(word)) ? 2 : null;
}

/**
 * The entries that have each word of the query, in any order: "new channel" finds the one that is told as "Add a channel". The best ones come
 * first, and their groups with them.
 */
export function filterEntries(query: string, groups: readonly SpotlightActionGroupData[]): SpotlightActionGroupData[] {
  const text = query.trim().toLowerCase();
  if (text === '') return [...groups];
  return groups
    .map(({ group, actions }) => {
      const ranked = actions
        .flatMap((action) => {
          const rank = rankOf(action, text);
          return rank === null ? [] : [{ action, rank }];
        })
        .sort((one, other) => one.rank - other.rank);
      return { group, actions: ranked.map(({ action }) => action), best: ranked[0]?.rank };
    })
    .filter(({ best }) => best !== undefined)
    .sort((one, other) => (one.best ?? 0) - (other.best ?? 0))
    .map(({ group, actions }) => ({ group, actions }));
}
