import type { DownloadedFile } from '#shared/contract/operation.ts';

/** Hands a file to the browser or the desktop window, which saves it as it saves every download. */
export function saveFile(file: DownloadedFile): void {
  const url = URL.createObjectURL(new Blob([new Uint8Array(file.bytes)], { type: file.mediaType }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  // The download has taken hold of the octets when the click returns; some browsers want one turn more.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
