/** What the doors of the service say of a request that cannot be taken. */
export const HTTP_MESSAGES = {
  'http.internal': 'The service met an internal fault; its log has the details under request {{request}}.',
  'http.body_too_large': 'The body is larger than this operation takes; send it in smaller parts.',
  'http.file_too_large': 'The file is larger than this operation takes.',
  'http.too_many_parts': 'The form has more parts than the one file this operation takes.',
  'http.too_many_files': 'The form has more files than the one this operation takes.',
  'http.too_many_fields': 'The form has more fields than the one file this operation takes.',
  'http.field_name': 'A field of the form has a name that no field can have.',
  'http.form_broken': 'The form with the file broke off before its end.',
  'http.media_type': 'The body has to be JSON, with the header Content-Type: application/json.',
  'http.body_short': 'The body ended before the length that its Content-Length header announced.',
  'http.path_outside': 'The path leads out of the pages; /docs lists what there is.',
  'http.bad_url': 'The path is not a valid URL: a percent sign has to begin a two-digit code.',
  'http.headers_too_large': 'The header fields are larger than 16 KiB.',
  'http.request_slow': 'The request did not arrive whole within its time.',
  'http.no_request': 'The octets received are no HTTP request.',
} as const;
