import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepFocusPlaces } from './focus-return.ts';

/** The observer tells after the step that changed the page. */
const told = () => new Promise<void>((resolve) => queueMicrotask(resolve));

function made(html: string): HTMLElement {
  const box = document.createElement('div');
  box.innerHTML = html;
  return box.firstElementChild as HTMLElement;
}

const dialog = (name: string) => made(`<div><section role="dialog" aria-modal="true"><button id="${name}">x</button></section></div>`);
const focus = (id: string) => document.getElementById(id)?.focus();

/** What waits for the next frame. */
const frames: (() => void)[] = [];
function drawn(): void {
  for (const next of frames.splice(0)) next();
}

let end: () => void = () => undefined;
let portal: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (next: () => void) => frames.push(next));
  document.body.innerHTML = '<main><table id="grid" tabindex="0"></table><button id="other">o</button></main>';
  end = keepFocusPlaces();
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

async function cover(node: HTMLElement, inside: string): Promise<HTMLElement> {
  if (!portal?.isConnected) {
    portal = made('<div data-portal="true"></div>');
    document.body.append(portal);
    await told();
  }
  portal.append(node);
  await told();
  focus(inside);
  return node;
}

describe('the keyboard after what lay over the page', () => {
  it('is where it was before a dialog', async () => {
    focus('grid');
    const node = await cover(dialog('yes'), 'yes');
    node.remove();
    await told();
    expect(document.activeElement?.id).toBe('grid');
  });

  it('is in the dialog below while one is left, and then on the page', async () => {
    focus('grid');
    const below = await cover(dialog('first'), 'first');
    const above = await cover(dialog('second'), 'second');
    above.remove();
    await told();
    expect(document.activeElement?.id).toBe('first');
    below.remove();
    await told();
    expect(document.activeElement?.id).toBe('grid');
  });

  it('is in the dialog that is left, though it never had it, and not in the page below', async () => {
    focus('grid');
    const below = (await cover(dialog('first'), 'none')).querySelector('section') as HTMLElement;
    below.tabIndex = -1;
    const menu = await cover(made('<div role="menu"><button id="item">i</button></div>'), 'item');
    menu.remove();
    await told();
    expect(document.activeElement).toBe(below);
  });

  it('stays in a dialog whose step goes with the button that was pressed', async () => {
    focus('grid');
    await cover(dialog('next'), 'next');
    const next = document.getElementById('next') as HTMLElement;
    const frame = next.closest('section') as HTMLElement;
    frame.tabIndex = -1;
    fireEvent.focusOut(next);
    next.remove();
    frame.append(made('<button id="later">l</button>'));
    drawn();
    expect(document.activeElement).toBe(frame);
  });

  it('is where the next step of a dialog puts it', async () => {
    focus('grid');
    await cover(dialog('next'), 'next');
    const next = document.getElementById('next') as HTMLElement;
    const frame = next.closest('section') as HTMLElement;
    fireEvent.focusOut(next);
    next.remove();
    frame.append(made('<button id="later">l</button>'));
    focus('later');
    drawn();
    expect(document.activeElement?.id).toBe('later');
  });

  it('passes over what has gone or cannot be used any more', async () => {
    focus('grid');
    focus('other');
    const node = await cover(dialog('yes'), 'yes');
    (document.getElementById('other') as HTMLButtonElement).disabled = true;
    node.remove();
    await told();
    expect(document.activeElement?.id).toBe('grid');
  });

  it('stays where something else has put it', async () => {
    focus('grid');
    const node = await cover(dialog('yes'), 'yes');
    focus('other');
    node.remove();
    await told();
    expect(document.activeElement?.id).toBe('other');
  });

  it('stays away when something else goes: a notification takes nothing', async () => {
    focus('grid');
    const note = await cover(made('<div role="alert">done</div>'), 'none');
    document.getElementById('grid')?.blur();
    note.remove();
    await told();
    expect(document.activeElement).toBe(document.body);
  });

  it('is nobody’s care after the end', async () => {
    focus('grid');
    const node = await cover(dialog('yes'), 'yes');
    end();
    node.remove();
    await told();
    expect(document.activeElement).toBe(document.body);
  });
});
