/** Our own server as a device: it serves the point table, and tasks and writes on its channel work on what it serves. */
import { AppError } from '#shared/domain/errors.ts';
import type { AcceptedPeer } from '../../../transport/types.ts';
import type {
  Command,
  DriverCommandResult,
  DriverConnection,
  FrameSink,
  PlanOptions,
  PointConfig,
  PointReading,
  ReadAnswer,
  ReadBatch,
  ReadPlan,
  ServerIo,
} from '../../spi/index.ts';
import { type ServerSettings, serverIdentity } from '../settings.ts';
import { encodeWrite } from '../values.ts';
import { RegisterImage } from './image.ts';
import type { PeerMaker, ServedLine } from './serving.ts';

/** Points answered at once in batch mode; a group is what progress and counters move by. */
const GROUP_SIZE = 500;

export class ModbusServer implements DriverConnection {
  readonly link = { kind: 'exchange' } as const;
  readonly dataSets = null;
  /** Plans depend on the points alone. */
  readonly planRevision = 0;
  readonly #io: ServerIo;
  readonly #image = new RegisterImage();
  readonly #peers = new Set<ServedLine>();
  #isClosed = false;

  constructor(io: ServerIo, settings: ServerSettings, makePeer: PeerMaker) {
    this.#io = io;
    this.#image.update(io.points, io.settings.addressBase);
    this.#image.restore((pointId) => io.servedBefore?.(pointId) ?? null);
    const serving = { io, image: this.#image, identity: serverIdentity(settings), unknownUnit: settings.unknown_unit };
    const accept = (accepted: AcceptedPeer, frames: FrameSink) => {
      if (this.#isClosed) {
        accepted.close().catch(() => {});
        return;
      }
      const peer = makePeer(accepted, frames, serving);
      this.#peers.add(peer);
      peer.start(() => this.#peers.delete(peer));
    };
    if (io.serialLine) accept(io.serialLine, io.frames);
    else io.onPeer(accept);
  }

  plan(points: readonly PointConfig[], options: PlanOptions): ReadPlan {
    const batches: ReadBatch[] = [];
    const open = new Map<number, number[]>();
    const size = options.mode === 'single' ? 1 : GROUP_SIZE;
    for (const point of points) {
      let pointIds = open.get(point.slave_id);
      if (!pointIds || pointIds.length >= size) {
        pointIds = [];
        open.set(point.slave_id, pointIds);
        batches.push({ slaveId: point.slave_id, pointIds });
      }
      pointIds.push(point.id);
    }
    return { batches, excluded: [], predictedMs: null };
  }

  async read(batch: ReadBatch): Promise<ReadAnswer> {
    const readings: PointReading[] = [];
    for (const pointId of batch.pointIds) {
      const reading = this.#image.read(pointId);
      if (reading) readings.push(reading);
    }
    return { readings, next: [] };
  }

  async execute(command: Command): Promise<DriverCommandResult> {
    const { point, step, value } = command;
    if (step !== 'operate' || value === undefined) {
      throw new AppError('CONFIG_INVALID', `Modbus has the command step "operate" with a value only, not "${step}".`);
    }
    const readings = this.#image.write(point, encodeWrite(point, value));
    this.#io.sink.values(readings, false);
    const stage = { name: 'set', at: this.#io.clock.wallMs(), detail: 'The served value was set.' };
    return { outcome: 'accepted', stages: [stage], refusal: null, failure: null };
  }

  pointsChanged(points: readonly PointConfig[]): void {
    this.#image.update(points, this.#io.settings.addressBase);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const peer of this.#peers) peer.close();
    this.#peers.clear();
  }
}
