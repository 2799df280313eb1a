/** The pictures of the program, all made of one drawing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { inRoot } from './paths.ts';

const FOLDER = 'resources/icons';
/** Sides in pixels that Linux desktops look for. */
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
/** Sides within the picture of the Windows program. */
const WINDOWS_SIZES = [16, 24, 32, 48, 64, 128, 256];

let ready: Promise<void> | null = null;

/** Draws all pictures; names below `resources/icons` with their octets. The same drawing gives the same octets on every system. */
export async function drawIcons(): Promise<ReadonlyMap<string, Uint8Array>> {
  ready ??= initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  await ready;
  const drawing = readFileSync(inRoot(FOLDER, 'icon.svg'), 'utf8');
  const draw = (side: number) => new Resvg(drawing, { fitTo: { mode: 'width', value: side } }).render().asPng();
  const pictures = new Map(SIZES.map((side) => [side, draw(side)]));
  const pngs = [...pictures].map(([side, octets]): [string, Uint8Array] => [`${side}x${side}.png`, octets]);
  const windows = WINDOWS_SIZES.map((side) => ({ side, octets: pictures.get(side) ?? draw(side) }));
  return new Map([...pngs, ['icon.png', pictures.get(512) ?? draw(512)], ['icon.ico', icoOf(windows)]]);
}

/** Puts PNG pictures together as an ICO file: a head of 6 octets, 16 octets for each picture, then the pictures (Windows Vista and newer). */
function icoOf(pictures: readonly { readonly side: number; readonly octets: Uint8Array }[]): Uint8Array {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = head.length;
  for (const [index, { side, octets }] of pictures.entries()) {
    const at = 6 + 16 * index;
    // 0 stands for 256
    head.writeUInt8(side % 256, at);
    head.writeUInt8(side % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(octets.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += octets.length;
  }
  return Buffer.concat([head, ...pictures.map(({ octets }) => octets)]);
}

/** Writes them beside the drawing. */
export async function writeIcons(): Promise<void> {
  for (const [name, octets] of await drawIcons()) writeFileSync(inRoot(FOLDER, name), octets);
}
