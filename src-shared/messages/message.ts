/**
 * A message as data: which sentence, and what stands in it. Words are made where people read: in English by the service for its
 * answers and its log (`english`), in the chosen language by the pages. The same shape is inside, in JSON and in the project file.
 */
export interface Message {
  /** Room and name: `modbus.exception`. Stable like an error code: what is stored is told by it years later. */
  readonly id: string;
  readonly params: MessageParams;
}

/** What may stand in a sentence: a number, words from elsewhere (a name, the answer of a system), another message, or a list of these. */
export type MessageParam = MessagePart | readonly MessagePart[];
export type MessagePart = string | number | Names | Message;

/** A name out of a table of a standard, which has it in both languages: a function, a cause, a data item. */
export interface Names {
  readonly en: string;
  readonly zh: string;
}

/** A name in both languages. */
export function names(en: string, zh: string): Names {
  return { en, zh };
}

export type MessageParams = Readonly<Record<string, MessageParam>>;

/** Sentences by their id. */
export type Catalogue = Readonly<Record<string, string>>;

/** Words of a language: its sentences, and what stands between the members of a list. */
export interface Words {
  readonly language: keyof Names;
  readonly catalogue: Catalogue;
  readonly comma: string;
}

/** Names in `{{braces}}` of a template. */
export type NamesIn<Template extends string> = Template extends `${string}{{${infer Name}}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** `template` with `{{name}}` filled in by `look`; a name that it has no value for stays as it is. */
export function fill(template: string, look: (name: string) => string | undefined): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => look(name) ?? whole);
}

/**
 * The words of a message; null when `words` lacks its id, a parameter, or one of the messages in it: then the English text that
 * travels beside it is what can be shown (an older project file, a newer service).
 */
export function wordsOf(message: Message, words: Words): string | null {
  if (!Object.hasOwn(words.catalogue, message.id)) return null;
  let isComplete = true;
  const text = fill(words.catalogue[message.id] ?? '', (name) => {
    const value = Object.hasOwn(message.params, name) ? message.params[name] : undefined;
    const said = value === undefined ? null : wordsOfParam(value, words);
    if (said === null) isComplete = false;
    return said ?? undefined;
  });
  return isComplete ? text : null;
}

function wordsOfParam(param: MessageParam, words: Words): string | null {
  if (Array.isArray(param)) {
    const parts = (param as readonly MessagePart[]).map((part) => wordsOfParam(part, words));
    return parts.includes(null) ? null : parts.join(words.comma);
  }
  if (typeof param === 'object') return 'id' in param ? wordsOf(param, words) : ((param as Names)[words.language] ?? null);
  return String(param);
}
