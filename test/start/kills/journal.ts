import type { PlatformId } from '../../../shared/resources.ts'

/** A post whose acceptance was answered, and what was asked of it since. */
export interface KeptPost {
  id: string
  /** Stands in its text and in no other's. */
  marker: string
  platform: PlatformId
  /** The times it may be scheduled for: the last one that was answered, and those of requests that were not; none for at once. */
  moments: number[]
  /** `maybe` where the request was cut off before its answer, and a later one does not tell. */
  cancelled: 'no' | 'maybe' | 'yes'
  deleted: 'no' | 'yes'
  /** Its cancellation or deletion said, or may have said, that something of it is live. */
  mayBeLive: boolean
  /** It was rescheduled by a request that may have come after an attempt whose outcome is unknown. */
  mayBeSentTwice: boolean
}

/** A request that makes posts, however often it was sent. */
export interface PostRequest {
  marker: string
  /** Of each post it makes. */
  platforms: readonly PlatformId[]
  accepted: boolean
}

/** Something with a name of its own that is made and deleted. */
export interface Thing {
  id: string
  name: string
  isThere: boolean
}

/** What the test asked for and was answered: what must be found in the end. */
export interface Journal {
  readonly requests: PostRequest[]
  readonly posts: Map<string, KeptPost>
  /** By kind. */
  readonly things: Map<string, Thing[]>
  /** What must not happen, seen on the way. */
  readonly complaints: string[]
  /** How often each answer came; `cut off` where none did. */
  readonly tally: Map<string, number>
  /** How many answers there were in all. */
  answers(): number
  /** A name that nothing else has. */
  nextMarker(): string
}

/** In place of an answer that did not come. */
export const cutOff = 'cut off'

export const openJournal = (): Journal => {
  let markers = 0
  const tally = new Map<string, number>()
  return {
    requests: [],
    posts: new Map(),
    things: new Map(),
    complaints: [],
    tally,
    answers: () => [...tally].reduce((sum, [answer, count]) => sum + (answer === cutOff ? 0 : count), 0),
    nextMarker() {
      markers += 1
      return `m${String(markers).padStart(6, '0')}`
    },
  }
}

/** Every marker in a text. */
export const markersIn = (text: string): string[] => text.match(/\bm\d{6}\b/g) ?? []
