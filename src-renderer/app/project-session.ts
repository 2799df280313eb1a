import { create } from 'zustand';

interface ProjectSessionState {
  /** Session of the project that was open when the service was asked last; null: it was not asked yet. */
  readonly session: string | null;
  /** How often another project took the place of one on this page. */
  readonly openings: number;
}

/** Which project this page shows. Ids of channels and points hold within one session only. */
export const useProjectSession = create<ProjectSessionState>()(() => ({ session: null, openings: 0 }));

/** Takes over what the service says of its project; true when it is another one than before. */
export function noteSession(session: string): boolean {
  const before = useProjectSession.getState();
  if (before.session === session) return false;
  const isAnother = before.session !== null;
  useProjectSession.setState({ session, openings: before.openings + (isAnother ? 1 : 0) });
  return isAnother;
}
