/** What to change when a device does not let us associate: the layer that refused, and the settings that mean something to it. */
import { FOREIGN_PROTOCOLS } from '#shared/domain/doctor.ts';
import { AppError } from '#shared/domain/errors.ts';
import { say, together } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';
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
  return new AppError(error.code, together(error.said, ADVICE[kind](refusal, facts)), {
    cause: error,
    ...(isSilence ? {} : { data: { kind, detail } }),
  });
}

/** True for the reason by which a transport refuses what it was to negotiate. */
export function isSizeRefusal(reason: number | undefined): boolean {
  return reason === NEGOTIATION_FAILED;
}

const ADVICE: Readonly<Record<RefusalKind, (refusal: AssociationRefusal, facts: StartFacts) => Message>> = {
  transport: ({ reason }, { settings }) =>
    isSizeRefusal(reason)
      ? say('start.try_tpdu_size', { size: settings.tpdu_size })
      : say('start.selector_known', { selector: named(settings, 'remote_transport_selector'), scl: 'OSI-TSEL' }),
  session: ({ reason = -1 }, { settings }) => {
    const selector = named(settings, 'remote_session_selector');
    return UNKNOWN_SESSION_SELECTOR.includes(reason)
      ? say('start.selector_known', { selector, scl: 'OSI-SSEL' })
      : say('start.compare_later', { selector });
  },
  presentation: ({ reason = -1 }, { settings }) => {
    const selector = named(settings, 'remote_presentation_selector');
    return UNKNOWN_PRESENTATION_SELECTOR.includes(reason)
      ? say('start.selector_known', { selector, scl: 'OSI-PSEL' })
      : say('start.compare', { selector });
  },
  acse: ({ reason = -1 }, facts) => acseAdvice(reason, facts),
  mms: (_, { settings }) => say('start.smaller', { size: settings.max_pdu_size, window: settings.max_outstanding }),
  'closed-at-transport': (_, { settings }) =>
    say(settings.tls ? 'start.closed_transport' : 'start.closed_transport_tls', {
      selector: named(settings, 'remote_transport_selector'),
      size: settings.tpdu_size,
    }),
  'closed-at-association': (_, facts) =>
    say('start.closed_association', { password: passwordWords(facts), ...upperSelectors(facts.settings) }),
  'silent-at-transport': (_, { settings }) => say('start.silent_transport', { selector: named(settings, 'remote_transport_selector') }),
  'silent-at-association': (_, { settings }) => say('start.silent_association', upperSelectors(settings)),
  foreign: ({ detail }, { settings }) =>
    detail === FOREIGN_PROTOCOLS.tls && !settings.tls ? say('start.switch_tls') : say('start.check_port'),
};

function acseAdvice(diagnostic: number, facts: StartFacts): Message {
  const { settings } = facts;
  const title = (setting: 'remote_ap_title' | 'local_ap_title') => say('start.title', { setting, value: settings[setting] });
  const qualifier = (setting: 'remote_ae_qualifier' | 'local_ae_qualifier') =>
    say('start.qualifier', { setting, value: String(settings[setting]) });
  if (diagnostic === ACSE.callingTitle) return title('local_ap_title');
  if (diagnostic === ACSE.calledTitle) return title('remote_ap_title');
  if (diagnostic === ACSE.callingQualifier) return qualifier('local_ae_qualifier');
  if (diagnostic === ACSE.calledQualifier) return qualifier('remote_ae_qualifier');
  const password = passwordWords(facts);
  const isPassword = diagnostic >= ACSE.firstOfPassword && diagnostic <= ACSE.lastOfPassword;
  return isPassword ? say('start.check_password', { password }) : say('start.check_names', { password });
}

function passwordWords({ hasPassword }: StartFacts): Message {
  return hasPassword ? say('start.password_set') : say('start.password_not_set');
}

function upperSelectors(settings: Iec61850Settings): { readonly session: Message; readonly presentation: Message } {
  return { session: named(settings, 'remote_session_selector'), presentation: named(settings, 'remote_presentation_selector') };
}

function named(settings: Iec61850Settings, name: `remote_${'transport' | 'session' | 'presentation'}_selector`): Message {
  const value = settings[name];
  return value === '' ? say('start.selector_left_out', { name }) : say('start.selector_now', { name, value });
}
