import { lazy, Suspense } from 'react';
import { useDoctorStore } from '../doctor/doctor-store.ts';
import { useFindStore } from '../find/find-store.ts';

const DoctorDialog = lazy(() => import('../doctor/doctor-dialog.tsx'));
const FindDialog = lazy(() => import('../find/find-dialog.tsx'));

/** The dialogs of the doctor and of the search, whichever is open. */
export function JobDialogs() {
  const { channelId, slaveIds } = useDoctorStore();
  const preset = useFindStore((state) => state.preset);
  return (
    <Suspense fallback={null}>
      {channelId === null ? null : <DoctorDialog channelId={channelId} slaveIds={slaveIds} />}
      {preset === null ? null : <FindDialog preset={preset} />}
    </Suspense>
  );
}
