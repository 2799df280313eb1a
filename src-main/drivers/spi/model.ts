/**
 * The information model of a device as screens and scripts look at it: logical devices, nodes, data objects and attributes, the data
 * sets, and how far it is known. Everything here is answered from memory and causes no I/O. What a driver learns it keeps in the memory of
 * its channel, so that a stopped channel still answers.
 */

import type { FrameType } from '#shared/domain/enums.ts';
import type { AppError, FieldIssue } from '#shared/domain/errors.ts';
import type { Message } from '#shared/messages/message.ts';
import type { Steps } from '../../platform/steps.ts';
import type { DriverMemory } from './memory.ts';
import type { DriverChannelSettings, PointConfig } from './points.ts';

export type ModelNodeKind = 'logical-device' | 'logical-node' | 'control-block' | 'data-object' | 'data-attribute';

/** One node of the tree. Sub data objects are `data-object`; components of a structured attribute are `data-attribute`. */
export interface ModelNode {
  readonly name: string;
  readonly kind: ModelNodeKind;
  /** ACSI spelling without functional constraint: `EMS1LD0/MMXU1.TotW.mag.f`; the domain alone for a logical device. Unique in the tree. */
  readonly reference: string;
  /** `LD/LN$FC$DO$DA` for attributes and control blocks, null for nodes that lie over several functional constraints. */
  readonly key: string | null;
  /** Functional constraint (`MX`); null where `key` is. */
  readonly constraint: string | null;
  /** Basic type in the words of IEC 61850-7-2 (`FLOAT32`, `BOOLEAN`, `Dbpos`, `Quality`, `Timestamp`, `VisString255`); empty for nodes with children. */
  readonly type: string;
  /** Common data class of a data object (`MV`), as the file says or the attributes suggest; empty otherwise. */
  readonly commonDataClass: string;
  /** Description of the file (`desc`, `dU`); empty where there is none. */
  readonly description: string;
  /** Type of the point that can be made of it; null where it cannot be a point. */
  readonly frameType: FrameType | null;
  readonly childCount: number;
}

export interface ModelCounts {
  readonly logicalDevices: number;
  readonly logicalNodes: number;
  readonly dataObjects: number;
  readonly attributes: number;
  readonly dataSets: number;
}

/** How far the model is known. */
export interface ModelStatus {
  readonly state: 'unknown' | 'learning' | 'known' | 'failed';
  /** `device`: browsed; `cache`: browsed before, and identity and configuration revision are the same; `file`: an SCL file; `table`: made of the point table. */
  readonly source: 'device' | 'cache' | 'file' | 'table' | null;
  /** Steps of learning done and all that are known so far; both 0 before it began. */
  readonly done: number;
  readonly total: number;
  /** Why learning failed; null otherwise. */
  readonly error: Message | null;
  /** UTC milliseconds; null while unknown. */
  readonly learnedAt: number | null;
  /** What the device says about itself; null while it has not, or does not answer. */
  readonly identity: { readonly vendor: string; readonly model: string; readonly revision: string } | null;
  /** Configuration revision (`configRev` of LLN0 name plates, joined by a comma); empty where unknown. */
  readonly configurationRevision: string;
  readonly counts: ModelCounts;
}

/** A data set and its members in order: order of the members is the order of the values. */
export interface ModelDataSet {
  /** `LD/LN$name`. */
  readonly name: string;
  /** `LD/LN$FC$DO[$DA]` of each member. */
  readonly members: readonly string[];
  /** False for sets of the configuration; null while nobody asked the device. */
  readonly isDeletable: boolean | null;
}

