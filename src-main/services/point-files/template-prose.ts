import type { Cell } from './table-file.ts';

/** What the sheet of a template says about the columns, in both languages of the pages. */
export function templateProse(): { readonly header: readonly string[]; readonly rows: readonly (readonly Cell[])[] } {
  return {
    header: ['列 / Column', '说明', 'Meaning', '空单元格 / Empty cell'],
    rows: [
      ['测点编码', '通道内唯一，必填', 'Unique in its channel; needed', '—'],
      ['测点名称', '', '', '同编码 / as the code'],
      ['从机地址', 'Modbus 从机地址、104 公共地址或 12 位电表表号', 'Modbus unit id, common address of 104, or 12-digit meter number', '1'],
      [
        '寄存器地址',
        '十进制或 0x0010；104 为信息对象地址，645 为数据标识 0x02010100',
        'Decimal or 0x0010; information object address; data identifier',
        '—',
      ],
      ['功能码', '', '', '遥测 3 · 遥信 1 · 遥控 5 · 遥调 6 / 16'],
      [
        '解析码',
        '如 0x42 = float32 ABCD；字节次序见文档',
        'E.g. 0x42 is float32 ABCD; docs/protocols/modbus.md lists all',
        '0x41 · 0x20 · 0x20 · 0x41',
      ],
      ['乘系数 加系数', '值 = 原始值 × 乘系数 + 加系数', 'Value = raw × factor + offset', '1 · 0'],
      ['上限值 下限值', '0 就是零；留空表示没有限值', '0 is zero; empty is no limit', '—'],
      ['位偏移', '寄存器中的位，0 为最低位', 'Bit of the register, 0 is the lowest', '—'],
      ['是否反转', '是 或 否', '是 (yes) or 否 (no)', '否'],
      ['关联遥信编码 关联遥测编码', '反映该命令效果的测点', 'The point that shows the effect of the command', '—'],
      ['其他列', '不认识的列写入备注', 'What a column of any other name holds goes into the note', ''],
    ],
  };
}
