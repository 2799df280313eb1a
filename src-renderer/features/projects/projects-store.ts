import { create } from 'zustand';

/** What is done with a project file. */
export type ProjectStep = 'new' | 'open' | 'copy' | 'rename';

interface ProjectsState {
  /** Step whose dialog is open, with the path it begins with. */
  readonly step: { readonly kind: ProjectStep; readonly path: string } | null;
  /** The three steps of a new channel are open; `table`: with a point table at their end; `file`: they begin with a file that describes the device. */
  readonly newChannel: 'doctor' | 'table' | 'file' | null;
  /** What is missing is not shown above the work any more, until it is something else. */
  readonly hiddenMissing: string;
  /** It is asked whether all channels may stop for the demo plant. */
  readonly asksDemo: boolean;
  /** A text form is being read. */
  readonly readsText: boolean;
}

/** What the screens of projects show. */
export const useProjectsStore = create<ProjectsState>()(() => ({
  step: null,
  newChannel: null,
  hiddenMissing: '',
  asksDemo: false,
  readsText: false,
}));

/** Opens the dialog of a step, or closes it with null. */
export function showStep(step: ProjectsState['step']): void {
  useProjectsStore.setState({ step });
}

/** Opens the three steps of a new channel, or closes them with null. */
export function showNewChannel(newChannel: ProjectsState['newChannel']): void {
  useProjectsStore.setState({ newChannel });
}

/** Opens the dialog that reads a text form, or closes it. */
export function showReadText(readsText: boolean): void {
  useProjectsStore.setState({ readsText });
}