/** A point that suits a node, ready to be added, or why there is none. */
export type PointSuggestion =
  | {
      readonly reference: string;
      readonly point: {
        readonly frame_type: FrameType;
        readonly code: string;
        readonly name: string;
        /** As the point is stored: `LD/LN.DO.DA[FC]`. */
        readonly reference: string;
        readonly unit: string;
        /** Engineering value = raw × `mul_coe` + `add_coe`, as the device says; left out: the raw value is it. */
        readonly mul_coe?: number;
        readonly add_coe?: number;
        readonly protocol: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly reference: string; readonly reason: Message };

/** One difference between file and device. */
export interface ModelDifference {
  readonly kind: 'only-in-file' | 'only-in-device' | 'type' | 'data-set' | 'report-block' | 'revision';
  readonly reference: string;
  /** What the file and the device say; empty where one says nothing. */
  readonly file: string;
  readonly device: string;
}

/** A model as a file that other tools read. */
export interface ModelDocument {
  readonly name: string;
  readonly text: string;
  /** What the device has and the file has not, by its names. */
  readonly leftOut: readonly string[];
}

/** Where a reference lies in the tree, whatever its spelling. */
export interface ModelPlace {
  /** `reference` of its node. */
  readonly node: string;
  /** Functional constraint; empty where none is written. */
  readonly constraint: string;
}

export interface DeviceModelView {
  readonly status: ModelStatus;
  /** Changes when nodes or data sets change; for caches of pages. */
  readonly revision: number;
  /** Children of a node in model order; the logical devices for null. Null when there is no such node. Any spelling is found. */
  children(reference: string | null): readonly ModelNode[] | null;
  /** Nodes whose reference or description holds every word of the text, in model order, at most `limit`; in steps, since a model may have 100,000. */
  search(text: string, limit: number): Steps<readonly ModelNode[]>;
  dataSets(): readonly ModelDataSet[];
  /** Suggestions in order of the references; a data object gives the point of its value, an attribute that of itself. */
  suggestPoints(references: readonly string[]): readonly PointSuggestion[];
  /** The model as a file, with the address that the channel has its device at; in steps. Left out: the protocol has no such files. */
  exportDocument?(channel: {
    readonly ip: string;
    readonly port: number;
    readonly protocol: Readonly<Record<string, unknown>>;
  }): Steps<ModelDocument>;
  /** Differences between file and device as they are at the last step; null while one of both is missing. Bounded; `more` counts what was left out. */
  differences(): Steps<{ readonly items: readonly ModelDifference[]; readonly more: number } | null>;
}

/** A file that describes a device, kept with the channel (an SCL file). */
export interface DriverDocument {
  readonly name: string;
  readonly text: string;
}

/** What a model can be made of without a connection. */
export interface ModelSource {
  readonly settings: DriverChannelSettings;
  points(): readonly PointConfig[];
  /** The document of the channel, unpacked at each call; null without one. */
  document(): DriverDocument | null;
}

/** Where a document says a device is to be found. */
export interface DocumentAddress {
  /** Its name in the document: `StationBus/P1`. */
  readonly value: string;
  /** IP address or host; null where the document says none. */
  readonly ip: string | null;
  readonly port: number | null;
  /** `protocol` settings of the channel that belong to it. */
  readonly protocol: Readonly<Record<string, string | number>>;
}

/** A device in a document that can be chosen. */
export interface DocumentChoice {
  /** Goes into the channel setting that `DocumentKind.setting` names. */
  readonly value: string;
  readonly label: string;
  /** In the order of the document. Left out by documents that were kept before there were addresses. */
  readonly addresses?: readonly DocumentAddress[];
  /** What the document says of the device; empty texts where it says nothing. Left out by documents that were kept before this was read. */
  readonly about?: DocumentDeviceFacts;
}

/** Who a device of a document is. */
export interface DocumentDeviceFacts {
  /** Name of the device: `BAY1`. */
  readonly device: string;
  /** Access point whose server is meant. */
  readonly access_point: string;
  readonly manufacturer: string;
  readonly type: string;
  readonly description: string;
}

/** What a document holds, as far as a person must choose. */
export interface DocumentSummary {
  /** One line: what it is, its version and revision. */
  readonly title: string;
  readonly choices: readonly DocumentChoice[];
  readonly warnings: readonly FieldIssue[];
}

/** Documents a protocol knows. */
export interface DocumentKind {
  /** Ends of file names, with the dot. */
  readonly extensions: readonly string[];
  readonly maxOctets: number;
  /** Name of the `protocol` setting of the channel that holds the choice: `ied_name`. */
  readonly setting: string;
  /** Reads a document. Throws `CONFIG_INVALID` when it is none, with line and what would be right. */
  read(document: DriverDocument): DocumentSummary;
  /** For documents that take long to read: what a channel needs of one is made elsewhere and put into its memory. Left out: they take no time. */
  readonly device?: DocumentDevice;
}

/** The part of a document that one channel needs. */
export interface DocumentDevice {
  /** Makes it, for these `protocol` settings, in parts: data without functions, which another thread may make. Throws `CONFIG_INVALID`, with the first one. */
  make(document: DriverDocument, settings: Readonly<Record<string, unknown>>): Iterable<unknown>;
  /** True when the memory of a channel has it, or knows why there is none. */
  isTaken(memory: DriverMemory): boolean;
  /** Puts the parts that `make` made into the memory of a channel, or the error that it threw; in steps, and all of it with the last one. */
  take(memory: DriverMemory, made: readonly unknown[] | AppError): Steps<void>;
}
