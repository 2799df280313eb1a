/**
 * What our own server serves: a register image for each unit, in the four areas of the standard (V1.1b3, 4.4). Points are views on
 * it: points that share addresses change together, and an address without a point does not exist.
 */

import { AppError } from '#shared/domain/errors.ts';
import { say } from '#shared/messages/index.ts';
import { runSteps, type Steps } from '../../../platform/steps.ts';
import type { PointConfig, PointFailure, PointReading, PointsEdit } from '../../spi/index.ts';
import type { BatchItem } from '../client/planner.ts';
import { areaSteps, type Placed, placeSteps, type ReadArea } from '../client/planner-places.ts';
import type { ReadFunction } from '../point-rules.ts';
import type { WriteIntent } from '../values.ts';
import { ImageArea, type PlacedPoint } from './image-area.ts';

interface Place {
  readonly unitId: number;
  readonly functionCode: ReadFunction;
  readonly area: ImageArea;
  readonly item: BatchItem;
  readonly start: number;
}

/** Points that are noted, or get their octets back, before other work may get its turn. */
const POINTS_A_STEP = 500;

export class RegisterImage {
  #units = new Map<number, Map<ReadFunction, ImageArea>>();
  #places = new Map<number, Place>();
  #failures = new Map<number, AppError>();

  /** Serves these points from now on; addresses that stay keep their octets. `addressBase` as in the channel settings. */
  update(points: readonly PointConfig[], addressBase: number): void {
    runSteps(this.made(points, addressBase))();
  }

  /**
   * The image of a table, made aside; answers the step that serves it. Octets that are set until then are in it as well. The next change of the image
   * is that step, or nothing of it is taken.
   */
  *made(points: readonly PointConfig[], addressBase: number): Steps<() => void> {
    this.#letGo();
    const { areas, excluded } = yield* placedIn(points, addressBase);
    const units = new Map<number, Map<ReadFunction, ImageArea>>();
    const places = new Map<number, Place>();
    for (const { slaveId: unitId, functionCode, points: placed } of areas) {
      const area = areaOf(units, unitId, functionCode);
      const own: PlacedPoint[] = [];
      for (const [at, each] of placed.entries()) {
        if (at % POINTS_A_STEP === 0) yield;
        const { item, start, end } = onArea(each);
        own.push({ item, start, end });
        places.set(item.pointId, { unitId, functionCode, area, item, start });
      }
      yield* area.placeBeside(own, this.#units.get(unitId)?.get(functionCode));
    }
    const failures = failuresOf(excluded);
    yield;
    return () => {
      this.#units = units;
      this.#places = places;
      this.#failures = failures;
    };
  }

  /** As `update`, for a few points of a large table: only the areas they lie in are made anew. */
  edit({ before, after }: PointsEdit, addressBase: number): void {
    this.#letGo();
    const leaving = new Set(before.map(({ id }) => id));
    const touched = new Map<ImageArea, Place>();
    for (const id of leaving) {
      const place = this.#places.get(id);
      if (place) touched.set(place.area, place);
      this.#places.delete(id);
      this.#failures.delete(id);
    }
    const { areas, excluded } = runSteps(placedIn(after, addressBase));
    for (const [id, error] of failuresOf(excluded)) this.#failures.set(id, error);
    for (const { slaveId: unitId, functionCode, points } of areas) {
      const area = areaOf(this.#units, unitId, functionCode);
      touched.delete(area);
      const coming = points.map(onArea);
      area.place([...area.points.filter(({ item }) => !leaving.has(item.pointId)), ...coming]);
      for (const { item, start } of coming) this.#places.set(item.pointId, { unitId, functionCode, area, item, start });
    }
    for (const [area, place] of touched) {
      area.place(area.points.filter(({ item }) => !leaving.has(item.pointId)));
      if (area.points.length === 0) this.#drop(place);
    }
  }

  /** What was made aside and not taken over gets nothing any more. */
  #letGo(): void {
    for (const areas of this.#units.values()) for (const area of areas.values()) area.letGo();
  }

  #drop({ unitId, functionCode }: Place): void {
    const areas = this.#units.get(unitId);
    areas?.delete(functionCode);
    if (areas?.size === 0) this.#units.delete(unitId);
  }

  /** The areas of all units, for what is sent to all of them. */
  units(): Iterable<readonly [unitId: number, areas: ReadonlyMap<ReadFunction, ImageArea>]> {
    return this.#units;
  }

  /** Puts back what points served before, in steps; octets that do not fill their point, because it was edited meanwhile, are left out. */
  *restored(octetsOf: (pointId: number) => Uint8Array | null): Steps<void> {
    let count = 0;
    for (const [pointId, { area, item, start }] of this.#places) {
      if (count++ % POINTS_A_STEP === 0) yield;
      const octets = octetsOf(pointId);
      if (octets?.length === item.length * area.width) area.change(start, item.length, (own) => own.set(octets));
    }
  }

  /** The areas of a unit; undefined when no point has this unit id. */
  unit(unitId: number): ReadonlyMap<ReadFunction, ImageArea> | undefined {
    return this.#units.get(unitId);
  }

  /** The point as it is served now. Undefined for a point that is not in the table. */
  read(pointId: number): PointReading | undefined {
    const place = this.#places.get(pointId);
    if (place) return place.area.read(place.item, place.start);
    const error = this.#failures.get(pointId);
    return error && { kind: 'failure', pointId, error };
  }

  /**
   * Sets what a point serves, by what to write with the power of ten that its scale register holds; returns the readings of all points that share its addresses. Throws the reason when the point cannot be
   * served, e.g. CONFIG_RANGE for its address.
   */
  write(point: PointConfig, intentOf: (exponent: number) => WriteIntent): PointReading[] {
    const place = this.#places.get(point.id);
    const isSet = place?.area.set(place.start, place.item.length, intentOf(place.area.exponentOf(place.item)));
    if (!place || !isSet) throw this.#failures.get(point.id) ?? new AppError('INTERNAL', say('modbus.not_served', { point: point.code }));
    return place.area.readingsIn(place.start, place.item.length);
  }
}

/** The areas that points lie in, with their points ascending; and those that lie nowhere. */
function* placedIn(
  points: readonly PointConfig[],
  addressBase: number,
): Steps<{ readonly areas: readonly ReadArea[]; readonly excluded: readonly PointFailure[] }> {
  const { placed, excluded } = yield* placeSteps(points, addressBase);
  return { areas: yield* areaSteps(placed, null, excluded), excluded };
}

function onArea({ point, start, end, decoder, scale }: Placed): PlacedPoint {
  return { item: { pointId: point.id, point, offset: 0, length: end - start, decoder, scale }, start, end };
}

function failuresOf(excluded: readonly PointFailure[]): Map<number, AppError> {
  return new Map(excluded.map(({ pointId, error }) => [pointId, error]));
}

function areaOf(units: Map<number, Map<ReadFunction, ImageArea>>, unitId: number, functionCode: ReadFunction): ImageArea {
  const areas = units.get(unitId) ?? new Map<ReadFunction, ImageArea>();
  units.set(unitId, areas);
  const area = areas.get(functionCode) ?? new ImageArea(functionCode);
  areas.set(functionCode, area);
  return area;
}
