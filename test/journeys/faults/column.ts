import type { FaultInput } from '../../../infra/local/platforms/faults.ts'
import type { PlatformId } from '../../../shared/resources.ts'
import type { Kit } from '../../support/start.ts'

/** The twenty ways in which a platform fails. */
export const faultNames = [
  'content rejected (400)',
  'token rejected permanently (401)',
  'not allowed (403)',
  'target not found (404)',
  'duplicate rejected (409, 422)',
  '429 with a reset',
  '429 without a reset',
  '500',
  '503 with an HTML page',
  'hang',
  'reset before a byte was read',
  'reset after the last byte',
  'landed, then reset',
  'landed a minute after the timeout',
  'landed, with JSON of another shape',
  'landed, with half of the JSON',
  '200 with an error inside',
  'token expires during publishing',
  'media stuck in processing',
  'media failed in processing',
] as const
export type FaultName = (typeof faultNames)[number]

/** What the user sees in the end, and what the platform holds. */
export interface Outcome {
  status: 'published' | 'failed'
  /** Posts with this text on the platform. */
  live: 0 | 1
  /** Calls that make a post public: a blind repeat would show here. */
  creates: number
  /** How late the post came, in seconds: at least, and at most. */
  late?: readonly [number, number]
  error?: RegExp
  reason?: string
  retrySafe?: boolean
  /** The account has to be reconnected, and its owner was notified once. */
  lost?: true
  /** The operator was alerted in the log. */
  operator?: true
  /** The post is live, but the platform did not return its URL. */
  withoutUrl?: true
}

export type Script = Omit<FaultInput, 'platform'>

/** One fault on one platform. */
export interface Cell {
  /** The platform's specific responses; the frame adds the faults that all platforms share. */
  scripts?: readonly Script[]
  outcome: Outcome
  /** Posts with a picture or video also where the platform takes text alone. */
  media?: true
}

/** What an author sends. */
export interface Draft {
  content: string
  metadata?: Record<string, unknown>
  mediaUrls?: string[]
}

/** One platform's twenty cells. */
export interface Column {
  platform: PlatformId
  /** The call that makes a post public, as effects name it: `POST /2/tweets`. */
  create: string
  /** Connects an account and answers its id; through the platform's page where this is absent. */
  connect?(kit: Kit): Promise<string>
  /** What is posted; the text names the fault, so that each cell finds its own. */
  draft(kit: Kit, text: string, withMedia: boolean): Draft | Promise<Draft>
  cells: Readonly<Record<FaultName, Cell>>
  /** The post is the second of a thread, whose first one is live. */
  isReply?: true
}

export const create = { operation: 'create', times: 1 } as const

/** So often that it never ends by itself. */
export const endless = 1_000_000

/** The create answers this. */
export const answer = (status: number, body: unknown): Script => ({ ...create, fault: 'status', status, body })

/** Published on time by one call. */
export const onTime: Outcome = { status: 'published', live: 1, creates: 1, late: [0, 1] }

/** Published, so many seconds late, by so many calls. */
export const late = (atLeast: number, atMost: number, creates = 1): Outcome => ({
  status: 'published',
  live: 1,
  creates,
  late: [atLeast, atMost],
})

/** Nothing is live, and the author may send it again. */
export const failed = (reason: string, error: RegExp, more: Partial<Outcome> = {}): Outcome => ({
  status: 'failed',
  live: 0,
  creates: 1,
  reason,
  retrySafe: true,
  error,
  ...more,
})

/** The cells in which only the answer is missing: what follows where the post did not land, and where it did. */
export const lostAnswers = (notLanded: Outcome, landed: Outcome) => ({
  '500': { outcome: notLanded },
  '503 with an HTML page': { outcome: notLanded },
  hang: { outcome: notLanded },
  'reset before a byte was read': { outcome: notLanded },
  'reset after the last byte': { outcome: notLanded },
  'landed, then reset': { outcome: landed },
  'landed, with JSON of another shape': { outcome: landed },
  'landed, with half of the JSON': { outcome: landed },
})
