interface Closable {
  close(): Promise<void>
}

/** What has to be closed when the service ends, in the reverse of the order in which it came. */
export interface Closing extends Closable {
  /** Takes note of something that is starting; also what finishes starting after a failure elsewhere is closed. */
  hold<T extends Closable>(starting: Promise<T>): Promise<T>
  add(close: () => void | Promise<void>): void
}

export const makeClosing = (): Closing => {
  const closers: (() => void | Promise<void>)[] = []
  return {
    hold(starting) {
      closers.push(() =>
        starting.then(
          (started) => started.close(),
          () => undefined,
        ),
      )
      return starting
    },
    add: (close) => void closers.push(close),
    async close() {
      for (let close = closers.pop(); close; close = closers.pop()) await close()
    },
  }
}
