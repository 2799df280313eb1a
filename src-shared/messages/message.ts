/**
 * A message as data: which sentence, and what stands in it. Words are made where people read: in English by the service for its
 * answers and its log (`english`), in the chosen language by the pages. The same shape is inside, in JSON and in the project file.
 */
export interface Message {
  /** Room and name: `modbus.exception`. Stable like an error code: what is stored is told by it years later. */
  readonly code: string;
  readonly params: MessageParams;
}

/** True for a message where something else may stand in its place. */
export function isMessage(value: object): value is Message {
  return 'code' in value && 'params' in value;
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

/** Templates cut at their names: texts and names in turn, a text first and last. */
const pieces = new Map<string, readonly string[]>();

function piecesOf(template: string): readonly string[] {
  const known = pieces.get(template);
  if (known) return known;
  const cut = template.split(/\{\{(\w+)\}\}/);
  pieces.set(template, cut);
  return cut;
}

/** `template` with `{{name}}` filled in by `look`; a name that it has no value for stays as it is. */
export function fill(template: string, look: (name: string) => string | undefined): string {
  const cut = piecesOf(template);
  let text = cut[0] ?? '';
  for (let at = 1; at < cut.length; at += 2) {
    const name = cut[at] ?? '';
    text += (look(name) ?? `{{${name}}}`) + (cut[at + 1] ?? '');
  }
  return text;
}

/**
 * The words of a message; null when `words` lacks its id, a parameter, or one of the messages in it: then the English text that
 * travels beside it is what can be shown (an older project file, a newer service).
 */
export function wordsOf(message: Message, words: Words): string | null {
  if (!Object.hasOwn(words.catalogue, message.code)) return null;
  const cut = piecesOf(words.catalogue[message.code] ?? '');
  let text = cut[0] ?? '';
  for (let at = 1; at < cut.length; at += 2) {
    const name = cut[at] ?? '';
    const value = Object.hasOwn(message.params, name) ? message.params[name] : undefined;
    const said = value === undefined ? null : wordsOfParam(value, words);
    if (said === null) return null;
    text += said + (cut[at + 1] ?? '');
  }
  return text;
}

function wordsOfParam(param: MessageParam, words: Words): string | null {
  if (typeof param === 'string') return param;
  if (typeof param === 'number') return String(param);
  if (Array.isArray(param)) {
    const parts = (param as readonly MessagePart[]).map((part) => wordsOfParam(part, words));
    return parts.includes(null) ? null : parts.join(words.comma);
  }
  const part = param as Names | Message;
  return 'code' in part ? wordsOf(part, words) : (part[words.language] ?? null);
}
