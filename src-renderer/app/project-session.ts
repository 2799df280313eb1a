import { create } from 'zustand';

interface ProjectSessionState {
  /** Session of the project that was open when the service was asked last; null: it was not asked yet. */
  readonly session: string | null;
  /** How often another project took the place of one on this page. */
  readonly openings: number;
}

/** Which project this page shows. Ids of channels and points hold within one session only. */
export const useProjectSession = create<ProjectSessionState>()(() => ({ session: null, openings: 0 }));

/** True when the service has another project open than this page knows. */
export function isOtherSession(session: string): boolean {
  const known = useProjectSession.getState().session;
  return known !== null && known !== session;
}

/** Takes over what the service says of its project; true when it is another one than before. */
export function noteSession(session: string): boolean {
  const isAnother = isOtherSession(session);
  useProjectSession.setState(({ openings }) => ({ session, openings: openings + (isAnother ? 1 : 0) }));
  return isAnother;
}

/** Holds the project that is open now: true as long as no other one took its place. For what goes on over several requests. */
export function holdSession(): () => boolean {
  const { openings } = useProjectSession.getState();
  return () => useProjectSession.getState().openings === openings;
}
