import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Providers } from '../app/providers.tsx';
import { SearchField } from './search-field.tsx';

function Place() {
  const [text, setText] = useState('');
  return (
    <>
      <div role="tree" tabIndex={0} data-testid="elsewhere" />
      <section data-area="beside">
        <SearchField words="Name or code" value={text} onChange={(event) => setText(event.currentTarget.value)} />
        <div role="tree" tabIndex={0} data-testid="found" />
      </section>
    </>
  );
}

async function typed(keys: string) {
  render(
    <Providers env="test">
      <Place />
    </Providers>,
  );
  const user = userEvent.setup();
  const field = screen.getByLabelText('Name or code');
  await user.click(field);
  await user.keyboard(keys);
  return { user, field };
}

describe('the search over a table', () => {
  it.each(['{Enter}', '{ArrowDown}'])('leads to what was found with %s, in its own area', async (key) => {
    await typed(`PCS${key}`);
    expect(document.activeElement).toBe(screen.getByTestId('found'));
  });

  it('is left with Esc once it is empty', async () => {
    const { user, field } = await typed('PCS{Escape}');
    expect(document.activeElement).toBe(field);
    await user.clear(field);
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByTestId('found'));
  });

  it('stays while Enter takes a word of an input method', async () => {
    const { field } = await typed('PCS');
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    expect(document.activeElement).toBe(field);
  });
});
