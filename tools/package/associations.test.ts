import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openedFile, readArguments } from '../../src-main/electron/arguments.ts';
import { inRoot } from '../lib/paths.ts';
import { DESKTOP, MIME } from './deb.ts';

interface Association {
  readonly ext: string | readonly string[];
  readonly name: string;
  readonly mimeType: string;
}
const { fileAssociations } = parse(readFileSync(inRoot('electron-builder.yml'), 'utf8')) as {
  readonly fileAssociations: readonly Association[];
};
const endings = fileAssociations.flatMap(({ ext }) => ext);

describe('files that the installers give to the program', () => {
  it('are projects and what describes a device', () => {
    expect(endings).toEqual(['loopcheck', 'scd', 'icd', 'cid']);
    // two classes of one name in the registry of Windows would be one
    expect(new Set(fileAssociations.map(({ name }) => name)).size).toBe(fileAssociations.length);
  });

  it.each(endings)('are opened by a start, and by a second one: .%s', (ending) => {
    const file = resolve(`/srv/a b.${ending}`);
    const { args, device } = readArguments(['loopcheck', file], true);
    expect([...args, device].includes(file)).toBe(true);
    expect(openedFile(['loopcheck', file], resolve('/'))?.path).toBe(file);
  });

  it('are the same on Debian, whose entry hands over one file', () => {
    expect([...MIME.matchAll(/glob pattern="\*\.(\w+)"/g)].map(([, ending]) => ending)).toEqual(endings);
    const types = fileAssociations.map(({ mimeType }) => mimeType);
    expect([...MIME.matchAll(/mime-type type="([^"]+)"/g)].map(([, type]) => type)).toEqual(types);
    expect(DESKTOP).toContain(`MimeType=${types.join(';')};`);
    expect(DESKTOP).toMatch(/^Exec=\/opt\/Loopcheck\/loopcheck %f$/m);
  });
});
