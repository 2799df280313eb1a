import { expect, type Page } from '@playwright/test';

/** Most presses of a key on the way to one place. */
const MOST_PRESSES = 60;

/**
 * Somebody without a mouse. A step is one thing they do: a key, a text, or a way with one key (Tab, an arrow) to a place. Strokes are the keys
 * that are pressed for it, without the letters of texts.
 */
export class Keyboard {
  steps = 0;
  strokes = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses a key, `times` in a row. */
  async press(key: string, times = 1): Promise<void> {
    this.steps += 1;
    this.strokes += times;
    for (let time = 0; time < times; time++) await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.steps += 1;
    await this.#page.keyboard.type(text);
  }

  /** Presses a key until what this selector finds has the focus. */
  async to(selector: string, key = 'Tab'): Promise<void> {
    this.steps += 1;
    for (let presses = 0; presses < MOST_PRESSES; presses++) {
      if (await this.#page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`)) return;
      this.strokes += 1;
      await this.#page.keyboard.press(key);
    }
    throw new Error(`${MOST_PRESSES} presses of ${key} did not lead to ${selector}`);
  }

  /** A command, channel or point by the palette: its key, some words, Enter. */
  async palette(words: string): Promise<void> {
    const search = this.#page.getByPlaceholder('Search commands and channels');
    await this.press('Control+k');
    await expect(search).toBeFocused();
    await this.type(words);
    // Enter takes the marked one, and until one is marked none
    await this.#page.locator('.mantine-Spotlight-action[data-selected]').waitFor();
    await this.press('Enter');
    await expect(search).toBeHidden();
  }
}
