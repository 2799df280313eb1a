/** What to change when a device does not let us associate: the layer that refused, and the settings that mean something to it. */
import { AppError } from '#shared/domain/errors.ts';
import { type AssociationRefusal, associationRefusal, type RefusalKind } from './osi/refusals.ts';
import type { Iec61850Settings } from './settings.ts';

export interface StartFacts {
  readonly settings: Iec61850Settings;
  /** Whether the secret `association_password` is set. */
  readonly hasPassword: boolean;
}

/** Diagnostics of ACSE about names and passwords (ITU-T X.227, 9.2). */
const ACSE = { callingTitle: 3, callingQualifier: 5, calledTitle: 7, calledQualifier: 9, firstOfPassword: 11, lastOfPassword: 14 } as const;
const UNKNOWN_SESSION_SELECTOR: readonly number[] = [129, 130];
const UNKNOWN_PRESENTATION_SELECTOR: readonly number[] = [3, 7];
const NEGOTIATION_FAILED = 130;

/**
 * The error of a start with its next step as further sentences; errors that are not about the association come back as they are. Data is
 * what the answer of the API has: `{kind, detail}` of a refusal, nothing for a silence.
 */
export function startError(error: AppError, facts: StartFacts): AppError {
  const refusal = associationRefusal(error);
  if (!refusal) return error;
  const { kind, detail } = refusal;
  const isSilence = error.code.startsWith('TIMEOUT_');
  return new AppError(error.code, `${error.message} ${ADVICE[kind](refusal, facts)}`, {
    cause: error,
    ...(isSilence ? {} : { data: { kind, detail } }),
  });
}

/** True for the reason by which a transport refuses what it was to negotiate. */
export function isSizeRefusal(reason: number | undefined): boolean {
  return reason === NEGOTIATION_FAILED;
}

const ADVICE: Readonly<Record<RefusalKind, (refusal: AssociationRefusal, facts: StartFacts) => string>> = {
  transport: ({ reason }, { settings }) =>
    isSizeRefusal(reason)
      ? `Try another tpdu_size (now ${settings.tpdu_size}; 1024 suits most devices).`
      : `The device should know the selector ${named(settings, 'remote_transport_selector')}; its SCL file has it as OSI-TSEL.`,
  session: ({ reason = -1 }, { settings }) =>
    UNKNOWN_SESSION_SELECTOR.includes(reason)
      ? `The device should know the selector ${named(settings, 'remote_session_selector')}; its SCL file has it as OSI-SSEL.`
      : `Compare ${named(settings, 'remote_session_selector')} with the device, and try again when fewer clients are connected.`,
  presentation: ({ reason = -1 }, { settings }) =>
    UNKNOWN_PRESENTATION_SELECTOR.includes(reason)
      ? `The device should know the selector ${named(settings, 'remote_presentation_selector')}; its SCL file has it as OSI-PSEL.`
      : `Compare ${named(settings, 'remote_presentation_selector')} with the device.`,
  acse: ({ reason = -1 }, facts) => acseAdvice(reason, facts),
  mms: (_, { settings }) =>
    `Try a smaller max_pdu_size (now ${settings.max_pdu_size}) and max_outstanding (now ${settings.max_outstanding}).`,
  'closed-at-transport': (_, { settings }) =>
    `Check that the port is the MMS service of the device${settings.tls ? '' : ', and whether it wants TLS (tls)'}; ` +
    `then ${named(settings, 'remote_transport_selector')} and tpdu_size (now ${settings.tpdu_size}). ` +
    'A device whose connections are all taken does the same.',
  'closed-at-association': (_, facts) =>
    `Many devices refuse like this: check ${passwordWords(facts)}, ${named(facts.settings, 'remote_session_selector')}, ` +
    `${named(facts.settings, 'remote_presentation_selector')}, AP titles and AE qualifiers (empty leaves them out), and whether all ` +
    'associations of the device are taken.',
  'silent-at-transport': (_, { settings }) =>
    `Another service may have this port; the MMS service of a device has 102, with TLS 3782. Check also ${named(settings, 'remote_transport_selector')}.`,
  'silent-at-association': (_, { settings }) =>
    `A controller that speaks S7 on port 102 does the same. Check ${named(settings, 'remote_session_selector')}, ` +
    `${named(settings, 'remote_presentation_selector')}, AP titles and AE qualifiers.`,
  foreign: ({ detail }, { settings }) =>
    detail === 'TLS' && !settings.tls
      ? 'Switch on tls, or use the port without it.'
      : 'Check the port; the MMS service of a device has 102.',
};

function acseAdvice(diagnostic: number, facts: StartFacts): string {
  const { settings } = facts;
  const title = (side: 'remote' | 'local') => `${side}_ap_title is "${settings[`${side}_ap_title`]}"; empty leaves it out.`;
  const qualifier = (side: 'remote' | 'local') => `${side}_ae_qualifier is ${settings[`${side}_ae_qualifier`]}; null leaves it out.`;
  if (diagnostic === ACSE.callingTitle) return title('local');
  if (diagnostic === ACSE.calledTitle) return title('remote');
  if (diagnostic === ACSE.callingQualifier) return qualifier('local');
  if (diagnostic === ACSE.calledQualifier) return qualifier('remote');
  if (diagnostic >= ACSE.firstOfPassword && diagnostic <= ACSE.lastOfPassword) return `Check ${passwordWords(facts)}.`;
  return `Check ${passwordWords(facts)}, AP titles and AE qualifiers; empty leaves them out.`;
}

function passwordWords({ hasPassword }: StartFacts): string {
  return `the password (secret association_password, ${hasPassword ? 'set' : 'not set'})`;
}

function named(settings: Iec61850Settings, name: `remote_${'transport' | 'session' | 'presentation'}_selector`): string {
  return `${name} (${settings[name] === '' ? 'left out' : `now ${settings[name]}`})`;
}
