import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent, allOf, anyOf, equal, present } from '../db/expression.ts'
import { transact, type Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { type Credential, credentials } from './credential.ts'
import { type Session, sessions } from './session.ts'
import { users } from './user.ts'

/**
 * The writes that begin a new generation of sessions, which ends any number of older sessions in one write; one session may
 * move to the new generation. A concurrent sign-in that checked the old password opens a session that has already ended: it
 * gets the generation that the sign-in read.
 */
export const nextGeneration = (
  { email, userId, sessionGeneration = 0 }: Credential,
  { keep, set = {} }: { keep?: Session; set?: { passwordHash?: string } },
): Write[] => {
  const change = { set: { sessionGeneration: sessionGeneration + 1 } }
  const unmoved = anyOf(equal('sessionGeneration', sessionGeneration), absent('sessionGeneration'))
  return [
    {
      update: credentials.key({ email }),
      change: { set: { ...change.set, ...set } },
      when: allOf(equal('userId', userId), equal('verified', true), unmoved),
    },
    { update: users.key({ id: userId }), change, when: allOf(present('PK'), unmoved) },
    ...(keep === undefined
      ? []
      : [
          {
            update: sessions.key(keep),
            change: { set: { generation: sessionGeneration + 1 } },
            when: allOf(present('PK'), equal('generation', sessionGeneration)),
          },
        ]),
  ]
}

const overtaken = () =>
  new Refusal('conflict', 'The account changed during the request. Try again.', { code: 'concurrent_update' })

/** Ends every session of a person except this one, in one transaction with the writes `beside`. */
export const endOtherSessions = async (
  ctx: Context,
  session: Session,
  credential: Credential,
  { set = {}, beside = [] }: { set?: { passwordHash?: string }; beside?: readonly Write[] } = {},
): Promise<void> => {
  const written = transact(ctx, () => [...nextGeneration(credential, { keep: session, set }), ...beside])
  await currentOrThrow(written, overtaken)
}
