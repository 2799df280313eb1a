/** The file of waiting records beside a project. */
export const bufferPath = (project: string) => `${project}.buffer.db`;
