import type { Channel } from '#shared/contract/channels.ts';
import { invalidField } from '#shared/domain/errors.ts';
import { english, say } from '#shared/messages/index.ts';
import type { Handlers } from './handlers.ts';
import type { ServiceDeps } from './ports.ts';

/** What protocols know of addresses by themselves. */
export function pointHintHandlers(deps: ServiceDeps): Pick<Handlers, 'pointHint' | 'pointItems'> {
  const withDictionary = async (protocolType: number) => {
    const type = protocolType as Channel['protocol_type'];
    await deps.drivers.load?.(type);
    const driver = deps.drivers.find(type);
    if (driver?.pointHint) return { hint: driver.pointHint, find: driver.findItems };
    await deps.drivers.load?.();
    const known = deps.drivers.all.filter((item) => item.pointHint).map((item) => item.descriptor.protocolType);
    const words = { protocol: protocolType, known: known.length === 0 ? say('runtime.none') : known };
    throw invalidField('protocol_type', say('service.no_dictionary', words));
  };
  const inEdition = (edition: number | undefined) => (edition === undefined ? {} : { edition });
  return {
    async pointItems({ protocol_type, search, edition, limit }) {
      const { find } = await withDictionary(protocol_type);
      return (find?.(search, inEdition(edition), limit) ?? []).map((item) => ({
        address: item.address,
        address_text: item.addressText,
        name_en: item.nameEn,
        name_zh: item.nameZh,
        format: item.format,
        unit: item.unit,
        writable: item.isWritable,
      }));
    },
    async pointHint({ protocol_type, address, edition }) {
      const { hint } = await withDictionary(protocol_type);
      // decimal, or hexadecimal with 0x
      const { addressText, item, suggestion, advice } = hint(Number(address), inEdition(edition));
      return {
        address_text: addressText,
        item: item && {
          name_en: item.nameEn,
          name_zh: item.nameZh,
          format: item.format,
          unit: item.unit,
          writable: item.isWritable,
        },
        suggestion: suggestion && {
          address: suggestion.address,
          protocol: { ...suggestion.protocol },
          name_en: suggestion.nameEn,
          name_zh: suggestion.nameZh,
        },
        advice: english(advice ?? ''),
        ...(advice && { advice_message: advice }),
      };
    },
  };
}
