import { describe, expect, test } from 'vitest'
import type { PostStateKind } from '../../shared/posts/lifecycle/state.ts'
import type { TransitionName } from '../../shared/posts/lifecycle/transitions.ts'
import { everyNth } from '../support/thin.ts'
import { explore } from './explore.ts'
import { violationsIn } from './invariants.ts'
import { transitionsBetween } from './kind.ts'
import { modelOf } from './model.ts'
import { kindNames } from './platform-kinds.ts'
import { accepted } from './state.ts'
import { stepsFrom } from './steps.ts'
import { secondLine, switchedOff } from './switched-off.ts'
import { walk } from './walk.ts'

const fewestStates = {
  key: 11_000,
  'two-phase': 25_000,
  'duplicate-refusal': 10_000,
  'short refusal': 10_000,
  probe: 9_000,
  none: 11_000,
}
const mustHappen = [
  'cancel',
  'reschedule scheduled',
  'reschedule failed',
  'reschedule unknown',
  'schedule or message to prepare is lost',
  'message to publish is lost',
  'preparation rejected',
  'prepares inline',
  'artefact of the first writer stays',
  'claim refused: cancelled',
  'claim refused: other version',
  'claim refused: leased',
  'claim refused: published',
  'crash while storing',
  'crash while waiting',
  'crash while settling',
  'crash while journaling',
  'crash while calling',
  'crash while committing',
  'call: no answer',
  'late request lands',
  'claims used up: settle',
]
const mustBeTaken: TransitionName[] = [
  'claim',
  'claimToReconcile',
  'expireLease',
  'retry',
  'startReconciling',
  'continueReconciling',
  'publish',
  'fail',
  'giveUp',
  'cancel',
  'reschedule',
]
const toClaim = ['prepare: hold sent', 'artefact stored', 'T comes', 'waits unclaimed']
const toUnanswered = [...toClaim, 'claim and journal', 'call: no answer']

/** The moves of the model, each with the transitions of the service that it may be. */
const asTransitions = (moves: ReadonlyMap<string, ReadonlySet<string>>) =>
  [...moves.keys()].flatMap((move) => {
    const [from, to] = move.split(' > ') as [PostStateKind, PostStateKind]
    return from === to ? [] : [{ move, transitions: transitionsBetween(from, to) }]
  })

describe.each(kindNames)('a platform of kind %s', (kind) => {
  test(`is safe and never stuck in more than ${fewestStates[kind]} states`, () => {
    const result = explore(modelOf(kind))
    expect(Object.fromEntries(result.broken)).toEqual({})
    expect(result.states).toBeGreaterThan(fewestStates[kind])
    expect([...result.statuses].sort()).toEqual(['cancelled', 'failed', 'published', 'scheduled', 'unknown'])
    expect([...result.names]).toEqual(expect.arrayContaining(mustHappen))
    expect(result.names).not.toContain('claims used up: internal error')
    const moves = asTransitions(result.moves)
    expect(moves.filter(({ transitions }) => transitions.length === 0)).toEqual([])
    const taken = new Set(moves.flatMap(({ transitions }) => transitions))
    expect([...taken]).toEqual(expect.arrayContaining(mustBeTaken))
  })

  test('is stuck without the sweeper', () => {
    const { broken } = explore(modelOf(kind, ['sweeper'], 1))
    expect(Object.fromEntries(broken)).toEqual({ stuck: ['accepted', 'schedule or message to prepare is lost'] })
  })
})

describe.each(switchedOff)('without $off', ({ off, breaks, kinds }) => {
  test.each(everyNth(3, kinds))(`${breaks}: %s`, (kind) => {
    expect([...explore(modelOf(kind, off, 1), breaks).broken.keys()]).toContain(breaks)
  })
})

describe.each(secondLine)('without $off alone', ({ off, kinds }) => {
  test.each(everyNth(3, kinds))('no invariant is violated: %s', (kind) => {
    const result = explore(modelOf(kind, off, 1))
    expect(Object.fromEntries(result.broken)).toEqual({})
    expect(result.names.has('claims used up: internal error')).toBe(off.includes('mergedClaim'))
  })
})

test('each invariant sees its own violation', () => {
  const posts = [0]
  expect(violationsIn(accepted)).toEqual([])
  expect(violationsIn({ ...accepted, sentEarly: true })).toEqual(['published before its time'])
  expect(violationsIn({ ...accepted, sentStale: true })).toEqual(['published by a stale schedule'])
  expect(violationsIn({ ...accepted, posts: [0, 0] })).toEqual(['two posts without consent'])
  expect(violationsIn({ ...accepted, posts, status: 'cancelled' })).toEqual(['cancelled without a warning, yet live'])
  expect(violationsIn({ ...accepted, posts, status: 'failed' })).toEqual(['definitely failed, yet live'])
  expect(violationsIn({ ...accepted, posts, status: 'published' })).toEqual(['published, event lost'])
  expect(violationsIn({ ...accepted, status: 'published', publishedEvents: 2 })).toEqual([
    'published, yet not live',
    'published event twice',
  ])
})

test('a cancel while a worker waits unclaimed wins, and the claim is refused', () => {
  const state = walk(modelOf('none'), [...toClaim, 'cancel', 'claim refused: cancelled'])
  expect(state).toMatchObject({ status: 'cancelled', posts: [], lease: 'free' })
})

test('a reschedule while a worker waits unclaimed wins, and the post is published once, at the new time', () => {
  const refused = walk(modelOf('probe'), [...toClaim, 'reschedule scheduled', 'claim refused: other version'])
  expect(refused).toMatchObject({ status: 'scheduled', version: 2, due: false, lease: 'free', posts: [] })
  const again = ['reschedule scheduled', 'claim refused: other version', ...toClaim, 'claim and journal']
  const state = walk(modelOf('probe'), [...toClaim, ...again, 'call: accepted', 'commit published'])
  expect(state).toMatchObject({ status: 'published', posts: [0], publishedEvents: 1 })
})

test.each([
  ['claimed', [...toClaim, 'claim and journal']],
  ['unanswered', toUnanswered],
])('a post that is %s can be neither cancelled nor rescheduled', (_, story) => {
  const model = modelOf('two-phase')
  expect(stepsFrom(walk(model, story), model).filter(({ by }) => by === 'user')).toEqual([])
})

describe('an unknown outcome that was rescheduled', () => {
  const toUnknown = [
    ...toUnanswered,
    'late request lands',
    'sweeper sends to publish',
    'waits unclaimed',
    'claim to settle',
  ]
  const rescheduled = ['commit unknown', 'reschedule unknown', ...toClaim, 'claim to settle']

  test('is settled under its old artefact, and not sent again', () => {
    const story = [...toUnknown, 'settle: given up after 6 h', ...rescheduled, 'settle: landed', 'commit published']
    expect(walk(modelOf('two-phase'), story)).toMatchObject({ status: 'published', posts: [1], version: 2 })
  })

  test('is sent again by consent where nothing can be proven', () => {
    const again = ['settle: send again', 'journal', 'call: accepted', 'commit published']
    const story = [...toUnknown, 'settle: nothing can be proven', ...rescheduled, ...again]
    expect(walk(modelOf('none'), story)).toMatchObject({ status: 'published', posts: [0, 0], consented: true })
  })

  test('may be cancelled, with the warning that it may be live', () => {
    const story = [...toUnknown, 'settle: nothing can be proven', 'commit unknown', 'reschedule unknown', 'cancel']
    expect(walk(modelOf('none'), story)).toMatchObject({ status: 'cancelled', attempt: { version: 1 }, posts: [0] })
  })
})
