import type { PlatformId } from '../../../shared/resources.ts'

/** An accepted post, and the later requests for it. */
export interface JournaledPost {
  id: string
  /** Stands in its text and in no other's. */
  marker: string
  platform: PlatformId
  /** The times it may be scheduled for: the last one that was answered, and those of requests that were not; none for an immediate post. */
  moments: number[]
  /** `maybe` where the request was cut off before its answer, and no later one shows it. */
  cancelled: 'no' | 'maybe' | 'yes'
  deleted: 'no' | 'yes'
  /** The response of its cancellation or deletion said, or may have said, that part of it is live. */
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

/** A named thing that is made and deleted. */
export interface Thing {
  id: string
  name: string
  isThere: boolean
}

/** The requests of the test and their responses: the expected state at the end. */
export interface Journal {
  readonly requests: PostRequest[]
  readonly posts: Map<string, JournaledPost>
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

/** Replaces a response that did not arrive. */
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
