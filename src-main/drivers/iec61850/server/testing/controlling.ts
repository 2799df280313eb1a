/** A client that commands control objects of a served channel, and notes in which order it is told what. */
import { settle } from '../../../../platform/manual-clock.ts';
import type { MmsClient } from '../../association/mms-client.ts';
import { type ControlReport, readControlReport } from '../../control/control-reports.ts';
import { type ControlFields, controlStructure } from '../../control/structure.ts';
import { decodeMms } from '../../mms/codec.ts';
import type { InformationReport } from '../../mms/pdu.ts';
import type { MmsType, MmsValue } from '../../mms/types.ts';
import { mmsOf } from '../../testing/captures.ts';
import { ask, value, write } from './asking.ts';
import { named, type ServedChannel } from './served-channel.ts';

/** A BOOLEAN. */
export const boolean = (value: boolean): MmsValue => ({ kind: 'boolean', value });

/** What a test says of a command; the rest is as an operator of a station would have it. */
export type Asked = Partial<ControlFields>;

/** One association that commands. */
export class Controller {
  readonly client: MmsClient;
  /** What it was told, in the order of the line: `Oper null` for an answer, `refusal 18`, `termination +`, `termination 16`. */
  readonly told: string[] = [];
  readonly #channel: ServedChannel;
  /** Service that waits for its answer. */
  #asked = '';

  private constructor(channel: ServedChannel, settings: Parameters<ServedChannel['client']>[0]) {
    this.#channel = channel;
    this.client = channel.client(settings, (chunk) => this.#note(chunk));
  }

  static async open(channel: ServedChannel, settings: Parameters<ServedChannel['client']>[0] = {}): Promise<Controller> {
    const controller = new Controller(channel, settings);
    await controller.client.associate();
    return controller;
  }

  /** DataAccessError of a service with a structure of its own type; null where it was taken. */
  async send(key: string, service: 'SBOw' | 'Oper' | 'Cancel', wanted: MmsValue, asked: Asked = {}): Promise<number | null> {
    const { type } = await ask(this.client, { service: 'get-variable-access-attributes', name: named(`${key}$${service}`) });
    return this.write(key, service, controlStructure(type as MmsType, this.fields(wanted, asked), service === 'Cancel'));
  }

  /** The same with a structure as it is given. */
  async write(key: string, service: string, structure: MmsValue): Promise<number | null> {
    this.#asked = service;
    const code = await write(this.client, `${key}$${service}`, structure);
    await settle();
    return code;
  }

  /** Reads SBO: the text that is answered. */
  async select(key: string): Promise<unknown> {
    const found = await this.read(`${key}$SBO`);
    return 'text' in found ? found.text : found;
  }

  async read(key: string): Promise<MmsValue> {
    return (await value(this.client, key)) as MmsValue;
  }

  fields(value: MmsValue, asked: Asked = {}): ControlFields {
    return {
      value,
      category: 2,
      identifier: new TextEncoder().encode('LC'),
      number: 1,
      at: this.#channel.clock.wallMs(),
      operateAt: null,
      isTest: false,
      checksSynchronism: false,
      checksInterlocking: false,
      ...asked,
    };
  }

  #note(chunk: Uint8Array): void {
    const events = tpktsIn(chunk).map((bytes) => ({ kind: 'tpkt', from: 'server', connection: 1, bytes, text: '' }) as const);
    for (const { bytes } of mmsOf({ name: 'told', events })) {
      const pdu = decodeMms(bytes);
      if (pdu.kind === 'information-report') this.told.push(wordOf(pdu.report));
      if (pdu.kind === 'response' && pdu.response.service === 'write') {
        this.told.push(`${this.#asked} ${pdu.response.results[0]?.code ?? null}`);
      }
    }
  }
}

function tpktsIn(bytes: Uint8Array): Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) {
    found.push(bytes.subarray(at, at + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))));
  }
  return found;
}

function wordOf(report: InformationReport): string {
  const read = readControlReport(report);
  if (!read) return 'another report';
  return read.kind === 'refusal' ? `refusal ${read.reason.addCause}` : `termination ${causeOf(read)}`;
}

function causeOf({ reason }: Extract<ControlReport, { kind: 'termination' }>): number | '+' {
  return reason?.addCause ?? '+';
}
