/** Access rights as lists write them. */
import type { ListAccess } from '../../../drivers/spi/index.ts';

const READ = /^(r|ro|rd|read|read[ -]?only|readonly|只读|读|可读|ro\/r|r only)$/;
const WRITE = /^(w|wo|write|write[ -]?only|writeonly|只写|写|可写|w only)$/;
const BOTH =
  /^(r\W?w|w\W?r|rw[a-z]?|r ?(\/|&|,|\+|and) ?w[a-z]?|read ?(\/|&|,|\+|and|-)? ?write|readwrite|write ?\/ ?read|读写|读\W写|可读可?写|可读\W可?写|读取\W?写入|写读)$/;

const YES = /^(y|yes|true|1|x|是|√)$/;
const NO = /^(n|no|false|0|否|×)$/;

/** Reads a cell of access rights; null for what says none. Under a header like `Writable` or `Read only` it may be yes or no. */
export function parseAccess(text: string, header = ''): ListAccess | null {
  const word = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[()[\]*]/g, '')
    .replace(/\s+/g, ' ');
  if (BOTH.test(word)) return { isRead: true, isWritten: true };
  if (READ.test(word)) return { isRead: true, isWritten: false };
  if (WRITE.test(word)) return { isRead: false, isWritten: true };
  const isReadOnly = /read.?only|只读/i.test(header);
  if (!isReadOnly && !/writ|可写|可修改/i.test(header)) return null;
  if (YES.test(word)) return { isRead: true, isWritten: !isReadOnly };
  return NO.test(word) ? { isRead: true, isWritten: isReadOnly } : null;
}
