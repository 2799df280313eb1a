/** Header of a disturbance record (IEEE C37.111, COMTRADE of 1991, 1999 and 2013): its configuration file, alone or in a CFF. */
import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { type Names, names } from '#shared/messages/message.ts';

/** Octets of a file that are looked at: a configuration of 10,000 channels. */
export const COMTRADE_HEADER_OCTETS = 1024 * 1024;

/** An analogue or digital channel. */
export interface ComtradeChannel {
  readonly number: number;
  readonly kind: 'analog' | 'digital';
  readonly name: string;
  readonly phase: string;
  /** Of an analogue channel. */
  readonly unit: string;
}

export interface ComtradeHeader {
  readonly station: string;
  readonly device: string;
  /** 1991 where the file says none. */
  readonly revision: string;
  readonly analog: number;
  readonly digital: number;
  /** Nominal frequency of the line in Hz; null where it is not said. */
  readonly frequency_hz: number | null;
  /** Samples a second up to a sample; none where the samples carry times instead. */
  readonly rates: readonly { readonly rate_hz: number; readonly last_sample: number }[];
  /** Samples in all. */
  readonly samples: number;
  /** Of the first sample, and of the trigger: `2024-03-01 12:34:56.123456`, in the time of the device; as it is written where that is no date. */
  readonly first_time: string;
  readonly trigger_time: string;
  /** Form of the samples: ASCII, BINARY, BINARY32, FLOAT32. */
  readonly data: string;
  /** The first channels. */
  readonly channels: readonly ComtradeChannel[];
}

const MOST_CHANNELS = 999_999;
/** Channels that are told one by one. */
const MOST_TOLD = 500;
const MOST_RATES = 1000;

/** Reads the header. Throws `PROTOCOL_MALFORMED` with the line of what is no configuration. */
export function readComtrade(name: string, octets: Uint8Array): ComtradeHeader {
  return new ConfigurationReader(name, configurationIn(textOf(octets))).read();
}

/** Configurations are ASCII, UTF-8 since 2013, and GBK where nobody cared. */
function textOf(octets: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets);
  } catch {
    return new TextDecoder('gb18030').decode(octets);
  }
}

/** The part of a CFF that is the configuration; the text itself where it has no parts. */
function configurationIn(text: string): string {
  const begin = /^-{3}\s*file type:\s*CFG\b[^\n]*\n/im.exec(text);
  if (!begin) return text;
  const rest = text.slice(begin.index + begin[0].length);
  const end = /^-{3}\s*file type:/im.exec(rest);
  return end ? rest.slice(0, end.index) : rest;
}

class ConfigurationReader {
  readonly #name: string;
  readonly #lines: readonly string[];
  #at = 0;

  constructor(name: string, text: string) {
    this.#name = name;
    this.#lines = text.split(/\r\n|\n|\r/);
  }

  read(): ComtradeHeader {
    const [station = '', device = '', revision = ''] = this.#fields(2, names('station, device, year', '厂站, 设备, 年份'));
    const { analog, digital } = this.#counts();
    const channels = [...this.#channels('analog', analog), ...this.#channels('digital', digital)];
    const [frequency = ''] = this.#fields(1, names('the line frequency', '电网频率'));
    const { rates, samples } = this.#rates();
    const year = revision || '1991';
    const time = names('a date and time', '日期和时间');
    const [first, trigger] = [this.#fields(2, time), this.#fields(2, time)].map((fields) => timeText(fields, year));
    const [data = ''] = this.#fields(1, names('ASCII, BINARY, BINARY32 or FLOAT32', 'ASCII、BINARY、BINARY32 或 FLOAT32'));
    return {
      station,
      device,
      revision: year,
      trigger_time: trigger ?? '',
      analog,
      digital,
      frequency_hz: frequency !== '' && Number.isFinite(Number(frequency)) ? Number(frequency) : null,
      rates,
      samples,
      first_time: first ?? '',
      data: data.toUpperCase(),
      channels: channels.slice(0, MOST_TOLD),
    };
  }

  /** `12,8A,4D` */
  #counts(): { readonly analog: number; readonly digital: number } {
    const right = names('the number of channels, like 12,8A,4D', '通道数，如 12,8A,4D');
    const [, analogText = '', digitalText = ''] = this.#fields(3, right);
    const [analog, digital] = [/^(\d+)A$/i.exec(analogText)?.[1], /^(\d+)D$/i.exec(digitalText)?.[1]].map(Number);
    if (analog === undefined || digital === undefined || Number.isNaN(analog + digital) || analog + digital > MOST_CHANNELS) {
      throw this.#wrong(right);
    }
    return { analog, digital };
  }

  #channels(kind: ComtradeChannel['kind'], count: number): ComtradeChannel[] {
    return Array.from({ length: count }, (_, place) => {
      const fields = this.#fields(2, names('a channel', '一个通道'));
      const [number = '', name = '', phase = '', , unit = ''] = fields;
      return { number: Number.parseInt(number, 10) || place + 1, kind, name, phase, unit: kind === 'analog' ? unit : '' };
    });
  }

  #rates(): Pick<ComtradeHeader, 'rates' | 'samples'> {
    const right = names('the number of sampling rates', '采样率个数');
    const [written = ''] = this.#fields(1, right);
    const count = Number(written);
    if (!/^\d+$/.test(written) || count > MOST_RATES) throw this.#wrong(right);
    let samples = 0;
    const rates: { rate_hz: number; last_sample: number }[] = [];
    // without a rate one line says how many samples there are
    for (let line = 0; line < Math.max(1, count); line++) {
      const [rate = '', last = ''] = this.#fields(2, names('a sampling rate and its last sample', '采样率及其最后一个采样'));
      samples = Number.parseInt(last, 10) || samples;
      if (Number(rate) > 0) rates.push({ rate_hz: Number(rate), last_sample: samples });
    }
    return { rates, samples };
  }

  #fields(least: number, right: Names): readonly string[] {
    const line = this.#lines[this.#at];
    this.#at += 1;
    const fields = (line ?? '').split(',').map((field) => field.trim());
    if (line === undefined || fields.length < least) throw this.#wrong(right);
    return fields;
  }

  #wrong(right: Names): AppError {
    return new AppError('PROTOCOL_MALFORMED', say('comtrade.wrong', { name: this.#name, line: this.#at, right }));
  }
}

/** Day and month changed places after 1991. */
function timeText([date = '', time = '']: readonly string[], year: string): string {
  const [, one = '', two = '', written = ''] = /^(\d{1,2})\/(\d{1,2})\/(\d{2,4})$/.exec(date) ?? [];
  if (written === '') return [date, time].filter((text) => text !== '').join(' ');
  const [day, month] = year === '1991' ? [two, one] : [one, two];
  const full = written.length === 2 ? `${Number(written) < 70 ? 20 : 19}${written}` : written;
  return `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time}`;
}
