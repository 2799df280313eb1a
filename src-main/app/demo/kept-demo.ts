/** What a project keeps of the demo: what its channels were when the program made them, so that a channel that somebody changed is known. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Channel } from '#shared/contract/channels.ts';
import type { ProjectStore } from '../../persistence/repositories.ts';

/** What the channels of the demo are known by, by name (`ProjectStore.markOf`). */
export type DemoMarks = Readonly<Record<string, string>>;

/** The open project, as the demo uses it. */
export type DemoStore = Pick<ProjectStore, 'markOf' | 'settings'>;

type Named = Pick<Channel, 'id' | 'name'>;

const SETTING = 'demo';
const NOTE = z.object({ of: z.string(), marks: z.record(z.string(), z.string()) });

/** Notes that the channels of the project are the demo of the build as it made them. */
export function noteBuilt({ settings }: DemoStore, marks: DemoMarks): void {
  settings.write(SETTING, { of: digestOf(marks), marks });
}

/** Notes nothing: the channels are not those of a build. */
export function forgetNote({ settings }: DemoStore): void {
  if (settings.read(SETTING)) settings.write(SETTING, null);
}

export class KeptDemo {
  readonly #store: DemoStore;
  readonly #of: string;
  #noted: string;
  readonly #marks: Map<string, string>;
  /** The demo that the channels were made of: that of this build, of another one, or nobody noted it. */
  readonly origin: 'this' | 'other' | 'unknown';

  /** @param built the marks of the channels as this build made them */
  constructor(store: DemoStore, built: DemoMarks) {
    this.#store = store;
    this.#of = digestOf(built);
    const stored = store.settings.read(SETTING);
    this.#noted = JSON.stringify(stored);
    const note = NOTE.safeParse(stored).data;
    this.#marks = new Map(Object.entries(note?.marks ?? built));
    this.origin = note === undefined ? 'unknown' : note.of === this.#of ? 'this' : 'other';
  }

  /** `damaged`: the rows are not those that anybody stored. */
  stateOf({ id, name }: Named): 'as made' | 'changed' | 'damaged' {
    const mark = this.#store.markOf(id);
    if (mark === null) return 'damaged';
    return mark === this.#marks.get(name) ? 'as made' : 'changed';
  }

  /** The channel is as the program made or moved it now. */
  made({ id, name }: Named): void {
    const mark = this.#store.markOf(id);
    if (mark !== null) this.#marks.set(name, mark);
  }

  /** Keeps what is known of these channels in the project. Throws `STATE_STORE…`. */
  note(names: readonly string[]): void {
    const marks = Object.fromEntries(names.map((name) => [name, this.#marks.get(name) ?? '']));
    const note = { of: this.#of, marks };
    const noted = JSON.stringify(note);
    if (noted === this.#noted) return;
    this.#store.settings.write(SETTING, note);
    this.#noted = noted;
  }
}

function digestOf(marks: DemoMarks): string {
  return createHash('sha256').update(JSON.stringify(marks)).digest('hex');
}
