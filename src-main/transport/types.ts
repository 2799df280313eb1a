import type { AppError } from '#shared/domain/errors.ts';
import { english } from '#shared/messages/index.ts';
import type { Message } from '#shared/messages/message.ts';

/** Why a transport ended: `local` we closed it, `peer` the other side closed in order, otherwise the failure. */
export type CloseCause = { readonly kind: 'local' } | { readonly kind: 'peer' } | { readonly kind: 'failed'; readonly error: AppError };

/** What a transport tells its user. Set before `open`; `onClosed` comes exactly once after a successful open. */
export interface TransportEvents {
  onData(chunk: Uint8Array): void;
  onClosed(cause: CloseCause): void;
  /** Datagrams: the system told why some do not arrive. The line stands, and the next one may arrive. */
  onTrouble?(error: AppError): void;
}

/**
 * A line of octets in both directions, nothing more: TCP, serial, loopback and faulty lines all pass one conformance suite. Over UDP each `write` is
 * a datagram, and so is each `onData`; they may be lost, come twice or in another order.
 *
 * - `open` resolves when octets can flow; rejects with `TRANSPORT_*`, `TIMEOUT_CONNECT`, or `CANCELLED` when the signal ends it.
 * - `write` resolves when the octets are handed to the system; rejects with `TRANSPORT_LOST` or `TRANSPORT_NOT_CONNECTED`.
 *   A frame is written whole: `write` takes no signal.
 * - `close` is idempotent and bounded in time; after it no event but `onClosed` comes.
 * - A transport is used once: after it closed, a new one is made.
 */
export interface ByteTransport {
  /** End points or serial settings, for the frame log: `127.0.0.1:50112 → 127.0.0.1:502`, `COM3 9600 8N1`. Final after `open`. */
  readonly label: string;
  /** Name of the serial port in use, which may be another than the one asked for once an adapter was plugged in anew. Left out: none. */
  readonly serialPath?: string;
  /** How it is encrypted, once it is open; null or left out: not at all. */
  readonly encryption?: Encryption | null;
  open(events: TransportEvents, signal: AbortSignal): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A place where peers connect to us. Each accepted peer is an already opened transport waiting for its events. */
export interface ByteListener {
  /**
   * Resolves when peers can connect; rejects with `TRANSPORT_PORT_TAKEN`, `TRANSPORT_UNREACHABLE`, `TRANSPORT_PERMISSION`, `CONFIG_INVALID`
   * for certificates that cannot be used. `onRefused` tells why a peer that connected was sent away (TLS).
   */
  listen(onPeer: (peer: AcceptedPeer) => void, onRefused?: (reason: AppError) => void): Promise<void>;
  /** Port in use after `listen` (the chosen one when 0 was asked), null for a serial line. */
  readonly boundPort: number | null;
  /** Stops listening and closes every accepted peer; idempotent, bounded in time. */
  close(): Promise<void>;
}

/** A peer that connected. `start` sets its events and lets octets flow; before it nothing is lost. */
export interface AcceptedPeer {
  readonly label: string;
  start(events: TransportEvents): void;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Control lines of a serial port: their state while it is open, and whether RTS switches the direction of the line. */
export interface SerialControl {
  readonly dtrAtOpen: 'on' | 'off';
  readonly rtsAtOpen: 'on' | 'off';
  readonly rtsDirection: 'none' | 'high_to_send' | 'low_to_send';
}

/** Where a channel connects to or listens at. */
export interface LineSettings {
  readonly kind: 'tcp' | 'udp' | 'serial';
  readonly ip: string;
  readonly port: number;
  readonly comPort: string | null;
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: 'N' | 'E' | 'O';
  readonly connectTimeoutMs: number;
  /** Left out: DTR and RTS on, no direction. */
  readonly serial?: SerialControl;
  /** Left out: TCP is not encrypted. */
  readonly tls?: TlsSettings;
}

/** How a TCP connection is encrypted. Certificates are PEM text or the path of a PEM file; the key is a path. */
export interface TlsSettings {
  /** Own certificate with its chain; empty for a client without one. */
  readonly certificate: string;
  /** Key of the own certificate; empty together with it. */
  readonly key: string;
  /** Certificates that are trusted; empty: those of the system. */
  readonly ca: string;
  /** True refuses a peer whose certificate is not trusted; a server then asks for one. */
  readonly isVerified: boolean;
  /** Name the certificate of a server must have; empty: the address that was connected to. */
  readonly serverName: string;
}

/** What stands in the way of an encrypted connection. `client-…`: the other side and the certificate of this side. */
export type TlsFault =
  | 'none'
  | 'silent'
  | 'closed'
  | 'version'
  | 'cipher'
  | 'client-wanted'
  | 'client-unknown'
  | 'client-expired'
  | 'client-refused'
  | 'name'
  | 'wrong-name'
  | 'expired'
  | 'not-yet-valid'
  | 'untrusted'
  | 'self-signed'
  | 'certificate'
  | 'other';

/** The cause of an error that TLS is the reason of, for whoever tells it in words of its own. */
export class TlsFailure extends Error {
  readonly fault: TlsFault;
  readonly said: Message;
  /** `name` and `names` of `wrong-name`; empty otherwise. */
  readonly facts: Readonly<Record<string, string>>;

