import { Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { useOperation } from '../../api/hooks.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { IdentifySection } from './identify-section.tsx';
import { ScanSection } from './scan-section.tsx';
import classes from './tools.module.css';

/** What can be asked of the device of a channel beside its points: register scan and identification. */
export default function ToolsPanel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('tools');
  const protocols = useOperation('listProtocols', {});
  if (!protocols.data) return protocols.error ? <ErrorNotice error={protocols.error} /> : <Loader size="sm" m="md" />;
  const tools = protocols.data.find((item) => item.protocol_type === channel.protocol_type)?.tools;
  if (!tools || isServing(channel.conn_type)) return <EmptyState icon="info" title={t('none')} hint={t('noneHint')} />;
  return (
    <div className={classes.panel} data-testid="tools-panel">
      {tools.scan_functions.length > 0 ? <ScanSection channel={channel} tools={tools} /> : null}
      <aside className={classes.side}>
        <IdentifySection channel={channel} tools={tools} />
      </aside>
    </div>
  );
}
