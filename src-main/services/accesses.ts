import type { Access } from '#shared/contract/access.ts';
import type { Handlers } from './handlers.ts';
import type { KnownAccess, ServiceDeps } from './ports.ts';
import { isoTime } from './rows.ts';

function accessRow({ name, role, end, madeAt, usedAt }: KnownAccess): Access {
  return { name, role, token_end: end, made_at: madeAt, used_at: isoTime(usedAt) };
}

/** Tokens with a name and a role. */
export function accessHandlers({
  facts,
}: Pick<ServiceDeps, 'facts'>): Pick<Handlers, 'listAccesses' | 'addAccess' | 'updateAccess' | 'removeAccess'> {
  const { accesses } = facts;
  return {
    listAccesses: () => ({ items: accesses.list().map(accessRow), is_open: facts.isOpen }),
    addAccess({ name, role }) {
      const { access, token } = accesses.add(name, role);
      return { ...accessRow(access), token };
    },
    updateAccess: ({ name, role }) => accessRow(accesses.changeRole(name, role)),
    removeAccess({ name }) {
      accesses.remove(name);
      return { removed: true };
    },
  };
}
