/** What the connection doctor says of the layers of IEC 61850: selectors, association, initiate, model. */
import type { SentenceTemplate } from './sentence.ts';

export const IEC61850_DOCTOR_MESSAGES = {
  // selectors: transport (COTP), session, presentation
  SELECTORS_ACCEPTED: { text: 'The device accepted the selectors.' },
  SELECTORS_TRANSPORT: {
    text: 'The device accepted the transport connection (TSEL {{tsel}}). SSEL and PSEL show with the association.',
  },
  COTP_REFUSED: {
    text: 'The device refused the transport connection: {{detail}}.',
    next: 'Compare remote_transport_selector ({{tsel}}) with OSI-TSEL in the SCL file of the device.',
  },
  COTP_SIZE: {
    text: 'The device refused the transport connection: {{detail}}.',
    next: 'Try another tpdu_size (now {{size}}); 1024 suits most devices.',
  },
  COTP_CLOSED: {
    text: 'The device closed the connection upon the request for a transport connection.',
    next: 'Check that the port is its MMS service (102, with TLS 3782) and whether it wants TLS, then remote_transport_selector ({{tsel}}). A device whose connections are all taken does the same.',
  },
  COTP_SILENT: {
    text: 'The connection stands, and the request for a transport connection was left without an answer.',
    next: 'Another service may have this port; the MMS service of a device has 102, with TLS 3782. Check also remote_transport_selector ({{tsel}}).',
  },
  SPEAKS_OTHER: {
    text: 'The device speaks {{found}} on this port, not MMS.',
    next: 'Check the port; the MMS service of a device has 102, with TLS 3782.',
  },
  SPEAKS_TLS: { text: 'The device speaks TLS on this port.', next: 'Switch on tls, or use the port without it (102).' },
  SSEL_REFUSED: {
    text: 'The device refused the session: {{detail}}.',
    next: 'Compare remote_session_selector ({{ssel}}) with OSI-SSEL in the SCL file of the device; try again when fewer clients are connected.',
  },
  PSEL_REFUSED: {
    text: 'The device refused the presentation: {{detail}}.',
    next: 'Compare remote_presentation_selector ({{psel}}) with OSI-PSEL in the SCL file of the device.',
  },
  SELECTORS_PROVED: {
    text: 'The device refuses the selectors TSEL {{tsel}}, SSEL {{ssel}}, PSEL {{psel}} and accepted an association without them.',
    next: 'Empty remote_transport_selector, remote_session_selector and remote_presentation_selector, or take those of the SCL file.',
  },
  // association: ACSE
  ASSOCIATION_ACCEPTED: { text: 'The device accepted the association after {{ms}} ms.' },
  ASSOCIATION_STANDS: { text: 'The channel is running; the association stands.' },
  ASSOCIATION_REFUSED: {
    text: 'The device refused the association: {{detail}}.',
    next: 'Check the password (secret association_password, now {{password}}), AP titles and AE qualifiers; empty leaves them out.',
  },
  ASSOCIATION_CLOSED: {
    text: 'The device closed the connection upon the association request, without a reason.',
    next: 'Many devices refuse like this: check the password (secret association_password, now {{password}}), SSEL {{ssel}}, PSEL {{psel}}, and whether all associations of the device are taken.',
  },
  ASSOCIATION_SILENT: {
    text: 'The device left the association request without an answer.',
    next: 'A controller that speaks S7 on port 102 does the same. Check SSEL {{ssel}}, PSEL {{psel}}, AP titles and AE qualifiers.',
  },
  ASSOCIATION_TITLES_PROVED: {
    text: 'The device refuses the association with AP titles and AE qualifiers, and accepted it without them.',
    next: 'Empty remote_ap_title, local_ap_title, remote_ae_qualifier and local_ae_qualifier.',
  },
  // initiate: MMS
  INITIATE_GOOD: { text: 'MMS was agreed on: PDUs of {{pdu}} octets, {{window}} outstanding requests.' },
  INITIATE_SMALL: {
    text: 'MMS was agreed on with small PDUs: {{pdu}} octets, {{window}} outstanding requests.',
    next: 'Long answers are read in parts, which takes time. Where max_pdu_size of the channel is the limit, raise it (now {{size}}).',
  },
  INITIATE_REFUSED: {
    text: 'The device refused MMS: {{detail}}.',
    next: 'Try a smaller max_pdu_size (now {{size}}) and max_outstanding (now {{window}}).',
  },
  // model: what the device says about itself
  MODEL_SEEN: { text: 'The device has {{count}} logical devices: {{names}}.' },
  MODEL_LEARNT: { text: 'The model was learnt: {{count}} logical devices, {{attributes}} attributes.' },
  MODEL_NONE: {
    text: 'The device names no logical device.',
    next: 'It serves no model yet: load its configuration, and check that the right access point is connected.',
  },
  MODEL_MISSING: {
    text: 'Points of the table name logical devices that the device has not: {{missing}}. It has {{names}}.',
    next: 'Correct the references of these points, or check that this is the right device; ied_name chooses another one of the SCL file.',
  },
  MODEL_REFUSED: {
    text: 'The device does not list its logical devices: {{detail}}',
    next: 'Give the channel the SCL file of the device and switch learn_model off; reads may work all the same.',
  },
  MODEL_SILENT: {
    text: 'The association stands, and the device left the question for its logical devices without an answer: {{ms}} ms.',
    next: 'Raise timeout_ms of the channel. A device that stays silent may be starting or overloaded; try again with max_outstanding 1.',
  },
  IDENTITY_SEEN: { text: 'It says that it is {{vendor}} {{model}} {{revision}}.' },
  IDENTITY_NONE: { text: 'It does not say its vendor and model (Identify): {{detail}}' },
} as const satisfies Record<string, SentenceTemplate>;
