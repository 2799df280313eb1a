/** The file of recorded values beside a project. */
export const historyPath = (project: string) => `${project}.history.db`;
