/**
 * One complete request to a stand-in, for assertions and never for the page: it contains secrets. The status is 0 until a
 * response is sent, and stays 0 if none is.
 */
export interface RecordedCall {
  readonly platform: string
  readonly method: string
  readonly path: string
  readonly query: string
  /** Names are lower-case. */
  readonly headers: Readonly<Record<string, string>>
  /** The first 64 KiB of it. */
  body: Buffer
  readonly operation: string
  readonly at: number
  status: number
}

export interface Calls {
  list(): readonly RecordedCall[]
  add(call: RecordedCall): void
  clear(): void
}

const maxCalls = 50_000

/** The newest calls of all stand-ins, in the order they arrived. */
export function openCalls(): Calls {
  let calls: RecordedCall[] = []
  return {
    list: () => calls,
    add(call) {
      calls.push(call)
      if (calls.length > maxCalls) calls = calls.slice(-maxCalls / 2)
    },
    clear() {
      calls = []
    },
  }
}
