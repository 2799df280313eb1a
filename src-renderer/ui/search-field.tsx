import { TextInput, type TextInputProps } from '@mantine/core';
import type { KeyboardEvent, Ref } from 'react';
import { Icon } from './icons.tsx';
import { toTableOf } from './to-table.ts';

interface SearchFieldProps extends Omit<TextInputProps, 'type' | 'leftSection' | 'onKeyDown' | 'placeholder'> {
  /** What is searched: name of the field, and shown while it is empty. */
  readonly words: string;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Enter or the arrow down lead to what was found; Esc empties the field, as the browser does it, and leads out of an empty one. */
function onSearchKey({ key, nativeEvent, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  if (nativeEvent.isComposing) return;
  if (key !== 'Enter' && key !== 'ArrowDown' && !(key === 'Escape' && currentTarget.value === '')) return;
  toTableOf(currentTarget.closest('[data-area], main, [role="dialog"]'));
}

/** The search over a table. */
export function SearchField({ words, ...rest }: SearchFieldProps) {
  return (
    <TextInput
      aria-label={words}
      placeholder={words}
      {...rest}
      type="search"
      leftSection={<Icon name="search" size={14} />}
      onKeyDown={onSearchKey}
    />
  );
}
