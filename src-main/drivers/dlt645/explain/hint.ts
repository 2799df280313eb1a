/** What is known of a data identifier while somebody writes it: name, format, unit; and what was probably meant where nothing is known. */
import { say } from '#shared/messages/index.ts';
import { type Message, names } from '#shared/messages/message.ts';
import type { AddressSuggestion, FoundItem, PointHint } from '../../spi/index.ts';
import type { Edition } from '../codec/control.ts';
import { type DataItem, diText, findItem, searchItems } from '../dictionary/dictionary.ts';
import { editionOfPoint } from '../meter-point.ts';

/** The hint of an identifier in the edition of a point. */
export function hintOfIdentifier(address: number, protocol: Readonly<Record<string, unknown>>): PointHint {
  const edition = editionOfPoint({ protocol });
  const isTooLong = edition === 1997 && address > 0xffff;
  const item = isTooLong ? null : findItem(edition, address);
  const addressText = diText(address, isTooLong ? 2007 : edition);
  if (!item) return { addressText, item: null, suggestion: suggestionFor(address, edition), advice: adviceFor(address, edition) };
  const { nameEn, nameZh, formatText: format, unit, isWritable } = item;
  return { addressText, item: { nameEn, nameZh, format, unit, isWritable }, suggestion: null, advice: null };
}

/** The identifiers of the edition of a point that a search finds. */
export function findIdentifiers(search: string, protocol: Readonly<Record<string, unknown>>, limit: number): readonly FoundItem[] {
  const edition = editionOfPoint({ protocol });
  return searchItems(edition, search, limit).map(({ di, nameEn, nameZh, formatText, unit, isWritable }) => ({
    address: di,
    addressText: diText(di, edition),
    nameEn,
    nameZh,
    format: formatText,
    unit,
    isWritable,
  }));
}

/** What to do about an identifier that the dictionary of an edition does not have; a clause. */
export function adviceFor(address: number, edition: Edition): Message {
  const suggestion = suggestionFor(address, edition);
  const unknown = (advice: Message) => say('point.dlt645_unknown', { di: diText(address, edition), edition, advice });
  const format = say('point.dlt645_format_needed');
  if (!suggestion) return unknown(format);
  const { address: meant, protocol, nameEn, nameZh } = suggestion;
  const name = names(nameEn, nameZh);
  if (meant === address) return unknown(say('point.dlt645_edition_has', { other: String(protocol.edition), name }));
  return unknown(say('point.dlt645_hexadecimal', { di: diText(meant, edition), name, format }));
}

/** The same identifier in the other edition, or the digits as hexadecimal ones: 02010100 without 0x is a decimal number. */
function suggestionFor(address: number, edition: Edition): AddressSuggestion | null {
  const other: Edition = edition === 2007 ? 1997 : 2007;
  const elsewhere = other === 1997 && address > 0xffff ? null : findItem(other, address);
  if (elsewhere) return suggestion(elsewhere, address, other);
  const digits = String(address).padStart(edition === 2007 ? 8 : 4, '0');
  const meant = Number.parseInt(digits, 16);
  const item = digits.length === (edition === 2007 ? 8 : 4) ? findItem(edition, meant) : null;
  return item ? suggestion(item, meant, edition) : null;
}

function suggestion({ nameEn, nameZh }: DataItem, address: number, edition: Edition): AddressSuggestion {
  return { address, protocol: { edition }, nameEn, nameZh };
}
