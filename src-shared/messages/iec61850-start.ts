/** What to change when a device of IEC 61850 does not let us associate. */
export const IEC61850_START_MESSAGES = {
  'start.try_tpdu_size': 'Try another tpdu_size (now {{size}}; 1024 suits most devices).',
  'start.selector_known': 'The device should know the selector {{selector}}; its SCL file has it as {{scl}}.',
  'start.compare_later': 'Compare {{selector}} with the device, and try again when fewer clients are connected.',
  'start.compare': 'Compare {{selector}} with the device.',
  'start.smaller': 'Try a smaller max_pdu_size (now {{size}}) and max_outstanding (now {{window}}).',
  'start.closed_transport':
    'Check that the port is the MMS service of the device; then {{selector}} and tpdu_size (now {{size}}). A device whose connections are all taken does the same.',
  'start.closed_transport_tls':
    'Check that the port is the MMS service of the device, and whether it wants TLS (tls); then {{selector}} and tpdu_size (now {{size}}). A device whose connections are all taken does the same.',
  'start.closed_association':
    'Many devices refuse like this: check {{password}}, {{session}}, {{presentation}}, AP titles and AE qualifiers (empty leaves them out), and whether all associations of the device are taken.',
  'start.silent_transport':
    'Another service may have this port; the MMS service of a device has 102, with TLS 3782. Check also {{selector}}.',
  'start.silent_association':
    'A controller that speaks S7 on port 102 does the same. Check {{session}}, {{presentation}}, AP titles and AE qualifiers.',
  'start.switch_tls': 'Switch on tls, or use the port without it.',
  'start.check_port': 'Check the port; the MMS service of a device has 102.',
  'start.title': '{{setting}} is "{{value}}"; empty leaves it out.',
  'start.qualifier': '{{setting}} is {{value}}; null leaves it out.',
  'start.check_password': 'Check {{password}}.',
  'start.check_names': 'Check {{password}}, AP titles and AE qualifiers; empty leaves them out.',
  'start.password_set': 'the password (secret association_password, set)',
  'start.password_not_set': 'the password (secret association_password, not set)',
  'start.selector_now': '{{name}} (now {{value}})',
  'start.selector_left_out': '{{name}} (left out)',
} as const;
