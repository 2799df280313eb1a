import { useFileDialog } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { type CheckFileType, LARGEST_CHECK_FILE } from '#shared/domain/check.ts';
import { useAction } from '../../api/hooks.ts';
import { formatBytes } from '../../ui/format.ts';
import { notifyDone, notifyError, notifyProblem } from '../../ui/notify.ts';

/** File types that the file dialogs of a session offer; what a file holds decides. */
export const ATTACHED = '.png,.jpg,.jpeg,.webp,.pdf,.txt,.log,.csv,.xlsx';
export const PICTURES = '.png,.jpg,.jpeg,.webp';
/** Characters that the remark of a file may have. */
const MOST_REMARK = 500;

/** True for files that a page can show. */
export function isPicture(mediaType: CheckFileType): boolean {
  return mediaType.startsWith('image/');
}

/** Takes a file of a size that a session keeps; of a larger one it is told what is allowed, and null answered. */
export function useSmallEnough(): (file: File) => File | null {
  const { t } = useTranslation('check');
  return (file) => {
    if (file.size <= LARGEST_CHECK_FILE) return file;
    notifyProblem(t('attach.tooLarge', { name: file.name, size: formatBytes(file.size), limit: formatBytes(LARGEST_CHECK_FILE) }));
    return null;
  };
}

/** Opens the file chooser for one file; `take` has it. The same file may be chosen again. */
export function useChooseFile(accept: string, take: (file: File) => void): () => void {
  const { open } = useFileDialog({ accept, multiple: false, resetOnOpen: true, onChange: (files) => files?.[0] && take(files[0]) });
  return open;
}

/** What a file is attached to, and by whom. */
export interface AttachTo {
  readonly item: string;
  readonly code: string;
  readonly operator: string;
  readonly remark: string;
}

/** Appends files to items of a session as remarks. What was attached, or why not, is told. A remark that is too long for a file stays where it is. */
export function useAttach(session_id: number) {
  const { t } = useTranslation('check');
  const attach = useAction('attachToCheck', ['checkHistory', 'listChecks', 'checkItems', 'checkRun']);
  const smallEnough = useSmallEnough();
  return {
    isPending: attach.isPending,
    attach(chosen: File, { item, code, operator, remark }: AttachTo, done: () => void = () => undefined) {
      const file = smallEnough(chosen);
      if (!file) return;
      const said = remark !== '' && remark.length <= MOST_REMARK ? { remark } : {};
      const onSuccess = () => {
        notifyDone(t('attach.done', { name: file.name, code }));
        done();
      };
      attach.mutate({ session_id, item, operator, ...said, file }, { onSuccess, onError: notifyError });
    },
  };
}
