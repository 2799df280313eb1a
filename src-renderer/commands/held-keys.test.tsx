import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type KeyboardEvent, useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Providers } from '../app/providers.tsx';
import { aChannel, fakeService } from '../features/testing/fake-service.ts';
import { AppCommands } from './app-commands.tsx';
import { useAwaited } from './held-keys.ts';
import { useCommand, useRegistry } from './registry.ts';

const done: string[] = [];

/** A table with a search, and a command that comes with it. */
function View() {
  const [text, setText] = useState('');
  const [row, setRow] = useState(0);
  const found = () => document.querySelector<HTMLInputElement>('[aria-label="search"]')?.focus();
  useCommand({ id: 'find', group: 'points', words: 'Find', key: 'mod+F', reason: null, run: found });
  useCommand({ id: 'write-point', group: 'points', words: 'Write', key: 'F7', reason: null, run: () => done.push(`write ${row}`) });
  useCommand({ id: 'own', group: 'go', words: 'Own', key: 'F3', reason: null, run: () => done.push('here') });
  const onKeyDown = (event: KeyboardEvent) => event.key === 'ArrowDown' && setRow(row + 1);
  return (
    <>
      <input aria-label="search" value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <div role="tree" tabIndex={0} onKeyDown={onKeyDown}>
        {row}
      </div>
    </>
  );
}

function Coming() {
  useAwaited(true);
  return null;
}

let come: () => void;

function Bench() {
  const [isHere, setHere] = useState(false);
  come = () => setHere(true);
  return (
    <main>
      <button type="button">beside</button>
      <input aria-label="filter" />
      {isHere ? <View /> : <Coming />}
    </main>
  );
}

async function show() {
  fakeService({ listChannels: () => [aChannel()] });
  render(
    <Providers env="test">
      <AppCommands />
      <Bench />
    </Providers>,
  );
  await waitFor(() => expect(useRegistry.getState().commands.has('to-table')).toBe(true));
  return userEvent.setup();
}

/** What the keys held before led to, when the view is here and everything is given. */
async function settled(): Promise<readonly string[]> {
  act(() => come());
  await waitFor(() => {
    fireEvent.keyDown(document.body, { key: 'F3', code: 'F3' });
    expect(done).toContain('here');
  });
  return done.filter((each) => each !== 'here');
}

beforeEach(() => {
  done.length = 0;
  useRegistry.setState({ commands: new Map() });
});

describe('keys for a view that is on its way', () => {
  it('lead to its table and what is in it, in their order', async () => {
    const user = await show();
    screen.getByRole('button', { name: 'beside' }).focus();
    await user.keyboard('{F6}{ArrowDown}{ArrowDown}{F7}');
    expect(done).toEqual([]);
    act(() => come());
    await waitFor(() => expect(done).toEqual(['write 2']));
    expect(document.activeElement).toBe(screen.getByRole('tree'));
  });

  it('open its search, and the letters behind it are written there', async () => {
    const user = await show();
    await user.keyboard('{Control>}f{/Control}PCS_1');
    act(() => come());
    await waitFor(() => expect(screen.getByLabelText('search')).toHaveProperty('value', 'PCS_1'));
    await user.keyboard('2');
    expect(screen.getByLabelText('search')).toHaveProperty('value', 'PCS_12');
  });

  it.each([
    ['a click elsewhere', () => fireEvent.pointerDown(document.body)],
    ['Escape', () => fireEvent.keyDown(document.body, { key: 'Escape' })],
    ['another window', () => fireEvent.blur(window)],
  ])('are void behind %s', async (_name, act) => {
    const user = await show();
    await user.keyboard('{F6}{ArrowDown}{F7}');
    act();
    expect(await settled()).toEqual([]);
  });

  it('are void when it comes much later, and hold up no others', async () => {
    await show();
    const old = (key: string) => {
      const event = new KeyboardEvent('keydown', { key, code: key, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: -6000 });
      document.body.dispatchEvent(event);
    };
    old('F7');
    const letter = fireEvent.keyDown(document.body, { key: 'x' });
    expect(letter).toBe(true);
    old('F7');
    expect(await settled()).toEqual([]);
  });

  it('are not those of a text, of a dialog, or of what is here already', async () => {
    const user = await show();
    const own = vi.fn();
    act(() => useRegistry.setState(({ commands }) => ({ commands: new Map(commands).set('edit-points', ownCommand(own)) })));
    await user.keyboard('{F2}');
    expect(own).toHaveBeenCalledTimes(1);
    await user.click(screen.getByLabelText('filter'));
    await user.keyboard('{F7}a');
    expect(screen.getByLabelText('filter')).toHaveProperty('value', 'a');
    await user.click(document.body);
    const dialog = document.createElement('div');
    dialog.setAttribute('aria-modal', 'true');
    document.body.append(dialog);
    await user.keyboard('{F7}');
    dialog.remove();
    expect(await settled()).toEqual([]);
  });
});

const ownCommand = (run: () => void) => ({ id: 'edit-points', group: 'go' as const, words: 'Own', key: 'F2', reason: null, run });
