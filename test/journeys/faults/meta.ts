import { metaError } from '../../platforms/meta-error.ts'
import { type Cell, create, type FaultName, failed, late, lostAnswers, onTime } from './column.ts'

/** Meta refuses the create with this error. */
export const refused = (...error: Parameters<typeof metaError>) => ({ ...create, ...metaError(...error) })

/** It is looked for two minutes later and once more, and sent then. */
const settled = late(180, 200, 2)

/** The cells that are the same on all of Meta's platforms; what they refuse they refuse by name. */
export const metaCells = (name: string) =>
  ({
    'content rejected (400)': {
      scripts: [refused(100, undefined, 'a bad word')],
      outcome: failed('rejected', new RegExp(`${name} rejected the post: a bad word$`)),
    },
    'not allowed (403)': {
      scripts: [{ ...refused(10, undefined, 'not you'), status: 403 }],
      outcome: failed('permission_missing', /does not allow this account or app to do that: not you/, { lost: true }),
    },
    'target not found (404)': {
      scripts: [refused(100, 33, 'no such place')],
      outcome: failed('rejected', /no such place/),
    },
    'duplicate rejected (409, 422)': {
      scripts: [refused(506)],
      outcome: failed('duplicate_content', /as a duplicate of an earlier one/),
    },
    // Meta counts in minutes.
    '429 with a reset': { outcome: late(60, 70, 2) },
    // A quarter of an hour, and the sweeper's minute after it.
    '429 without a reset': { scripts: [refused(4)], outcome: late(900, 1080, 2) },
    ...lostAnswers(settled, onTime),
    'landed a minute after the timeout': { outcome: { ...onTime, late: [50, 70] } },
    '200 with an error inside': {
      scripts: [{ ...refused(1), status: 200 }],
      outcome: settled,
    },
  }) satisfies Partial<Record<FaultName, Cell>>

/** The cells of platforms with containers: their tokens are extended, and a container reports its status. */
export const containerCells = {
  // A token of today cannot be extended: its validity is checked.
  'token rejected permanently (401)': {
    scripts: [
      { ...create, fault: 'token_revoked' },
      { operation: 'profile', times: 1, fault: 'token_revoked' },
    ],
    outcome: failed('account_disconnected', /access was revoked or expired/, { lost: true }),
  },
  'token expires during publishing': { outcome: { ...onTime, creates: 2 } },
} satisfies Partial<Record<FaultName, Cell>>

/** A container reports this so many times. */
export const containerResponds = (times: number, body: object) =>
  ({ operation: 'status', times, fault: 'status', status: 200, body }) as const
