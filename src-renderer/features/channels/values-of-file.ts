import type { ProtocolDescriptor } from '#shared/contract/channels.ts';
import { type ConnType, isServing } from '#shared/domain/enums.ts';
import { freeName } from '#shared/domain/free-name.ts';
import type { FormRecord } from '../../ui/form/record-form.ts';
import type { TakenDevice } from '../device-file/device-file-dialog.tsx';
import { newChannelValues } from './channel-form-model.ts';

/**
 * The form as a device of a file fills it in. A channel that serves takes name and device alone: the address of the file is that of the real
 * device. What a device that was taken `before` had filled in, and nobody changed since, goes back to its default first.
 */
export function withDevice(
  values: FormRecord,
  { descriptor, connType }: { readonly descriptor: ProtocolDescriptor; readonly connType: ConnType },
  device: TakenDevice,
  before: TakenDevice | null,
  takenNames: ReadonlySet<string>,
): FormRecord {
  const own = before ? withoutDevice(values, descriptor, before) : values;
  const address = isServing(connType) ? null : device.address;
  const name = String(own.name ?? '').trim();
  return {
    ...own,
    name: name === '' ? freeName(device.name, takenNames) : name,
    ...(address?.ip == null ? {} : { ip: address.ip }),
    ...(address?.port == null ? {} : { port: address.port }),
    protocol: { ...protocolOf(own), ...address?.protocol, ...(descriptor.model ? { [descriptor.model.setting]: device.value } : {}) },
  };
}

/** The form without what a device of a file has filled in, as far as it stands there still. */
export function withoutDevice(values: FormRecord, descriptor: ProtocolDescriptor, device: TakenDevice): FormRecord {
  const defaults = newChannelValues(descriptor);
  const filled: FormRecord = { ip: device.address?.ip, port: device.address?.port };
  const filledProtocol: FormRecord = {
    ...device.address?.protocol,
    ...(descriptor.model ? { [descriptor.model.setting]: device.value } : {}),
  };
  const isNamedByIt = String(values.name ?? '').replace(/ \d+$/, '') === device.name;
  return {
    ...values,
    ...(isNamedByIt ? { name: '' } : {}),
    ...unchanged(values, filled, defaults),
    protocol: { ...protocolOf(values), ...unchanged(protocolOf(values), filledProtocol, protocolOf(defaults)) },
  };
}

/** Defaults of those fields that stand as they were filled in. */
function unchanged(values: FormRecord, filled: FormRecord, defaults: FormRecord): FormRecord {
  const same = Object.keys(filled).filter((key) => filled[key] != null && values[key] === filled[key]);
  return Object.fromEntries(same.map((key) => [key, defaults[key]]));
}

function protocolOf({ protocol }: FormRecord): FormRecord {
  return (protocol ?? {}) as FormRecord;
}