  constructor(
    fault: TlsFault,
    said: Message,
    options: { readonly facts?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(english(said), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TlsFailure';
    this.fault = fault;
    this.said = said;
    this.facts = options.facts ?? {};
  }
}

/** How a standing connection is encrypted. */
export interface Encryption {
  /** `TLSv1.3`. */
  readonly version: string;
  /** Common name of the certificate of the other side; empty where it has none. */
  readonly subject: string;
  /** When that certificate expires, UTC milliseconds; null where it shows none. */
  readonly validTo: number | null;
}

/** Makes lines; the core gets one with TCP and serial, tests one with loopback or faulty lines. */
export interface TransportFactory {
  connector(line: LineSettings): ByteTransport;
  listener(line: LineSettings): ByteListener;
}

/** Where a broker of MQTT is, and as whom it is spoken to. */
export interface BrokerAddress {
  /** `mqtt://host:1883` or `mqtts://host:8883`. */
  readonly url: string;
  readonly clientId: string;
  /** Empty: none. */
  readonly user: string;
  readonly password: string | undefined;
  /** PEM of the authorities that may sign the certificate of `mqtts`. Left out: those of the system. */
  readonly ca?: string | undefined;
  /** What the broker tells the others when this side is gone without a word. */
  readonly will: BrokerMessage;
  /** Gets what comes of subscriptions, in the order it came. Left out: nothing is subscribed. */
  readonly onNews?: (news: BrokerNews) => void;
}

/** A message for a broker. */
export interface BrokerMessage {
  readonly topic: string;
  /** Text is sent as UTF-8. */
  readonly payload: string | Uint8Array;
  readonly qos: 0 | 1 | 2;
  readonly retain: boolean;
}

/** What a broker sends of a subscription. */
export interface BrokerNews {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** True: it was kept by the broker, and is told because of the subscription. */
  readonly isRetained: boolean;
}

/** A standing connection to a broker. What the broker sends without a subscription, and what is greater than 64 KiB, is dropped. */
export interface BrokerLink {
  /**
   * Settles when the broker took the subscription (QoS 1); from then on what it sends goes to `onNews` of the address. Throws `PROTOCOL_REFUSED` where the
   * broker refuses it, which ends no connection, and what ended the connection.
   */
  subscribe(filter: string): Promise<void>;
  /** Settles when the broker took it (QoS 1 and 2), or it was handed to the system (QoS 0). Rejects when the connection is lost first. */
  publish(message: BrokerMessage): Promise<void>;
  /** Why it ended without having been closed; `fn` is called once. */
  onLost(fn: (reason: AppError) => void): void;
  /** Disconnects in order, behind what was published, where the broker takes that in time; drops the connection otherwise. Again: settles with the first. */
  close(): Promise<void>;
}

/** Connects to a broker. Throws `TRANSPORT_*`, `PROTOCOL_REFUSED` where the broker refuses, `TIMEOUT_CONNECT`, and `CANCELLED` at once when `signal` is aborted. */
export type BrokerOpener = (address: BrokerAddress, timeoutMs: number, signal?: AbortSignal) => Promise<BrokerLink>;

/** What is posted to a web address. */
export interface WebPost {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** PEM of the authorities that may sign the certificate of `https`. Left out: those of the system. */
  readonly ca?: string | undefined;
}

/** Posts, and answers the status. Redirections are not followed. Throws `TRANSPORT_*` and `TIMEOUT_RESPONSE`. */
export type WebPoster = (post: WebPost, signal: AbortSignal) => Promise<number>;
