import { z } from 'zod';
import { ProtocolType } from '#shared/domain/enums.ts';
import { fieldIssue, invalidField } from '#shared/domain/errors.ts';
import { quoted } from '#shared/messages/index.ts';
import type { NormalPoint, PointDraft, ProtocolDriver } from '../../drivers/spi/index.ts';
import type { DocumentSummary } from '../../drivers/spi/model.ts';
import { type FakePlant, fakeDriver } from './fake-driver.ts';
import { FakeModel, fakeModelPlace } from './fake-model.ts';

/** What a device with a model shows in a test. */
export interface FakeModelDevice {
  /** What was learnt; null: nothing yet. */
  model: FakeModel | null;
}

/**
 * Protocol 5 without octets: a model as the test sets it, else that of the document. A document is a line of text: `SCL` and the names of
 * its devices.
 */
export function fakeModelDriver(plant: FakePlant, device: FakeModelDevice): ProtocolDriver {
  const driver = fakeDriver(plant);
  return {
    ...driver,
    descriptor: {
      ...driver.descriptor,
      protocolType: ProtocolType.iec61850,
      key: 'iec61850',
      channelSettings: z.object({ ied_name: z.string().default('').describe('device of the SCL file') }),
      pointFields: { 0: ['reference', 'unit'], 1: ['reference'], 2: ['reference'], 3: ['reference', 'unit'] },
    },
    normalizePoint: (draft) => ({ point: normal(draft), issues: [] }),
    documents: { extensions: ['.scd', '.cid', '.icd', '.iid'], maxOctets: 10_000, setting: 'ied_name', read: ({ text }) => summary(text) },
    modelPlace: fakeModelPlace,
    model(memory, source) {
      if (device.model) return device.model;
      const kept = memory.get('model');
      if (kept instanceof FakeModel) return kept;
      const document = source?.document();
      if (!document) return null;
      const model = new FakeModel(2, `${String(source?.settings.protocol.ied_name)}LD0`);
      model.status = { ...model.status, source: 'file', identity: null };
      memory.set('model', model);
      return model;
    },
  };
}

function summary(text: string): DocumentSummary {
  const [head, ...names] = text.trim().split(/\s+/);
  if (head !== 'SCL') throw invalidField('file', quoted('line 1: the file does not begin with SCL'));
  const warnings = names.length > 2 ? [fieldIssue('IED', quoted('has many devices'))] : [];
  return { title: 'SCL 2007B4', choices: names.map((value) => ({ value, label: `${value} 间隔` })), warnings };
}

function normal(draft: PointDraft): NormalPoint {
  const { name = draft.code, address = 0, slave_id: slaveId = 1, func_code: funcCode = null, decode = '' } = draft;
  return { ...draft, name, address, slave_id: slaveId, func_code: funcCode, decode };
}
