import type { DownloadedFile } from '#shared/contract/operation.ts';
import { toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';

/** Downloads the record of a session as JSON; a failure is told. */
export async function saveRecord(sessionId: number): Promise<void> {
  try {
    const { data } = await api.call('checkRecord', { session_id: sessionId });
    saveFile(data as DownloadedFile);
  } catch (thrown) {
    notifyError(toAppError(thrown));
  }
}
