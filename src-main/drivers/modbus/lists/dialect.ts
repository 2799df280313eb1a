/** How people write Modbus points in lists. */
import type { ListRole } from '#shared/domain/list-mapping.ts';
import type { ListDialect } from '../../spi/lists.ts';
import { parseFunction } from './function-words.ts';
import { readOrder } from './order-words.ts';
import { surveyList } from './survey.ts';
import { parseType } from './type-words.ts';
import { parseAddress } from './written-address.ts';

const ROLES: readonly ListRole[] = ['address', 'address_check', 'address_last', 'length', 'function', 'type', 'order', 'bit', 'slave_id'];

const READS: Partial<Record<ListRole, (text: string) => boolean>> = {
  address: (text) => parseAddress(text) !== null,
  address_check: (text) => parseAddress(text) !== null,
  address_last: (text) => /^(0x)?[0-9a-f]{1,6}h?$/i.test(text),
  length: (text) => /^\d{1,3}[\sa-z()*一-龥]*$/i.test(text) && Number.parseInt(text, 10) > 0,
  function: (text) => parseFunction(text) !== null,
  type: (text) => parseType(text) !== null,
  order: (text) => readOrder(text) !== null,
  bit: (text) => /^(?:bit|位|b|d)?\s*\d{1,2}(?:\s*[-~]\s*\d{1,2})?$/i.test(text),
  slave_id: (text) => /^\d{1,3}$/.test(text) && Number(text) <= 255,
};

export const modbusLists: ListDialect = {
  roles: ROLES,
  fits: (role, text) => READS[role]?.(text),
  survey: surveyList,
};
