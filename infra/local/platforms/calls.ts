/** One request a stand-in got, for assertions; the status is 0 until an answer leaves, and stays so when none does. */
export interface RecordedCall {
  readonly platform: string
  readonly method: string
  /** Without the query, which may hold secrets. */
  readonly path: string
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
