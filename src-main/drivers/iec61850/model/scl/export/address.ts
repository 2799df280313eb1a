/** Where a client channel finds its device, in the words of the Communication section (IEC 61850-8-1, 25). */

/** A client channel, as far as it says where its device is. */
export interface ChannelAddress {
  readonly ip: string;
  readonly port: number;
  /** `protocol` settings of the channel. */
  readonly protocol: Readonly<Record<string, unknown>>;
}

const MMS_PORT = 102;
const PARTS = {
  'OSI-TSEL': 'remote_transport_selector',
  'OSI-SSEL': 'remote_session_selector',
  'OSI-PSEL': 'remote_presentation_selector',
  'OSI-AP-Title': 'remote_ap_title',
  'OSI-AE-Qualifier': 'remote_ae_qualifier',
} as const;

/** Parts of the address by their types; what is left out on the line is left out here. */
export function addressOf({ ip, port, protocol }: ChannelAddress): Readonly<Record<string, string>> {
  const parts = Object.entries(PARTS).flatMap(([type, setting]) => {
    const value = protocol[setting];
    if (value === null || value === undefined || value === '') return [];
    return [[type, type === 'OSI-AP-Title' ? String(value).replaceAll('.', ',') : String(value)] as const];
  });
  return { IP: ip, ...(port === MMS_PORT ? {} : { 'MMS-Port': String(port) }), ...Object.fromEntries(parts) };
}
