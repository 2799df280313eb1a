import { openAsBlob } from 'node:fs';

/** A file of a form that was written to the disk as it arrived. It is removed when its request has ended, unless somebody moved it. */
export class FileOnDisk extends File {
  readonly path: string;

  constructor(path: string, name: string, octets: number) {
    super([], name);
    this.path = path;
    Object.defineProperty(this, 'size', { value: octets, enumerable: true });
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await openAsBlob(this.path)).arrayBuffer();
  }

  override async text(): Promise<string> {
    return (await openAsBlob(this.path)).text();
  }
}
