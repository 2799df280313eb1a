/** What the operations of the service say. */
export const SERVICE_MESSAGES = {
  'service.stage': '{{stage}}: {{detail}}',
  'service.refused_wordless': 'The device refused the command and did not say why.',
  'service.read_back': 'read back {{value}}',
  'service.read_back_marked': 'read back {{value}}, marked {{quality}}',
  'service.value_refused': 'The device refused the value: {{detail}}',
  'service.value_open': 'The value was sent and the device did not confirm it; whether it took effect is not known.',
  'service.value_open_because': 'The value was sent and the device did not confirm it ({{reason}}); whether it took effect is not known.',
  'service.quality_good': 'good',
  'service.quality_stale': 'stale',
  'service.quality_invalid': 'invalid',
  'service.quality_never': 'never',
} as const;
