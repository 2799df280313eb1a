import type { OperationName } from '#shared/contract/index.ts';
import type { Handler, Handlers } from './handlers.ts';

/**
 * The use cases of `operations`, loaded with the first call of one of them: code and data of rooms that are seldom entered are not held at rest, nor
 * do they hold up a start. `load` is called once, and again only where it failed.
 */
export function lazyRoom<Name extends OperationName>(
  operations: Readonly<Record<Name, unknown>>,
  load: () => Promise<Pick<Handlers, Name>>,
): Pick<Handlers, Name> {
  let loading: Promise<Pick<Handlers, Name>> | null = null;
  const loaded = () => {
    loading ??= load().catch((error) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  const lazy =
    (name: Name): Handler<Name> =>
    async (request, context) =>
      (await loaded())[name](request, context);
  const names = Object.keys(operations) as Name[];
  return Object.fromEntries(names.map((name) => [name, lazy(name)])) as Pick<Handlers, Name>;
}
