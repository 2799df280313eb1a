import { posix, win32 } from 'node:path';
import { UPDATE_FILE } from '#shared/contract/updates.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';

const ADDRESS = /^https?:\/\//i;

export function isAddress(place: string): boolean {
  return ADDRESS.test(place);
}

/** The place as it is kept: an absolute path, an address, or nothing. Throws a 422 about `update_place`. */
export function checkPlace(given: string): string {
  const place = given.trim();
  if (place === '') return '';
  const isRight = isAddress(place) ? isPlainAddress(place) : paths().isAbsolute(place);
  if (!isRight) throw invalidField('update_place', say('update.place'));
  return place;
}

function isPlainAddress(place: string): boolean {
  if (!URL.canParse(place)) return false;
  const { username, password, search, hash } = new URL(place);
  return username === '' && password === '' && search === '' && hash === '';
}

function paths() {
  return process.platform === 'win32' ? win32 : posix;
}

/** The notice of a place: the place itself where it names a file of JSON, else the file of its usual name in it. */
export function noticeAt(place: string): string {
  if (/\.json$/i.test(place)) return place;
  if (isAddress(place)) return `${place.replace(/\/+$/, '')}/${UPDATE_FILE}`;
  return paths().join(place, UPDATE_FILE);
}

/** Where a file beside the notice lies. */
export function besideNotice(notice: string, name: string): string {
  return isAddress(notice) ? new URL(name, notice).href : paths().join(paths().dirname(notice), name);
}
