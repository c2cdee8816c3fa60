import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent, allOf, anyOf, atLeast, equal } from '../db/expression.ts'
import { ConditionFailed, type Key, put, update } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { type PlatformId, platformIds } from '../resources.ts'

const lifeMs = 10 * 60_000

/** What an account will be connected to, and who asked for it. */
const ConnectIntent = z.object({
  userId: z.string(),
  workspaceId: z.string(),
  platform: z.enum(platformIds),
})
export type ConnectIntent = z.infer<typeof ConnectIntent>

/** A link to connect an account. It says who asked, for the page that it opens. */
const ConnectLink = z.extend(ConnectIntent, {
  providerName: z.string(),
  name: z.string(),
  email: z.string(),
  expiresAtMs: z.number(),
  /** The browser that has used the link; nobody else can from then on. */
  browserHash: z.optional(z.string()),
})
export type ConnectLink = z.infer<typeof ConnectLink>

/** A login at a platform, remembered while the person is there. */
const OAuthState = z.extend(ConnectIntent, {
  /** Proves at the token endpoint that the login was begun here (RFC 7636); worth nothing without the code. */
  codeVerifier: z.string(),
})
export type OAuthState = z.infer<typeof OAuthState>

const linkKey = (ticket: string): Key => ({ PK: `OAUTH#${digest(ticket)}`, SK: 'LINK' })
const stateKey = (state: string): Key => ({ PK: `OAUTH#${digest(state)}`, SK: 'STATE' })

const expiry = (ctx: Context) => {
  const expiresAtMs = ctx.clock.now() + lifeMs
  return { expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) }
}

/** Makes a link that is good for ten minutes; answers its ticket, which is stored only as a hash. */
export const createLink = async (
  ctx: Context,
  link: Omit<ConnectLink, 'expiresAtMs' | 'browserHash'>,
): Promise<string> => {
  const ticket = random62(43)
  await put(ctx, { ...linkKey(ticket), type: 'ConnectLink', ...link, ...expiry(ctx) }, absent('PK'))
  return ticket
}

/** The key of the link of a ticket, for a read together with other rows. */
export const linkKeyOf = linkKey

/** The link in a row, while it is good. */
export const validLinkIn = (ctx: Context, row: unknown): ConnectLink | undefined => {
  const link = row === undefined ? undefined : z.parse(ConnectLink, row)
  return link && link.expiresAtMs >= ctx.clock.now() ? link : undefined
}

/** Uses a link with a browser. The same browser may use it again; false for any other, and for a link that is over. */
export const claimLink = async (ctx: Context, ticket: string, browser: string): Promise<boolean> => {
  const browserHash = digest(browser)
  const free = anyOf(absent('browserHash'), equal('browserHash', browserHash))
  const good = allOf(equal('type', 'ConnectLink'), atLeast('expiresAtMs', ctx.clock.now()), free)
  return update(ctx, linkKey(ticket), { set: { browserHash } }, good).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ConditionFailed) return false
      throw error
    },
  )
}

/** A state for the way to the platform and back, bound to the browser that goes there. It is stored only as a hash. */
export const createState = async (
  ctx: Context,
  { userId, workspaceId, platform }: ConnectIntent,
  browser: string,
): Promise<{ state: string; codeVerifier: string }> => {
  const state = random62(43)
  const codeVerifier = randomBytes(32).toString('base64url')
  const of = { userId, workspaceId, platform, codeVerifier, browserHash: digest(browser) }
  await put(ctx, { ...stateKey(state), type: 'OAuthState', ...of, ...expiry(ctx) }, absent('PK'))
  return { state, codeVerifier }
}

/**
 * What a state stands for. It works once, for ten minutes, for its own platform and in its own browser; `other-browser` tells
 * that all is well but the browser, and leaves the state to the right one.
 */
export const consumeState = async (
  ctx: Context,
  platform: PlatformId,
  state: string,
  browser: string | undefined,
): Promise<OAuthState | 'other-browser' | undefined> => {
  const now = ctx.clock.now()
  const browserHash = digest(browser ?? '')
  const fresh = [equal('platform', platform), atLeast('expiresAtMs', now), absent('usedAtMs')]
  try {
    const mine = allOf(...fresh, equal('browserHash', browserHash))
    return z.parse(OAuthState, await update(ctx, stateKey(state), { set: { usedAtMs: now } }, mine))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const { row } = error
    const isFresh = row?.['platform'] === platform && Number(row['expiresAtMs']) >= now && row['usedAtMs'] === undefined
    return isFresh ? 'other-browser' : undefined
  }
}
