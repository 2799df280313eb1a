import type { LOG_MESSAGES } from '#shared/messages/logs.ts';
import type { Translation } from '../../types.ts';

export const logs: Translation<typeof LOG_MESSAGES> = {
  'log.none': '装置没有日志控制块。',
  'log.none_known': '尚无信息模型，因此也不知道日志控制块。请先读取模型。',
  'log.listed': '{{count}} 个日志控制块',
  'log.listed_some': '{{count}} 个日志控制块，另有 {{refused}} 个装置未给出',
  'log.read': '{{log}} 的 {{count}} 条日志',
  'log.read_more': '{{log}} 的 {{count}} 条日志，后续还有：用最后一条的 after_entry 和 after_time 继续读取',
  'log.read_until': '{{log}} 的 {{count}} 条日志，后续还有，但未能读到：{{reason}}',
  'log.repeats': '{{log}} 的每一页都从头开始，无法逐页读取。请用 from 和 to 给出时间范围。',
  'log.no_name': '“{{name}}”不是日志，应形如 LD/LLN0$name，与其控制块所写一致。',
  'log.time_without_entry': 'after_time 是 after_entry 所指条目的时间；按时间范围查询请给出 from 和 to。',
  'log.two_begins': '查询要么从某一时刻开始，要么从某一条目之后开始：请只给出 from 或 after_entry。',
  'log.range': 'from 晚于 to，不可能有这样的条目。',
};
