/** Our own server as a device: it serves the point table, and tasks and writes on its channel work on what it serves. */
import { runInTurns, type Steps } from '../../../platform/steps.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import { ServedConnection, type ServedPeer, type ServedValue } from '../../kit/served-connection.ts';
import type { FrameSink, PointConfig, PointReading, PointsEdit, ServerIo, StagedTable } from '../../spi/index.ts';
import { type ServerSettings, serverIdentity } from '../settings.ts';
import { encodeWrite } from '../values.ts';
import { askedObjectsOf } from './asked-objects.ts';
import { RegisterImage } from './image.ts';
import { ServedDevice } from './served-device.ts';
import type { PeerMaker, Serving } from './serving.ts';

export class ModbusServer extends ServedConnection {
  readonly #image = new RegisterImage();
  readonly #io: ServerIo;
  readonly #makePeer: PeerMaker;
  readonly #serving: Serving;

  /** Ready to be started. */
  constructor(io: ServerIo, settings: ServerSettings, makePeer: PeerMaker) {
    super(io);
    this.#io = io;
    this.#makePeer = makePeer;
    this.#serving = {
      io,
      image: this.#image,
      device: new ServedDevice(serverIdentity(settings), settings.files),
      asked: askedObjectsOf(io.memory ?? new Map()),
      unknownUnit: settings.unknown_unit,
    };
  }

  protected override *begin(): Steps<void> {
    const io = this.#io;
    const { addressBase } = io.settings;
    const takeOver = yield* this.#image.made(io.points, addressBase);
    takeOver();
    yield* this.#image.restored((pointId) => io.servedBefore?.(pointId) ?? null);
    yield;
    this.#serving.asked.serve((unitId, area, address) => this.#image.unit(unitId)?.get(area)?.view(address, 1) != null, addressBase);
    yield* this.listenSteps();
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#image.update(points, this.#io.settings.addressBase);
  }

  async stageTable(points: readonly PointConfig[], breathe: () => Promise<void>): Promise<StagedTable> {
    return { takeOver: await runInTurns(this.#image.made(points, this.#io.settings.addressBase), breathe) };
  }

  pointsEdited(edit: PointsEdit): void {
    this.#image.edit(edit, this.#io.settings.addressBase);
  }

  protected override goesOn(pointId: number): boolean {
    return this.#io.servedBefore?.(pointId) != null;
  }

  protected override readPoint(pointId: number): PointReading | undefined {
    return this.#image.read(pointId);
  }

  protected override setPoint({ point, value }: ServedValue): readonly PointReading[] {
    return this.#image.write(point, (exponent) => encodeWrite(point, value, exponent));
  }

  protected override makePeer(peer: AcceptedPeer, frames: FrameSink): ServedPeer {
    return this.#makePeer(peer, frames, this.#serving);
  }
}
