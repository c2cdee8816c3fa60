import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, anyOf, atLeast, equal } from '../db/expression.ts'
import { ConditionFailed, type Key, put, update } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { type PlatformId, platformIds } from '../resources.ts'
import { minuteMs } from '../time.ts'

const lifeMs = 10 * minuteMs

/** The workspace and platform of a connection, and who requested it. */
const ConnectIntent = z.object({
  userId: z.string(),
  workspaceId: z.string(),
  platform: z.enum(platformIds),
})
export type ConnectIntent = z.infer<typeof ConnectIntent>

/** A link to connect an account, with who created it. */
const ConnectLink = z.extend(ConnectIntent, {
  providerName: z.string(),
  name: z.string(),
  email: z.string(),
  expiresAtMs: z.number(),
  /** The browser that has used the link; no other browser can. */
  browserHash: z.optional(z.string()),
})
export type ConnectLink = z.infer<typeof ConnectLink>

/** A login in progress at a platform. */
const OAuthState = z.extend(ConnectIntent, {
  /** Proves at the token endpoint that the login began here (RFC 7636); useless without the code. */
  codeVerifier: z.string(),
})
export type OAuthState = z.infer<typeof OAuthState>

const linkKey = (ticket: string): Key => ({ PK: `OAUTH#${digest(ticket)}`, SK: 'LINK' })
const stateKey = (state: string): Key => ({ PK: `OAUTH#${digest(state)}`, SK: 'STATE' })

const expiry = (ctx: Context) => {
  const expiresAtMs = ctx.clock.now() + lifeMs
  return { expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) }
}

/** Creates a link that expires after ten minutes; returns its ticket, which is stored only as a hash. */
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

/** The link in a row until it expires. */
export const validLinkIn = (ctx: Context, row: unknown): ConnectLink | undefined => {
  const link = row === undefined ? undefined : z.parse(ConnectLink, row)
  return link && link.expiresAtMs >= ctx.clock.now() ? link : undefined
}

/** Binds a link to a browser, which may use it again; false for any other browser, and for an expired link. */
export const claimLink = (ctx: Context, ticket: string, browser: string): Promise<boolean> => {
  const browserHash = digest(browser)
  const free = anyOf(absent('browserHash'), equal('browserHash', browserHash))
  const good = allOf(equal('type', 'ConnectLink'), atLeast('expiresAtMs', ctx.clock.now()), free)
  return wasCurrent(update(ctx, linkKey(ticket), { set: { browserHash } }, good))
}

/**
 * Creates the `state` of an authorization request (RFC 6749, section 4.1.1), bound to a browser; stored only as a hash.
 */
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
 * Consumes a `state`. It works once, for ten minutes, for its own platform, and in its own browser. Returns
 * `other-browser` if only the browser differs, and leaves the state to the right one.
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
