import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { digest } from '../ids.ts'

/** No vowels, so that no words appear; no letters that look alike (RFC 8628, 6.1). */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

export const userCodeLength = 8

/** The code that a device shows and a person types; the row leads from its hash to the pending login. */
export const UserCode = z.object({
  codeHash: z.string(),
  deviceHash: z.string(),
  expiresAt: z.string(),
  /** The last person who typed the code: only they can see and answer the login. */
  claimedBy: z.optional(z.string()),
})
export type UserCode = z.infer<typeof UserCode>

export const userCodes = entity({
  type: 'UserCode',
  shape: UserCode,
  key: ({ codeHash }: Pick<UserCode, 'codeHash'>) => ({ PK: `UC#${codeHash}`, SK: 'UC' }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

export const newUserCode = (): string =>
  Array.from({ length: userCodeLength }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join('')

/** The code as shown: `XXXX-XXXX`. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The eight letters of a typed code, with or without a dash; undefined if it cannot be a code. */
export const readUserCode = (typed: string): string | undefined => {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '')
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(letters) ? letters : undefined
}

export const hashUserCode = (code: string): string => digest(`user code\n${code}`)
