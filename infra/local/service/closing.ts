interface Closable {
  close(): Promise<void>
}

/** What has to be closed when the service ends, in reverse order of its start. */
export interface Closing extends Closable {
  /** Registers something that is starting; it is also closed if it finishes starting after a failure elsewhere. */
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
