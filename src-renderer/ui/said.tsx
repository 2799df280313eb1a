import type { Message } from '#shared/messages/message.ts';
import { useWords } from '../i18n/words.ts';

interface SaidProps {
  readonly message: Message | null | undefined;
  /** The English words beside it; null: nothing was said. */
  readonly text: string | null;
}

/** What the service says, in the language of the pages; marked as English where only that is known. */
export function Said({ message, text }: SaidProps) {
  const words = useWords();
  const said = words(message, '');
  return said === '' ? <span lang="en">{text}</span> : <span>{said}</span>;
}
