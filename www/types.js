/**
 * The engine's view structs as the page uses them; web/src/view.rs is the original.
 * Optional values may be undefined or null.
 *
 * @typedef {{id: number, time: number, index: number, node: string, code: string,
 *   params: [string, string][], rule: string, causes: number[], weight: number,
 *   chosen: boolean}} EventView
 * @typedef {{offset: number, epoch: number, batch: number, record: number, key?: string,
 *   value: string, state: "committed"|"uncommitted", diverges: boolean, flushed: boolean,
 *   acked: boolean}} CellView
 * @typedef {{role: string, leads: boolean, leaderEpoch: number, logStart: number, leo: number,
 *   hw: number, hwWhy?: number, leoWhy?: number, flushed: number, recoveryPoint: number,
 *   hwCheckpoint: number, epochs: [number, number][], segments: number[], cells: CellView[],
 *   knownLeo?: number, caughtUpAt?: number, online: boolean}} ReplicaView
 * @typedef {{id: number, rack?: string, state: string, fenced: boolean, brokerEpoch: number,
 *   replicas: number, leading: number, replica?: ReplicaView, why?: number}} BrokerView
 * @typedef {{name: string, replicas: number[], isr: number[], osr: number[], elr: number[],
 *   lastKnownElr: number[], adding: number[], removing: number[], leader?: number,
 *   leaderEpoch: number, partitionEpoch: number, minIsr: number, health: string, hw?: number,
 *   leo?: number, why?: number}} PartitionView
 * @typedef {{constant: string, exception: string, code: number, madeBy: string}} ErrorView
 * @typedef {{name: string, scala: boolean, kind: "producer"|"consumer", topic: string, state: string,
 *   acks?: number, idempotent?: boolean, every?: number, sent: number, acked: number,
 *   failed: number, pending: number, error?: ErrorView, read: number}} ClientView
 * @typedef {{positions: {partition: string, position?: number, committed?: number}[],
 *   lastRead: CellView[]}} ReadingView
 * @typedef {{id: number, name: string, kind: string, from: string, to: string, sent: number,
 *   arrives: number, fate: string, significant: boolean, chosen: boolean,
 *   fields: [string, string][], why?: number}} FlightView
 * @typedef {{id: number, producer: string, key?: string, value: string, partition?: string,
 *   offset?: number, status: string, answer: string, error?: ErrorView, visible: boolean,
 *   duplicated: boolean, reordered: boolean, broken: boolean, on: number[], readBy: string[],
 *   attempts: number, events: number[], why?: number}} RecordView
 * @typedef {{id: string, kind: string, holds: boolean, why?: number}} PropertyView
 * @typedef {{sent: number, acked: number, committed: number, visible: number, failed: number,
 *   lost: number, ackedLost: number, duplicated: number, reordered: number,
 *   records: RecordView[], properties: PropertyView[]}} LedgerView
 * @typedef {{v: number, release: string, time: number, index: number, nextTime?: number,
 *   nextSignificantTime?: number, end: number, settled: boolean, fingerprint: string,
 *   events: number, partition?: string, state?: PartitionView, brokers: BrokerView[],
 *   controller: {name: string, broker?: number, state: string, metadataOffset: number, fenced: number[]},
 *   hasElr: boolean, clients: ClientView[], flights: FlightView[], flightsTotal: number, story: EventView[],
 *   ledger: LedgerView, partitions?: PartitionView[],
 *   says: {time: number, en?: string, zh?: string, line: number}[],
 *   expects: {time: number, line: number, text: string, held: boolean, actual: string}[],
 *   faults: {kind: string, from: string, to?: string, delay?: number, partition?: string}[],
 *   unmatched: {line: number, name: string}[]
 * }} View
 * @typedef {{name: string, line: number, leader?: number, replicas: number[], isr?: number[],
 *   elr?: number[], lastKnownElr?: number[], adding?: number[], removing?: number[],
 *   offline?: number[], observers?: number[]}} DescribedPartitionView
 * @typedef {{script?: string, errors: ErrorLineView[], partitions: DescribedPartitionView[],
 *   settings: {topic: string, name: string, value: string}[],
 *   unread: {line: number, text: string, incomplete: boolean}[],
 *   missing: {topic: string, line: number, counted: number, listed: number}[]}} DescribedView
 * @typedef {{line: number, column: number, reason: string, accepted: string}} ErrorLineView
 */

export {};
