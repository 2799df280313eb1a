import { type DeviceTemplate, LARGEST_TEMPLATE, type TemplateHead } from '#shared/contract/library.ts';
import { AppError } from '#shared/domain/errors.ts';
import { quoted, say } from '#shared/messages/index.ts';
import { isMessage, type Message } from '#shared/messages/message.ts';
import { Turns } from '../../platform/turns.ts';
import type { NamedFiles } from '../ports.ts';
import { BUILT_IN } from './built-in.ts';
import { noTemplate, readTemplate, type TemplateContent, templateOf, templateRow } from './template.ts';

interface Found {
  readonly row: DeviceTemplate;
  readonly content: TemplateContent;
}

/** All templates there are. Of files only the rows are kept in memory, for as long as the files stay as they were. */
export class Shelf {
  readonly #files: NamedFiles;
  readonly #builtIn: readonly Found[] = Object.entries(BUILT_IN).map(([id, content]) => found(id, content));
  readonly #rows = new Map<string, { readonly octets: number; readonly changedMs: number; readonly row: DeviceTemplate | Message }>();

  constructor(files: NamedFiles) {
    this.#files = files;
  }

  /** The built-in ones, then those of the data folder; files that are none with the reason why. */
  async list(): Promise<{ items: DeviceTemplate[]; unreadable: { file: string; reason: Message }[] }> {
    const turns = new Turns();
    const items = this.#builtIn.map(({ row }) => row);
    const unreadable: { file: string; reason: Message }[] = [];
    const files = this.#files.list();
    for (const id of this.#rows.keys()) if (!files.some((each) => each.id === id)) this.#rows.delete(id);
    for (const { id, file, octets, changedMs } of files) {
      const known = this.#rows.get(id);
      const row = known?.octets === octets && known.changedMs === changedMs ? known.row : rowOf(this.#read(id, octets));
      this.#rows.set(id, { octets, changedMs, row });
      if (isMessage(row)) unreadable.push({ file, reason: row });
      else items.push(row);
      await turns.breathe();
    }
    return { items, unreadable };
  }

  /** Throws `CONFIG_NOT_FOUND`; `CONFIG_INVALID` for a file that is no template. */
  find(id: string): Found {
    const builtIn = this.#builtIn.find(({ row }) => row.id === id);
    if (builtIn) return builtIn;
    const file = this.#files.list().find((each) => each.id === id);
    if (!file) throw new AppError('CONFIG_NOT_FOUND', say('library.unknown', { id }));
    const found = this.#read(id, file.octets);
    if (isMessage(found)) throw new AppError('CONFIG_INVALID', noTemplate(found));
    return found;
  }

  /** True for the name of a template that comes with the program, in either language. */
  isBuiltIn({ name }: TemplateHead): boolean {
    return this.#builtIn.some(({ row }) => row.name === name || row.name_zh === name);
  }

  #read(id: string, octets: number): Found | Message {
    if (octets > LARGEST_TEMPLATE) return say('library.file_too_large', { most: LARGEST_TEMPLATE });
    const read = this.#files.read(id);
    if ('code' in read) return say('library.no_file', { code: quoted(read.code) });
    const content = readTemplate(read.octets);
    if (isMessage(content)) return content;
    const row = templateRow(id, false, content);
    return isMessage(row) ? row : { row, content };
  }
}

function rowOf(found: Found | Message): DeviceTemplate | Message {
  return isMessage(found) ? found : found.row;
}

/** A template of ours; a wrong one is a fault of the program, which a test finds. */
function found(id: string, file: unknown): Found {
  const content = templateOf(file);
  const row = isMessage(content) ? content : templateRow(id, true, content);
  if (isMessage(content) || isMessage(row)) throw new RangeError(`${id} is no template.`);
  return { row, content };
}
