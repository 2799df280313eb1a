import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CheckFile } from '#shared/contract/check.ts';
import type { DownloadedFile } from '#shared/contract/operation.ts';
import { type AppError, toAppError } from '#shared/domain/errors.ts';
import { api } from '../../api/client.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notify.ts';
import { saveFile } from '../../ui/save-file.ts';
import classes from './attachments.module.css';
import { isPicture } from './use-attach.ts';

interface FileProps {
  readonly sessionId: number;
  readonly file: CheckFile;
}

/** The policy of the pages lets them show data, and no file of elsewhere. */
function dataUrl(octets: Uint8Array, type: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(new Blob([new Uint8Array(octets)], { type }));
  });
}

const loaded = async ({ sessionId, file: { sha256 } }: FileProps, signal?: AbortSignal) =>
  (await api.call('checkFile', { session_id: sessionId, sha256 }, signal)).data as DownloadedFile;

/** A picture of a session; its octets are kept as long as it is on the screen. */
export function Picture(props: FileProps) {
  const { sessionId, file } = props;
  const picture = useQuery<string, AppError>({
    queryKey: ['checkFile', { session_id: sessionId, sha256: file.sha256 }],
    queryFn: async ({ signal }) => dataUrl((await loaded(props, signal)).bytes, file.media_type),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (picture.error) return <ErrorNotice error={picture.error} compact onRetry={() => void picture.refetch()} />;
  return (
    <img className={classes.picture} src={picture.data} alt={file.name} data-testid="check-picture" data-is-shown={picture.isSuccess} />
  );
}

function Attachment({ isShown: isShownAtFirst, ...props }: FileProps & { readonly isShown: boolean }) {
  const { t } = useTranslation('check');
  const [isShown, setShown] = useState(isShownAtFirst);
  const { file } = props;
  const save = () => void loaded(props).then(saveFile, (thrown: unknown) => notifyError(toAppError(thrown)));
  return (
    <li data-testid="check-attachment" data-name={file.name}>
      <div className={classes.line}>
        <Icon name="file" />
        <span className={classes.name}>{file.name}</span>
        <span className={classes.size}>{formatBytes(file.size)}</span>
        {isPicture(file.media_type) && !isShown ? (
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => setShown(true)}
            aria-label={t('attach.showNamed', { name: file.name })}
          >
            {t('attach.show')}
          </Button>
        ) : null}
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Icon name="download" size={14} />}
          onClick={save}
          aria-label={t('attach.saveNamed', { name: file.name })}
          data-testid="check-attachment-save"
        >
          {t('attach.save')}
        </Button>
      </div>
      {isPicture(file.media_type) && isShown ? <Picture {...props} /> : null}
    </li>
  );
}

interface AttachmentsProps {
  readonly sessionId: number;
  readonly files: readonly CheckFile[];
  /** Pictures are shown without being asked for: of the newest results, so that memory stays small. */
  readonly showsPictures: boolean;
}

/** The files of a result, each with its size, a look at it where it is a picture, and a button that saves it. */
export function Attachments({ sessionId, files, showsPictures }: AttachmentsProps) {
  const { t } = useTranslation('check');
  if (files.length === 0) return null;
  return (
    <ul className={classes.attachments} aria-label={t('attach.list')}>
      {files.map((file) => (
        <Attachment key={file.sha256} sessionId={sessionId} file={file} isShown={showsPictures} />
      ))}
    </ul>
  );
}
