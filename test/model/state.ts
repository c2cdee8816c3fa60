/** One outward call as the journal knows it; ref is the client key or artefact it was sent with. */
export interface Attempt {
  readonly version: number
  readonly ref: number
}

/** What preparation leaves on the platform for one version (a container, uploaded media). */
export interface Artefact extends Attempt {
  readonly expired: boolean
}

export interface Worker {
  readonly phase: 'idle' | 'storing' | 'waiting' | 'settling' | 'journaling' | 'calling' | 'committing' | 'emitting'
  readonly queue: 'prepare' | 'publish'
  readonly version: number
  readonly artefact: Attempt | undefined
  /** The lease token on the row is this worker's. */
  readonly owns: boolean
  /** The ref that its call carries. */
  readonly ref: number
  /** The older attempt that its call may repeat, while that is not proven absent. */
  readonly earlier: Attempt | undefined
  /** What follows when settling proves absence. */
  readonly ifAbsent: 'send' | 'failed' | 'unknown'
  readonly result: 'published' | 'failed' | 'unknown' | 'retry' | undefined
}

/** The whole world of one post: its row, the queues, the platform, the workers, and what has gone wrong so far. */
export interface State {
  readonly status: 'scheduled' | 'published' | 'failed' | 'unknown' | 'cancelled'
  readonly version: number
  readonly lease: 'free' | 'held' | 'expired'
  readonly crashedAttempts: number
  /** The attempt whose outcome is unknown. */
  readonly attempt: Attempt | undefined
  readonly prepared: Artefact | undefined
  readonly publishedEvents: number
  /** T has come. */
  readonly due: boolean
  /** Versions whose schedule or message waits to reach prepare-post. */
  readonly prepare: readonly number[]
  /** Versions whose message, the hold, waits to reach publish-post. */
  readonly publish: readonly number[]
  /** The refs of the posts that are live. */
  readonly posts: readonly number[]
  /** The refs of unanswered calls that may still land. */
  readonly inFlight: readonly number[]
  /**
   * Where repeats are refused for a while only: they are; they still are, but that is about to end; they are taken. The
   * while of the platform outlasts every call that begins before it nears its end.
   */
  readonly repeats: 'refused' | 'still refused' | 'taken'
  /** Reads of the platform are current. */
  readonly readable: boolean
  readonly workers: readonly Worker[]
  /** The user rescheduled an unknown outcome on a platform that can prove nothing. */
  readonly consented: boolean
  readonly sentStale: boolean
  readonly sentEarly: boolean
}

export const idle: Worker = {
  phase: 'idle',
  queue: 'publish',
  version: 0,
  artefact: undefined,
  owns: false,
  ref: 0,
  earlier: undefined,
  ifAbsent: 'send',
  result: undefined,
}

/** A post just accepted: its schedule waits, both workers are idle. */
export const accepted: State = {
  status: 'scheduled',
  version: 1,
  lease: 'free',
  crashedAttempts: 0,
  attempt: undefined,
  prepared: undefined,
  publishedEvents: 0,
  due: false,
  prepare: [1],
  publish: [],
  posts: [],
  inFlight: [],
  repeats: 'refused',
  readable: true,
  workers: [idle, idle],
  consented: false,
  sentStale: false,
  sentEarly: false,
}
