import { describe, expect, it } from 'vitest';
import { say } from '#shared/messages/index.ts';
import type { ProtocolDriver } from '../drivers/spi/index.ts';
import type { CallContext } from './handlers.ts';
import { pointHintHandlers } from './point-hints.ts';
import type { ServiceDeps } from './ports.ts';

const context: CallContext<'query'> = { source: 'api', effect: 'query', warn() {} };
const ITEM = { nameEn: 'Voltage A', nameZh: 'A相电压', format: 'XXX.X', unit: 'V', isWritable: false };

/** A service with a protocol that has a dictionary, and one that has none; both are loaded when they are asked for. */
function service(hint: object, known = true) {
  const asked: unknown[] = [];
  const dictionary = {
    descriptor: { protocolType: 4 },
    pointHint: (...given: unknown[]) => {
      asked.push(given);
      return hint;
    },
    findItems: (...given: unknown[]) => {
      asked.push(given);
      return [{ address: 33619968, addressText: '02010000', ...ITEM }];
    },
  } as unknown as ProtocolDriver;
  const plain = { descriptor: { protocolType: 1 } } as unknown as ProtocolDriver;
  const loaded: unknown[] = [];
  const all: ProtocolDriver[] = [];
  const drivers = {
    all,
    find: (type: number) => all.find(({ descriptor }) => descriptor.protocolType === type),
    async load(type?: number) {
      loaded.push(type);
      const wanted = [plain, ...(known ? [dictionary] : [])].filter(
        ({ descriptor }) => type === undefined || descriptor.protocolType === type,
      );
      for (const each of wanted) if (!all.includes(each)) all.push(each);
    },
  };
  const { pointHint, pointItems } = pointHintHandlers({ drivers } as unknown as ServiceDeps);
  return {
    asked,
    loaded,
    hint: (request: object) => Promise.resolve(pointHint(request as never, context)),
    items: (request: object) => Promise.resolve(pointItems(request as never, context)),
  };
}

describe('what a protocol knows of an address', () => {
  it('is its item, in both languages, with its format and unit', async () => {
    const { hint, asked } = service({ addressText: '02010100', item: ITEM, suggestion: null, advice: null });
    expect(await hint({ protocol_type: 4, address: '0x02010100', edition: 1997 })).toEqual({
      address_text: '02010100',
      item: { name_en: 'Voltage A', name_zh: 'A相电压', format: 'XXX.X', unit: 'V', writable: false },
      suggestion: null,
      advice: '',
    });
    expect(asked).toEqual([[0x02010100, { edition: 1997 }]]);
  });

  it('may be another place to read it from, and a word of advice', async () => {
    const advice = say('runtime.none');
    const suggestion = { address: 7, protocol: { edition: 2007 }, nameEn: 'Block', nameZh: '块' };
    const { hint, asked } = service({ addressText: '', item: null, suggestion, advice });
    const told = await hint({ protocol_type: 4, address: '12' });
    expect(told).toMatchObject({
      item: null,
      suggestion: { address: 7, protocol: { edition: 2007 }, name_en: 'Block', name_zh: '块' },
      advice_message: advice,
    });
    expect(asked, 'no edition was named').toEqual([[12, {}]]);
  });

  it('is found by words', async () => {
    const { items, asked } = service({});
    expect(await items({ protocol_type: 4, search: 'volt', limit: 5, edition: 2007 })).toEqual([
      {
        address: 33619968,
        address_text: '02010000',
        name_en: 'Voltage A',
        name_zh: 'A相电压',
        format: 'XXX.X',
        unit: 'V',
        writable: false,
      },
    ]);
    expect(asked).toEqual([['volt', { edition: 2007 }, 5]]);
  });

  it('is not asked of one that has no dictionary; those that have one are named, also where they were not loaded', async () => {
    const { hint, loaded } = service({});
    await expect(hint({ protocol_type: 1, address: '1' })).rejects.toMatchObject({
      status: 422,
      data: [{ path: 'protocol_type', message_code: 'service.no_dictionary', params: { protocol: 1, known: [4] } }],
    });
    expect(loaded).toEqual([1, undefined]);
    const none = service({}, false);
    await expect(none.items({ protocol_type: 1, search: 'x', limit: 1 })).rejects.toMatchObject({
      data: [{ params: { known: say('runtime.none') } }],
    });
  });
});
