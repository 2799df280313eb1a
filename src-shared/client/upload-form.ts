import type { ApiRequest, UploadedFile } from './client.ts';

/** The form that carries a file, with the fields of the body before it: texts as they are, anything else as JSON. */
export function uploadForm({ body }: Pick<ApiRequest, 'body'>, file: UploadedFile): FormData {
  const form = new FormData();
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  for (const [name, value] of fields) form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  form.append('file', new Blob([new Uint8Array(file.bytes)]), file.name);
  return form;
}
