import type { AuditEntry } from '#shared/contract/events.ts';
import type { ChangeCounter } from '../../runtime/values/change-counter.ts';

/** News of commands that are remembered; the audit has all of them. */
const KEPT = 500;

/** The last news of commands: entered, and closed with an outcome. */
export class CommandJournal {
  readonly #changes: ChangeCounter;
  #news: { readonly change: number; readonly entry: AuditEntry }[] = [];
  #forgotten: number[] = [];

  constructor(changes: ChangeCounter) {
    this.#changes = changes;
  }

  add(entry: AuditEntry): void {
    this.#news.push({ change: this.#changes.next(), entry });
    if (this.#news.length <= KEPT) return;
    const oldest = this.#news.shift();
    if (!oldest) return;
    this.#forgotten.push(oldest.change);
    if (this.#forgotten.length > KEPT) this.#forgotten.shift();
  }

  /** What came behind this change, oldest first. */
  since(change: number): AuditEntry[] {
    return this.#news.filter((news) => news.change > change).map(({ entry }) => entry);
  }

  /** News behind this change that are not remembered; at least so many. */
  lostSince(change: number): number {
    return this.#forgotten.filter((forgotten) => forgotten > change).length;
  }
}
