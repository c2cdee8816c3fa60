import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { singleLine } from '../text/single-line.ts'
import { wellFormed } from '../text/well-formed.ts'

/** The integrator's own id of the owner of an account. */
export const OwnerId = described(
  z.string().check(z.minLength(1), z.maxLength(200), singleLine, wellFormed),
  'The id of the owner in your own system, 1 to 200 characters. The account and its events have it, and `GET /api/social-accounts?externalId=` finds it. It need not be unique. A reconnect without it keeps the last one.',
)
