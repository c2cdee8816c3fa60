interface Entry<T> {
  atMs: number
  order: number
  value: T
}

/** Values by their time; of two at the same time the older one comes first. */
export const makeEventQueue = <T>() => {
  const entries: Entry<T>[] = []
  let added = 0
  const isBefore = (a: Entry<T>, b: Entry<T>) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
  return {
    add(atMs: number, value: T): void {
      added += 1
      const entry = { atMs, order: added, value }
      const at = entries.findIndex((other) => isBefore(entry, other))
      entries.splice(at === -1 ? entries.length : at, 0, entry)
    },
    nextAtMs: (): number => entries[0]?.atMs ?? Number.POSITIVE_INFINITY,
    take: (): T | undefined => entries.shift()?.value,
  }
}
