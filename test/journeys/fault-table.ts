import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import type { PlatformName } from './author.ts'
import { impatient, unreachable } from './trouble.ts'

/** What the user sees in the end, and what the platform holds. */
interface Outcome {
  status: 'published' | 'failed'
  live: 0 | 1
  /** How late the post came, in seconds: at least, and at most. */
  late?: readonly [number, number]
  error?: RegExp
  reason?: string
  retrySafe?: boolean
  /** The account has to be connected again. */
  lost?: true
  /** The operator was alerted in the log. */
  operator?: true
}

type Script = Omit<FaultInput, 'platform'>

type OnEach<T> = Readonly<Record<PlatformName, T>>

interface Fault {
  name: string
  scripts?: OnEach<readonly Script[]>
  /** Trouble on the way, which no stand-in can make. */
  trouble?: (platform: PlatformName) => ObserveFunction
  /** The trouble ends this long after the post's time. */
  endsAfterMinutes?: number
  media?: true
  /** The channel has a message: in an empty one Discord's probe finds nothing out. */
  history?: true
  outcomes: OnEach<Outcome>
  /** Discord's channels are cached after the first read: `platform-quirks` tests them separately. */
  only?: PlatformName
}

const both = <T>(value: T): OnEach<T> => ({ bluesky: value, discord: value })

const published = (atLeast: number, atMost: number): Outcome => ({
  status: 'published',
  live: 1,
  late: [atLeast, atMost],
})
const onTime = published(0, 1)
const failed = (reason: string, error: RegExp, more: Partial<Outcome> = {}): Outcome => ({
  status: 'failed',
  live: 0,
  reason,
  retrySafe: true,
  error,
  ...more,
})

const create = { operation: 'create', times: 1 }
/** So often that it never ends by itself. */
export const endless = 1_000_000

const answer = (status: number, body: unknown): Script => ({ ...create, fault: 'status', status, body })
const limited: Script[] = [{ ...create, times: 7, fault: 'rate_limited', retryAfterSeconds: 40 }]
const prepares = (times: number): OnEach<Script[]> =>
  both([{ operation: 'upload', times, fault: 'status', status: 503 }])

/** What can go wrong in addition to the twenty faults that every platform is put through (`faults/`), and what follows from it. */
export const faults: readonly Fault[] = [
  {
    name: 'access lost',
    scripts: {
      bluesky: [answer(403, { error: 'AccountTakedown', message: 'gone' })],
      discord: [
        answer(403, { code: 50001, message: 'Missing Access' }),
        { operation: 'guild', times: 1, fault: 'status', status: 404, body: { code: 10004, message: 'Unknown Guild' } },
      ],
    },
    outcomes: {
      bluesky: failed('permission_missing', /taken down/, { lost: true }),
      discord: failed('account_disconnected', /^Discord bot was removed from the server/, { lost: true }),
    },
  },
  {
    name: 'seven times 429 with a reset, which use up no attempt, then a temporary rejection',
    scripts: {
      bluesky: [...limited, answer(400, { error: 'BlobNotFound', message: 'gone' })],
      discord: [...limited, answer(400, { code: 130000, message: 'API resource overloaded' })],
    },
    outcomes: both(published(280, 330)),
  },
  {
    name: '429 for 12 hours',
    scripts: both([{ ...create, fault: 'rate_limited', retryAfterSeconds: 43_200 }]),
    outcomes: both(failed('rate_limited', /(rate|daily) limit reached/)),
  },
  {
    name: '500 after the effect',
    scripts: both([{ ...create, fault: 'status', status: 500, landed: true }]),
    outcomes: both(onTime),
  },
  {
    name: 'hang after landing',
    scripts: both([{ ...create, fault: 'hang', landed: true }]),
    trouble: impatient,
    outcomes: both(onTime),
  },
  { name: 'slow answer', scripts: both([{ ...create, fault: 'slow', delayMs: 200 }]), outcomes: both(onTime) },
  {
    name: 'preparation failing until the time',
    media: true,
    only: 'bluesky',
    scripts: prepares(1),
    outcomes: both(onTime),
  },
  {
    name: 'preparation failing twice',
    media: true,
    only: 'bluesky',
    scripts: prepares(2),
    outcomes: both(published(0, 7)),
  },
  {
    name: 'preparation never succeeding',
    media: true,
    only: 'bluesky',
    scripts: prepares(endless),
    outcomes: both(
      failed('platform_unavailable', /did not return a clear response\. Tried until 24 hours after its time\.$/),
    ),
  },
  {
    name: 'every create answered by 500, while reading works',
    history: true,
    scripts: both([{ operation: 'create', times: endless, fault: 'status', status: 500 }]),
    outcomes: both(failed('platform_unavailable', /does not have the post\. Tried until 24 hours after its time\.$/)),
  },
  {
    name: 'down for three minutes',
    scripts: both([{ operation: '*', times: endless, fault: 'html_503' }]),
    endsAfterMinutes: 3,
    outcomes: both(published(180, 420)),
  },
  {
    name: 'unreachable for three minutes',
    trouble: unreachable,
    endsAfterMinutes: 3,
    outcomes: both(published(180, 780)),
  },
  {
    name: 'unreachable for a day',
    trouble: unreachable,
    outcomes: both(failed('platform_unavailable', /could not be reached\. Tried until 24 hours after its time\.$/)),
  },
]
