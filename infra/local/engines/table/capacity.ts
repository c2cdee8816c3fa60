// AWS, "DynamoDB read and write operations" (capacity unit consumption).
const readUnitBytes = 4096
const writeUnitBytes = 1024

const units = (bytes: number, unit: number) => Math.max(1, Math.ceil(bytes / unit))

export const readUnits = (bytes: number, consistent: boolean): number =>
  units(bytes, readUnitBytes) * (consistent ? 1 : 0.5)

export const writeUnits = (bytes: number): number => units(bytes, writeUnitBytes)

/** The units that one request consumes, of the table and of each of its indexes. */
export class Capacity {
  #table = 0
  readonly #indexes = new Map<string, number>()

  add(count: number, index?: string): void {
    if (index === undefined) this.#table += count
    else this.#indexes.set(index, (this.#indexes.get(index) ?? 0) + count)
  }

  merge(other: Capacity): void {
    this.add(other.#table)
    for (const [index, count] of other.#indexes) this.add(count, index)
  }

  shown(TableName: string, withIndexes: boolean): object {
    const CapacityUnits = [...this.#indexes.values()].reduce((sum, count) => sum + count, this.#table)
    if (!withIndexes) return { TableName, CapacityUnits }
    return {
      TableName,
      CapacityUnits,
      Table: { CapacityUnits: this.#table },
      ...(this.#indexes.size === 0
        ? {}
        : {
            GlobalSecondaryIndexes: Object.fromEntries(
              [...this.#indexes].map(([index, count]) => [index, { CapacityUnits: count }]),
            ),
          }),
    }
  }
}
