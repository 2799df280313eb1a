import type { SERVICE_MESSAGES } from '#shared/messages/service.ts';
import type { Translation } from '../../types.ts';

export const service: Translation<typeof SERVICE_MESSAGES> = {
  'service.stage': '{{stage}}：{{detail}}',
  'service.refused_wordless': '设备拒绝了命令，未说明原因。',
  'service.read_back': '回读值 {{value}}',
  'service.read_back_marked': '回读值 {{value}}，品质 {{quality}}',
  'service.value_refused': '设备拒绝了该值：{{detail}}',
  'service.value_open': '值已下发，设备未确认，是否生效未知；请先读取该点再决定是否重发。',
  'service.value_open_because': '值已下发，设备未确认（{{reason}}），是否生效未知；请先读取该点再决定是否重发。',
  'service.quality_good': '良好',
  'service.quality_stale': '陈旧',
  'service.quality_invalid': '无效',
  'service.quality_never': '未读',
};
