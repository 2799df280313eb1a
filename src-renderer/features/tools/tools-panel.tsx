import { Loader, SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Channel, ProtocolDescriptor } from '#shared/contract/channels.ts';
import { isServing } from '#shared/domain/enums.ts';
import { isListening } from '#shared/domain/listening.ts';
import { useOperation } from '../../api/hooks.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { operationsFor } from '../operations/operation-model.ts';
import { OperationsSection } from '../operations/operations-section.tsx';
import { SimulationSection } from '../simulation/simulation-section.tsx';
import { TableSection } from '../table-job/table-section.tsx';
import { useUnknownTotal } from '../unknown/unknown-badge.tsx';
import { UnknownSection } from '../unknown/unknown-section.tsx';
import { sideOf } from '../unknown/unknown-side.ts';
import { IdentifySection } from './identify-section.tsx';
import { ScanSection } from './scan-section.tsx';
import classes from './tools.module.css';
import { TOOL_VIEWS, type ToolView, useToolsStore } from './tools-store.ts';

/** What this side of the connection has, in the order it is offered. */
function viewsOf(descriptor: ProtocolDescriptor | undefined, channel: Channel): readonly ToolView[] {
  if (isListening(channel)) return ['unknown'];
  const isAsking = !isServing(channel.conn_type);
  const has: Record<ToolView, boolean> = {
    operations: operationsFor(descriptor, channel).length > 0,
    unknown: descriptor?.unknown_objects?.[isAsking ? 'client' : 'server'] === true,
    table: isAsking,
    scan: isAsking && descriptor?.tools !== undefined,
    simulation: !isAsking,
  };
  const views = TOOL_VIEWS.filter((view) => has[view]);
  // where registers can be scanned, that is what most come for
  const isScanned = (descriptor?.tools?.scan_functions.length ?? 0) > 0;
  return isScanned ? views.toSorted((one, other) => Number(other === 'scan') - Number(one === 'scan')) : views;
}

interface ViewProps {
  readonly view: ToolView;
  readonly channel: Channel;
  readonly descriptor: ProtocolDescriptor | undefined;
}

function View({ view, channel, descriptor }: ViewProps) {
  if (view === 'operations') return <OperationsSection channel={channel} operations={operationsFor(descriptor, channel)} />;
  if (view === 'unknown') return <UnknownSection key={channel.id} channel={channel} descriptor={descriptor} />;
  if (view === 'simulation') return <SimulationSection key={channel.id} channel={channel} />;
  if (view === 'table') return <TableSection key={channel.id} channel={channel} />;
  if (!descriptor?.tools) return null;
  return (
    <div className={classes.panel} data-testid="tools-panel">
      {descriptor.tools.scan_functions.length > 0 ? <ScanSection channel={channel} tools={descriptor.tools} /> : null}
      <aside className={classes.side}>
        <IdentifySection channel={channel} tools={descriptor.tools} />
      </aside>
    </div>
  );
}

/**
 * What there is beside the points of a channel: operations, unknown objects, the whole table, register scan and identification of a device that is asked; of
 * one that we serve its simulation.
 */
export default function ToolsPanel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('tools');
  const protocols = useOperation('listProtocols', {});
  const { view: wanted, show } = useToolsStore();
  const unknown = useUnknownTotal(channel);
  if (!protocols.data) return protocols.error ? <ErrorNotice error={protocols.error} /> : <Loader size="sm" m="md" />;
  const descriptor = protocols.data.find((item) => item.protocol_type === channel.protocol_type);
  const views = viewsOf(descriptor, channel);
  const isIdentifyOnly = descriptor?.tools?.scan_functions.length === 0;
  const view = views.find((item) => item === wanted) ?? views[0];
  if (!view) return null;
  return (
    <div className={classes.frame} data-testid="tools-panel">
      {views.length > 1 ? (
        <div className={classes.views}>
          <SegmentedControl
            aria-label={t('label')}
            value={view}
            onChange={(next) => {
              const chosen = views.find((item) => item === next);
              if (chosen) show(chosen);
            }}
            data={views.map((item) => ({
              value: item,
              label: (
                <span className={classes.view} data-testid={`tools-${item}`}>
                  {t(`views.${item === 'scan' && isIdentifyOnly ? 'identify' : item}`, sideOf(channel))}
                  {item === 'unknown' && unknown > 0 ? <b>{unknown}</b> : null}
                </span>
              ),
            }))}
          />
        </div>
      ) : null}
      <div className={classes.content}>
        <View view={view} channel={channel} descriptor={descriptor} />
      </div>
    </div>
  );
}
