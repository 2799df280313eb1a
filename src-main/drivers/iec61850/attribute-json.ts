/** Values with members as JSON, by the names of their type. */
import type { MmsType, MmsValue } from './mms/types.ts';
import { jsonScalar, type Words } from './model/values.ts';

/** Structures as objects, arrays as lists, leaves as `jsonScalar`; members without a name as `(place)`. `words` answers those of a leaf by its path; `name` is that of the value itself. */
export function attributeJson(
  value: MmsValue,
  type: MmsType | null,
  words: (path: readonly string[]) => Words,
  path: readonly string[] = [],
  name = '',
): unknown {
  if (value.kind === 'array') {
    const element = type?.kind === 'array' ? type.element : null;
    return value.items.map((item) => attributeJson(item, element, words, path, name));
  }
  if (value.kind !== 'structure') return jsonScalar(value, words(path), path.at(-1) ?? name);
  const components = type?.kind === 'structure' ? type.components : [];
  return Object.fromEntries(
    value.items.map((item, place) => {
      const component = components[place];
      const part = component?.name ?? `(${place})`;
      return [part, attributeJson(item, component?.type ?? null, words, [...path, part])];
    }),
  );
}
