/** What IEC 61850 says: associations, services, the model. */
export const IEC61850_MESSAGES = {
  'iec61850.learning_cut': 'The connection ended before the model was learnt.',
} as const;
