import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition } from '../../../shared/db/expression.ts'
import { type Post, posts } from '../../../shared/posts/lifecycle/row.ts'
import {
  changeable,
  claimable,
  type PostStateKind,
  preparable,
  reconcilable,
  stateOf,
} from '../../../shared/posts/lifecycle/state.ts'
import { postLifecycle, type TransitionName } from '../../../shared/posts/lifecycle/transitions.ts'
import { publicationWork } from '../../../shared/posts/lifecycle/work.ts'
import { preparableAlone } from '../../../shared/posts/lifecycle/writes.ts'
import { accepts } from '../../support/accepts.ts'
import { isFull } from '../../support/thin.ts'
import { nowMs, seenAndStored } from './rows.ts'

const kindOf = (post: Post): PostStateKind => stateOf(post, nowMs).kind

/** A tweet takes its turn and never loses it, so the conditions leave the turn to those who read the row. */
const leadsOn = (name: TransitionName, post: Post): boolean => {
  const kind = kindOf(post)
  return postLifecycle.mayFollow(name, kind === 'awaiting-turn' ? 'scheduled' : kind)
}

const isSame = (seen: Post, stored: Post): boolean => seen.status === stored.status && seen.version === stored.version

interface Case {
  when: (seen: Post, nowMs: number) => Condition
  /** What a caller sees. */
  from: (seen: Post) => boolean
  /** What has to be so when they write. */
  expected: (seen: Post, stored: Post) => boolean
}

const cases: Readonly<Record<string, Case>> = {
  claimable: {
    when: claimable,
    from: (seen) => leadsOn('claim', seen),
    expected: (seen, stored) => leadsOn('claim', stored) && seen.clientKey === stored.clientKey,
  },
  preparable: {
    when: preparable,
    from: (seen) => leadsOn('prepare', seen),
    expected: (_seen, stored) => leadsOn('prepare', stored),
  },
  'preparable alone': {
    when: preparableAlone,
    from: (seen) => leadsOn('beginPreparing', seen),
    expected: (_seen, stored) => leadsOn('beginPreparing', stored) && !((stored.prepareLeaseUntilMs ?? 0) > nowMs),
  },
  reconcilable: {
    when: reconcilable,
    from: (seen) => leadsOn('claimToReconcile', seen),
    expected: (_seen, stored) => leadsOn('claimToReconcile', stored),
  },
  'owned by its publisher': {
    when: publicationWork.ownsLease,
    from: (seen) => leadsOn('publish', seen),
    expected: (seen, stored) => seen.leaseToken === stored.leaseToken,
  },
  'free to be cancelled': {
    when: changeable,
    from: (seen) => leadsOn('cancel', seen),
    expected: (seen, stored) => leadsOn('cancel', stored) && seen.attempt?.version === stored.attempt?.version,
  },
  'free to be rescheduled after its end': {
    when: changeable,
    from: (seen) => seen.status === 'failed',
    expected: (_seen, stored) => leadsOn('reschedule', stored),
  },
  'free to be deleted after its end': {
    when: changeable,
    from: (seen) => seen.status !== 'scheduled',
    expected: (_seen, stored) => leadsOn('delete', stored),
  },
}

test.each(Object.entries(cases))('the table and the state agree on which post is %s', (_name, {
  when,
  from,
  expected,
}) => {
  const answers = { true: 0, false: 0 }
  fc.assert(
    fc.property(seenAndStored, ({ seen, stored }) => {
      fc.pre(from(seen))
      const answer = accepts(posts.item(stored), when(seen, nowMs))
      answers[`${answer}`] += 1
      expect(answer).toBe(isSame(seen, stored) && expected(seen, stored))
    }),
    { numRuns: isFull ? 4_000 : 2_500, seed: 20_301_122 },
  )
  expect(Math.min(answers.true, answers.false)).toBeGreaterThan(20)
})
