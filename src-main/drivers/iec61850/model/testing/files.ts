/** SCL files of the tests. */
import { readFileSync } from 'node:fs';
import { readSclDevice, type SclDevice } from '../scl/device.ts';
import { openScl } from '../scl/file.ts';

/** Text of a file beside this one: `bay.cid`, `relay-ed1.icd`, `station-ed21.scd`. */
export function sclText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** A device of such a file. */
export function sclDevice(name: string, ied = ''): SclDevice {
  return readSclDevice(openScl(name, sclText(name)), ied);
}
