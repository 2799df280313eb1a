/** What the program around the service says: its start, its project, its window, its threads. */
export const APP_MESSAGES = {
  'app.port_taken': 'Port {{port}} of {{host}} is taken by {{holder}}. Use --port 0 for a free one, or another --port.',
  'app.another_loopcheck': 'another Loopcheck',
  'app.another_loopcheck_process': 'another Loopcheck (process {{pid}})',
  'app.another_program': 'another program',
  'app.program_process': '{{program}} (process {{pid}})',
  'app.data_folder':
    'The data folder {{folder}} cannot be made or written to ({{reason}}). Give the user that runs Loopcheck write permission there, or name another folder with --data.',
  'app.port_forbidden': 'The system does not allow port {{port}}; use one above 1023, e.g. --port 8991.',
  'app.not_our_address': '{{host}} is no address of this computer; use --host 127.0.0.1.',
  'app.demo_no_port': 'There is no free port on 127.0.0.1 for the demo plant.',
  'app.document_needs_time': '{{name}} needs more than {{seconds}} s to be looked at; a file of fewer devices is needed.',
  'app.document_needs_memory': '{{name}} needs more than {{megabytes}} MB of memory to be looked at; a file of fewer devices is needed.',
  'app.stopping': 'The service is stopping; its project is closed.',
  'app.project_opening': 'Another project is being opened; ask again in a moment.',
  'app.goes_to_sleep': 'The computer goes to sleep; the connection is opened anew after it.',
  'app.was_asleep': 'The computer was asleep; the connection is opened anew.',
  'app.start_file_wrong':
    '{{file}} is not as Loopcheck wrote it; it holds {"port": 1 to 65535, "token": text or null, "updates": text}. Correct it, or delete it to start with the defaults.',
  'app.start_file_unreadable': '{{file}} cannot be read ({{reason}}); make it readable, or delete it to start with the defaults.',
  'app.access_file_wrong':
    '{{file}} is not as Loopcheck wrote it, so it is not known who may do what. Bring it back from a copy, or delete it to start without accesses and make them anew.',
  'app.access_file_unreadable':
    '{{file}} cannot be read ({{reason}}), so it is not known who may do what; make it readable, or delete it to start without accesses.',
  'app.tls_missing':
    'There is no {{file}}. A certificate and its key belong together: name both, or delete the one that is left to have new ones made.',
  'app.tls_unreadable': '{{file}} cannot be read ({{reason}}); make it readable for the user that runs Loopcheck.',
  'app.tls_wrong':
    'Certificate and key ({{cert}}, {{key}}) cannot be read as PEM without a passphrase. Bring them back, or delete both to have new ones made; everybody then has to compare the fingerprint again.',
  'app.tls_other_key': 'The key {{key}} does not belong to the certificate {{cert}}; name the two that were made together.',
  'app.window_no_request': 'The window sent no request of the API.',
  'app.window_no_menu': 'The window sent no menu.',
  'app.window_only': 'Only the pages of the Loopcheck window may use the API over this way.',
  'app.held': 'Not sent: it was written down as a request.',
  'app.service_silent': 'The service does not answer.',
  'app.bridge_missing': 'The window cannot reach its service; restart Loopcheck.',
  'app.file_gone': 'The file cannot be read any more; it may have been moved or be open in another program.',
  'app.given_no_file': '{{path}} is no file that can be opened.',
  'app.given_elsewhere':
    '{{path}} lies on another computer. A second start opens files of this computer alone: open it in the window (a project by File → Open project), or copy it here first.',
  'app.given_unreadable': '{{path}} cannot be read ({{reason}}); check that it is there and may be read by you.',
  'app.thread_no_answer': 'A thread ended without its answer.',
} as const;
