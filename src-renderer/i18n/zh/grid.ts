import type { grid as en } from '../en/grid.ts';
import type { Translation } from '../types.ts';

export const grid: Translation<typeof en> = {
  menu: '可用操作',
  columns: '列',
  reset: '恢复默认列',
  sortBy: '按{{column}}排序',
  sort: '按此列排序',
  moveLeft: '左移',
  moveRight: '右移',
  pin: '固定在左侧',
  unpin: '取消固定',
  hide: '隐藏{{column}}',
  resize: '拖动调整列宽，双击恢复',
  editCell: '编辑{{column}}',
  copyHeader: '复制行（含列名）',
  copyPlain: '复制行（不含列名）',
  selectAll: '选择全部行',
  copied_other: '已复制 {{count}} 行。',
  copyFailed: '无法使用剪贴板。',
  notStored: '{{column}}：“{{text}}”未保存。{{problem}}',
  notNumber: '需要输入数字。',
  notEmpty: '需要输入文字。',
  change: '更改数值',
  why: {
    none: '请先选择行。',
    fixed: '此列位置固定。',
    edge: '该侧没有位置。',
    last: '至少保留一列。',
  },
};
