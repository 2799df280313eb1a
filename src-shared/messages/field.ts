/** What is wrong with a field of a request, whatever it is about: clauses that follow its name. */
export const FIELD_MESSAGES = {
  'field.secret': 'is missing or not valid',
  'field.empty': 'must not be empty',
  'field.characters_least': 'must have at least {{limit}} characters, not {{length}}',
  'field.characters_most': 'must have at most {{limit}} characters, not {{length}}',
  'field.entries_least': 'must have at least {{limit}} entries, not {{length}}',
  'field.entries_most': 'must have at most {{limit}} entries, not {{length}}',
  'field.least': 'must be at least {{limit}}, not {{given}}',
  'field.most': 'must be at most {{limit}}, not {{given}}',
  'field.missing': 'is missing; it must be {{expected}}',
  'field.otherwise': 'must be {{expected}}, not {{given}}',
  'field.form': 'has not the form of {{format}}: {{given}}',
  'field.invalid': 'is not valid: {{given}}',
  'field.one_of': 'one of {{values}}',
  'field.meaning': '{{values}} ({{meaning}})',
  'field.from_to': '{{type}} from {{min}} to {{max}}',
} as const;
