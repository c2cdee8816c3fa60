import { batchGet } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import type { RequestContext } from '../http/request-context.ts'
import { tokenInCookie } from '../identity/cookie.ts'
import { liveSession, type Session, sessionKeys } from '../identity/session.ts'
import { readToken, sameHash } from '../identity/token.ts'
import { digest } from '../ids.ts'
import { intakeKeys, isIntakePaused } from '../pauses/intake.ts'

/** A signed-in person who opens a page. */
export interface Visitor {
  session: Session
  /** A token that every form must send back: only our pages know it. */
  formKey: string
  /** Whether the operator has paused the intake, if this visit may change something. */
  isRefused: boolean
}

/** The visitor whose session is in the cookie; undefined if there is none. */
export const visitorOf = async ({ ctx, event, contract }: RequestContext): Promise<Visitor | undefined> => {
  const token = tokenInCookie(ctx, event)
  const parts = token === undefined ? undefined : await readToken(ctx, token)
  if (token === undefined || parts?.kind !== 'ses') return undefined
  const rows = await batchGet(ctx, [...sessionKeys(parts), ...intakeKeys(contract)])
  const session = liveSession(rows, parts, ctx.clock.now())
  if (session === undefined) return undefined
  return { session, formKey: digest(`form key\n${token}`), isRefused: isIntakePaused(rows) }
}

/** Rejects a form that was not made for this session. */
export const assertFormKey = ({ formKey }: Visitor, sent: string | undefined): void => {
  if (sent !== undefined && sameHash(formKey, sent)) return
  throw new Refusal('forbidden', 'This form belongs to another sign-in. Go back, reload the page, and try again.', {
    code: 'invalid_form_key',
  })
}
