import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { tokenInCookie } from '../identity/cookie.ts'
import { liveSession, type Session, sessionKeys } from '../identity/session.ts'
import { readToken, sameHash } from '../identity/token.ts'
import { digest } from '../ids.ts'

/** A signed-in person who opens a page. */
export interface Visitor {
  session: Session
  /** A token in every form that must be sent back with it: only our pages know it. */
  formKey: string
}

/** The visitor whose session is in the cookie; undefined if there is none. */
export const visitorOf = async (ctx: Context, event: APIGatewayProxyEvent): Promise<Visitor | undefined> => {
  const token = tokenInCookie(ctx, event)
  const parts = token === undefined ? undefined : await readToken(ctx, token)
  if (token === undefined || parts?.kind !== 'ses') return undefined
  const session = liveSession(await batchGet(ctx, sessionKeys(parts)), parts, ctx.clock.now())
  return session === undefined ? undefined : { session, formKey: digest(`form key\n${token}`) }
}

/** Rejects a form that was not made for this session. */
export const assertFormKey = ({ formKey }: Visitor, sent: string | undefined): void => {
  if (sent !== undefined && sameHash(formKey, sent)) return
  throw new Refusal('forbidden', 'This form belongs to another sign-in. Go back, reload the page, and try again.', {
    code: 'invalid_form_key',
  })
}
