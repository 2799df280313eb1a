/** What stands in the reasons of a point table that cannot be taken. */
export const TABLE_MESSAGES = {
  'table.same_as': ', which is {{code}}',
  'table.text': '"{{text}}"',
  'table.no_text_there': 'empty',
  'table.end_missing': 'its end is missing',
  'table.directory_damaged': 'its directory is damaged',
  'table.size_missing': 'a part of it does not say its size',
  'table.part_missing': 'a part that every workbook has is missing; open it in a spreadsheet program and save it anew',
  'table.part_damaged': 'a part of it is damaged; open it in a spreadsheet program and save it anew',
  'table.cell_outside': 'a cell stands outside the bounds of a sheet',
  'table.web_page': 'it is a web page or XML under the name of a workbook',
  'table.no_text': 'it is neither a workbook nor text',
  'table.quote_open': 'a quote is opened and not closed',
  'table.quote_inside': 'a quote stands within a field; it should be written twice',
} as const;
