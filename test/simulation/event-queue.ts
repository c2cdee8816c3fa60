interface Entry<T> {
  atMs: number
  value: T
}

/** Values by their time; of two at the same time the older one comes first. */
export const makeEventQueue = <T>() => {
  const entries: Entry<T>[] = []
  return {
    add(atMs: number, value: T): void {
      const at = entries.findIndex((later) => later.atMs > atMs)
      entries.splice(at === -1 ? entries.length : at, 0, { atMs, value })
    },
    nextAtMs: (): number => entries[0]?.atMs ?? Number.POSITIVE_INFINITY,
    take: (): T | undefined => entries.shift()?.value,
  }
}
