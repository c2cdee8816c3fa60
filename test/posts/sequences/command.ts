import fc from 'fast-check'

const second = 1_000
const minute = 60 * second

/** What becomes of the call that makes the post public. */
export type Answer =
  | 'accepted'
  | 'rejected'
  | 'unavailable'
  | 'rate limited'
  | 'lost and live'
  | 'lost and absent'
  | 'down'

/** What the author does. */
export type Act = { is: 'cancel' } | { is: 'delete' } | { is: 'reschedule'; inMs: number } | { is: 'update' }

/** What goes wrong with one run of the publisher. */
export type Trouble =
  | { is: 'nothing' }
  /** The process dies at its n-th effect, before it or after it. */
  | { is: 'crash'; at: number; side: 'before' | 'after' }
  /** The author does something just before the n-th effect. */
  | { is: 'author'; at: number; act: Act }
  /** The message comes twice at the same time. */
  | { is: 'doubled message' }

export type Command =
  | { is: 'wait'; ms: number }
  /** Waits until just before the post's time, so that the next message is not early. */
  | { is: 'wait until due' }
  /** A message to the publisher: its own, a late one, or the sweeper's. */
  | { is: 'publish'; version: 'current' | 'stale'; answer: Answer; trouble: Trouble }
  | { is: 'prepare' }
  | Act

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Act>({ is: 'cancel' }) },
  { weight: 1, arbitrary: fc.constant<Act>({ is: 'delete' }) },
  { weight: 3, arbitrary: fc.constant<Act>({ is: 'update' }) },
  { weight: 4, arbitrary: fc.constantFrom(minute, 20 * minute).map((inMs): Act => ({ is: 'reschedule', inMs })) },
)

const at = fc.integer({ min: 0, max: 14 })

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Trouble>({ is: 'nothing' }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('crash' as const), at, side: fc.constantFrom('before', 'after') }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('author' as const), at, act }) },
  { weight: 1, arbitrary: fc.constant<Trouble>({ is: 'doubled message' }) },
)

const answer = fc.constantFrom<Answer>(
  'accepted',
  'rejected',
  'unavailable',
  'rate limited',
  'lost and live',
  'lost and live',
  'lost and absent',
  'down',
)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant('publish' as const),
      version: fc.constantFrom('current', 'current', 'current', 'current', 'stale'),
      answer,
      trouble,
    }),
  },
  { weight: 3, arbitrary: fc.constant<Command>({ is: 'wait until due' }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(second, 10 * second, minute, 121 * second, 121 * second, 16 * minute, 370 * minute)
      .map((ms): Command => ({ is: 'wait', ms })),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Command>({ is: 'prepare' }),
  },
  { weight: 2, arbitrary: act },
)

const published = (answer: Answer): Command => ({
  is: 'publish',
  version: 'current',
  answer,
  trouble: { is: 'nothing' },
})

/** An attempt whose outcome cannot be determined for six hours: chance alone rarely produces that. */
const toUnknown = fc
  .constantFrom<Answer>('lost and live', 'lost and absent')
  .map((answer): Command[] => [
    { is: 'wait until due' },
    published(answer),
    { is: 'wait', ms: 10 * second },
    published('down'),
    { is: 'wait', ms: 370 * minute },
    published('down'),
  ])

/** What happens to one post, on one of two platforms that settle a lost answer differently. */
export const sequence = fc.record({
  platform: fc.constantFrom('bluesky', 'discord'),
  withMedia: fc.boolean(),
  commands: fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: toUnknown }),
      fc.array(command, { minLength: 3, maxLength: 10 }),
    )
    .map(([first, rest]): Command[] => [...first, ...rest]),
})
export type Sequence = typeof sequence extends fc.Arbitrary<infer T> ? T : never
