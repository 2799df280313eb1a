/** Verdicts of the connection doctor for associations that were not established: the layer that refused, and what to change. */
import type { DoctorCode, DoctorParams } from '#shared/domain/doctor.ts';
import type { AppError } from '#shared/domain/errors.ts';
import type { LayerVerdict } from '../spi/examination.ts';
import { associationRefusal, type RefusalKind } from './osi/refusals.ts';
import type { Iec61850Settings } from './settings.ts';
import { isSizeRefusal } from './start-errors.ts';

export interface Judgement {
  readonly kind: RefusalKind;
  readonly verdict: LayerVerdict;
  /** True where another association request may tell more: an answer came quickly, and not why. */
  readonly isWorthTrial: boolean;
}

type Layer = 'tls' | 'selectors' | 'association' | 'initiate';

const VERDICTS: Readonly<Record<RefusalKind, readonly [layer: Layer, code: DoctorCode, isWorthTrial: boolean]>> = {
  transport: ['selectors', 'COTP_REFUSED', true],
  session: ['selectors', 'SSEL_REFUSED', true],
  presentation: ['selectors', 'PSEL_REFUSED', true],
  acse: ['association', 'ASSOCIATION_REFUSED', true],
  mms: ['initiate', 'INITIATE_REFUSED', false],
  'closed-at-transport': ['selectors', 'COTP_CLOSED', true],
  'closed-at-association': ['association', 'ASSOCIATION_CLOSED', true],
  'silent-at-transport': ['selectors', 'COTP_SILENT', false],
  'silent-at-association': ['association', 'ASSOCIATION_SILENT', false],
  foreign: ['selectors', 'SPEAKS_OTHER', false],
};

/** The verdict of the layer that refused; null for an error that is no refusal of an association. */
export function judgeAssociationError(error: AppError, settings: Iec61850Settings, hasPassword: boolean): Judgement | null {
  const refusal = associationRefusal(error);
  if (!refusal) return null;
  const { kind, detail } = refusal;
  const [layer, code, isWorthTrial] = chosen(kind, refusal.reason, detail, settings);
  const params = {
    ...selectorParams(settings),
    detail: refusal.detail_message,
    found: refusal.detail_message,
    password: hasPassword ? '***' : '—',
    size: layer === 'initiate' ? settings.max_pdu_size : settings.tpdu_size,
    window: settings.max_outstanding,
  };
  return { kind, verdict: { layer, state: 'bad', code, params }, isWorthTrial };
}

function chosen(kind: RefusalKind, reason: number | undefined, detail: string, { tls }: Iec61850Settings): (typeof VERDICTS)[RefusalKind] {
  if (kind === 'transport' && isSizeRefusal(reason)) return ['selectors', 'COTP_SIZE', false];
  if (kind === 'foreign' && detail === 'TLS' && !tls) return ['tls', 'SPEAKS_TLS', false];
  return VERDICTS[kind];
}

/** Selectors as the settings have them. */
export function selectorParams(settings: Iec61850Settings): DoctorParams {
  const shown = (hex: string) => (hex === '' ? '—' : hex);
  return {
    tsel: shown(settings.remote_transport_selector),
    ssel: shown(settings.remote_session_selector),
    psel: shown(settings.remote_presentation_selector),
  };
}
