/** The information model of one IED, read from an SCL file, learnt from a device, or made of a point table. */
import type { MmsType } from '../mms/types.ts';
import type { AttributeTriggers } from './trigger-rules.ts';

/** What a file knows of an attribute beyond its type on the wire. */
export interface AttributeNotes {
  /** `bType` of the file: `FLOAT32`, `Dbpos`, `Enum`. */
  readonly basicType: string;
  /** Words of the enumeration by number; null where it is none. */
  readonly words: ReadonlyMap<number, string> | null;
  /** Default of the type as the file writes it; null where it gives none. */
  readonly value: string | null;
  /** What the file marks as reasons to report the attribute; left out where it marks nothing. */
  readonly triggers?: AttributeTriggers;
}

/** What a file knows of a data object or sub data object. Shared by all instances of one type. */
export interface ObjectNotes {
  /** Common data class: `MV`. */
  readonly cdc: string;
  readonly description: string;
  readonly subObjects: ReadonlyMap<string, ObjectNotes>;
  /** Attributes by `FC$DA$BDA`, without the object. */
  readonly attributes: ReadonlyMap<string, AttributeNotes>;
}

/** What a file knows of one logical node. */
export interface NodeNotes {
  readonly description: string;
  /** Data objects by name. */
  readonly objects: ReadonlyMap<string, ObjectNotes>;
  /** Values of this instance by `FC$DO$DA$BDA`, as the file writes them: attributes and control blocks. */
  readonly values: ReadonlyMap<string, string>;
  /** Descriptions of this instance by `DO$SDO`. */
  readonly descriptions: ReadonlyMap<string, string>;
}

export interface LogicalNode {
  /** With prefix and instance: `MMXU1`. */
  readonly name: string;
  /** Functional constraints, below each the data objects and control blocks. */
  readonly type: MmsType;
  readonly notes: NodeNotes | null;
}

export interface DataSet {
  /** Node and name, without the domain: `LLN0$dsStat`. */
  readonly item: string;
  /** `LD/LN$FC$DO[$DA]` in order. */
  readonly members: readonly string[];
  /** Null while nobody asked the device. */
  readonly isDeletable: boolean | null;
}

export interface LogicalDevice {
  /** Domain of MMS: IED name and instance, or the name the file gives. */
  readonly name: string;
  /** Name within the IED as the file has it; empty where only the device was asked. */
  readonly instance: string;
  readonly description: string;
  /** In order of the model. */
  readonly nodes: readonly LogicalNode[];
  readonly dataSets: readonly DataSet[];
  /** `configRev` of the name plate of its LLN0; left out where it has none or nobody asked. */
  readonly revision?: string;
}

/** Identity as the device says it (Identify) or the file names it. */
export interface Identity {
  readonly vendor: string;
  readonly model: string;
  readonly revision: string;
}

export interface IedModel {
  /** Name of the IED; empty where only the device was asked, which does not say it. */
  readonly name: string;
  readonly devices: readonly LogicalDevice[];
  readonly identity: Identity | null;
  /** `configRev` of the name plates of LLN0, in order of the devices, joined by a comma; empty where there is none. */
  readonly configurationRevision: string;
  /** Units and scales read from the device, by `LD/LN$CF$DO$units$SIUnit`, as a file writes them; left out where nobody asked it. */
  readonly configuration?: ReadonlyMap<string, string>;
  /**
   * `LD/LN$FC…` of structures whose components are known by their names alone and not in their order: values of the whole cannot be told apart.
   */
  readonly unordered?: ReadonlySet<string>;
}
