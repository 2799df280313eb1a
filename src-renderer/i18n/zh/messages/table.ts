import type { TABLE_MESSAGES } from '#shared/messages/table.ts';
import type { Translation } from '../../types.ts';

export const table: Translation<typeof TABLE_MESSAGES> = {
  'table.same_as': '（即 {{code}}）',
  'table.text': '“{{text}}”',
  'table.no_text_there': '空',
  'table.end_missing': '文件尾部缺失',
  'table.directory_damaged': '文件目录已损坏',
  'table.size_missing': '文件的一部分没有注明大小',
  'table.part_missing': '缺少工作簿必有的部分，请用电子表格程序打开后重新保存',
  'table.part_damaged': '文件的一部分已损坏，请用电子表格程序打开后重新保存',
  'table.cell_outside': '有单元格超出工作表的范围',
  'table.web_page': '它是以工作簿为名的网页或 XML',
  'table.no_text': '它既不是工作簿，也不是文本',
  'table.quote_open': '引号没有闭合',
  'table.quote_inside': '字段内含单个引号，应写成两个',
};
