/** What is wrong with PDUs of MMS. */
export const MMS_MESSAGES = {
  'mms.behind_pdu': '{{count}} octets stand behind the PDU.',
  'mms.error_without_error': 'An error PDU holds no error.',
  'mms.no_reject_reason': 'Element {{tag}} is no reason of a reject.',
  'mms.no_object_name': 'Element {{tag}} is no object name.',
  'mms.no_selection': 'Element {{tag}} selects nothing in an alternate access.',
  'mms.no_scope': 'Element {{tag}} is no scope of a name list.',
  'mms.answer_without_type': 'An answer about the type of a variable holds none.',
  'mms.answer_without_results': 'An answer to Read holds no results.',
  'mms.no_journal_limit': 'Element {{tag}} is no limit of a journal.',
  'mms.entry_without_content': 'The entry of a journal has no content.',
  'mms.no_write_result': 'Element {{tag}} is no result of Write.',
  'mms.no_error_class': 'Element {{tag}} is no class of an error.',
  'mms.type_without_components': 'A structure type has no list of components.',
  'mms.rejected_any': 'The device rejected a PDU without saying which: {{reason}}.',
  'mms.useless': 'A PDU of MMS came that a client has no use for: {{kind}}.',
} as const;
