import { useState } from 'react';

/** Props of a choice that is searched: Enter takes the first that was found. Without them it would send the form around it, with what was chosen before. */
export function useFirstFound(): { readonly selectFirstOptionOnChange: boolean; onSearchChange(search: string): void } {
  const [search, setSearch] = useState('');
  // nothing was searched: what is chosen stays marked
  return { selectFirstOptionOnChange: search !== '', onSearchChange: setSearch };
}
