import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, anyOf, atLeast, below, equal } from '../db/expression.ts'
import { ConditionFailed, type Key, put, update } from '../db/table.ts'
import type { ErrorCode } from '../errors/catalog.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest, random62 } from '../ids.ts'
import { type PlatformId, platformIds } from '../resources.ts'
import { logSecurity } from '../security-log.ts'
import { dayMs, hourMs, minuteMs } from '../time.ts'

/** A login at a platform, and by default a link, is valid for so long. */
const lifeMs = 10 * minuteMs

/** How long a link is valid, in seconds. */
export const linkSeconds = { least: minuteMs / 1000, usual: lifeMs / 1000, max: (7 * dayMs) / 1000 } as const

/** Where a person returns after connecting: a URL that the workspace allowed when the link was created. */
export const ReturnTo = z.object({ url: z.string(), state: z.optional(z.string()) })
export type ReturnTo = z.infer<typeof ReturnTo>

/** The workspace of a connection, who requested it, and where the person returns. */
const LinkIntent = z.object({
  userId: z.string(),
  workspaceId: z.string(),
  /** The public id of the token, or of the assistant's connection, that created the link. */
  tokenId: z.optional(z.string()),
  /** The generation of the session that created it. */
  sessionGeneration: z.optional(z.number()),
  /** The session that connects an account from the console: the link works in no other. */
  sessionId: z.optional(z.string()),
  integratorId: z.optional(z.string()),
  /** The origin of the account's server, for platforms whose definition asks for it. */
  server: z.optional(z.string()),
  returnTo: z.optional(ReturnTo),
})
export type LinkIntent = z.infer<typeof LinkIntent>

/** A connection to one platform. */
export const ConnectIntent = z.extend(LinkIntent, { platform: z.enum(platformIds) })
export type ConnectIntent = z.infer<typeof ConnectIntent>

/** A link as stored. Without `platform`, its page asks for one. */
const StoredLink = z.extend(LinkIntent, {
  platform: z.optional(z.enum(platformIds)),
  providerName: z.optional(z.string()),
  /** The platforms to choose from; all if absent. A newer release may know more of them. */
  platforms: z.optional(z.array(z.string())),
  /** `connections`: its page lists the accounts of `integratorId`, and does not connect any itself. */
  opens: z.optional(z.string()),
  expiresAtMs: z.number(),
  /** The browser that has used the link last. */
  browserHash: z.optional(z.string()),
  /** Until when the link belongs to that browser; to the end if absent. */
  boundUntilMs: z.optional(z.number()),
  /** How often a login was tried on our own page (Bluesky), or a link for a platform was made. */
  attempts: z.optional(z.int()),
  usedAtMs: z.optional(z.number()),
  revokedAtMs: z.optional(z.number()),
  /** The result of our page, in sentences, and where the person returns with it. */
  outcome: z.optional(z.array(z.string())),
  returnUrl: z.optional(z.string()),
})
export type StoredLink = z.infer<typeof StoredLink>

/** A link to connect an account of one platform. */
export type ConnectLink = StoredLink & Pick<ConnectIntent, 'platform'> & { providerName: string }

/** Whether a link is for one platform. Its page asks for the platform of any other. */
export const isForPlatform = (link: StoredLink): link is ConnectLink => link.platform !== undefined

/** A login in progress at a platform. */
const OAuthState = z.extend(ConnectIntent, {
  /** Proves at the token endpoint that the login began here (RFC 7636); useless without the code. */
  codeVerifier: z.string(),
  /** Where the login has to end. A row without it comes from a release in which all servers of a platform shared one. */
  redirectUri: z.optional(z.string()),
  browserHash: z.string(),
  expiresAtMs: z.number(),
  usedAtMs: z.optional(z.number()),
})
type OAuthState = z.infer<typeof OAuthState>

const linkRow = (ticketHash: string): Key => ({ PK: `OAUTH#${ticketHash}`, SK: 'LINK' })
const linkKey = (ticket: string): Key => linkRow(digest(ticket))
const linkPrefix = 'lnk_'
/** The ID of the link of a ticket. */
export const linkIdOf = (ticket: string): string => `${linkPrefix}${digest(ticket)}`
const stateKey = (state: string): Key => ({ PK: `OAUTH#${digest(state)}`, SK: 'STATE' })

const expiry = (ctx: Context, validMs = lifeMs) => {
  const expiresAtMs = ctx.clock.now() + validMs
  // An expired row is retained for an hour, so that a person who is late returns to the app that sent them.
  return { expiresAtMs, ttl: Math.ceil((expiresAtMs + hourMs) / 1000) }
}

/** A link to connect an account, as its page and its API have it. */
export interface CreatedLink {
  id: string
  authorizeUrl: string
  expiresAt: string
}

/** The parameters of a link. */
export type NewLink = LinkIntent &
  Pick<StoredLink, 'platform' | 'providerName' | 'platforms' | 'opens'> & { expiresInSeconds?: number | undefined }

/** The key of the link of a ticket, for a read together with other rows. */
export const linkKeyOf = linkKey

/** The link in a row, also after it expired. */
export const storedLink = (row: unknown): StoredLink | undefined =>
  row === undefined ? undefined : z.parse(StoredLink, row)

/** Whether a link can still be used. */
export const isValidLink = (ctx: Context, { expiresAtMs }: StoredLink): boolean => expiresAtMs >= ctx.clock.now()

/**
 * Binds a link to a browser, which may use it again, for the duration of a login; false for any other browser until then,
 * and for an expired link.
 */
export const claimLink = (ctx: Context, ticket: string, browser: string): Promise<boolean> => {
  const browserHash = digest(browser)
  const nowMs = ctx.clock.now()
  const free = anyOf(absent('browserHash'), equal('browserHash', browserHash), below('boundUntilMs', nowMs))
  const good = allOf(equal('type', 'ConnectLink'), atLeast('expiresAtMs', nowMs), free)
  return wasCurrent(update(ctx, linkKey(ticket), { set: { browserHash, boundUntilMs: nowMs + lifeMs } }, good))
}

/** The guesses of one link; for more, a caller requests another link. */
const maxLogins = 10
/** How often one link can create a link for a platform: each of those allows a separate number of guesses. */
export const maxChoices = 30

/** Counts a login on our own page, or a choice; false for a link that was used, has expired, or had all of `most`. */
export const countAttempt = (ctx: Context, ticket: string, max = maxLogins): Promise<boolean> => {
  const few = anyOf(absent('attempts'), below('attempts', max))
  const good = [equal('type', 'ConnectLink'), atLeast('expiresAtMs', ctx.clock.now()), absent('usedAtMs')]
  return wasCurrent(update(ctx, linkKey(ticket), { add: { attempts: 1 } }, allOf(...good, few)))
}

/** Consumes a link after a login on our own page; false if another submission was faster. */
export const consumeLink = (ctx: Context, ticket: string): Promise<boolean> => {
  const fresh = allOf(equal('type', 'ConnectLink'), absent('usedAtMs'))
  return wasCurrent(update(ctx, linkKey(ticket), { set: { usedAtMs: ctx.clock.now() } }, fresh))
}

/**
 * Creates the `state` of an authorization request (RFC 6749, section 4.1.1), bound to a browser; stored only as a hash.
 */
export const createState = async (
  ctx: Context,
  { redirectUri, ...intent }: ConnectIntent & { redirectUri: string },
  browser: string,
): Promise<{ state: string; codeVerifier: string }> => {
  const state = random62(43)
  const codeVerifier = randomBytes(32).toString('base64url')
  const of = { ...z.parse(ConnectIntent, intent), codeVerifier, redirectUri, browserHash: digest(browser) }
  await put(ctx, { ...stateKey(state), type: 'OAuthState', ...of, ...expiry(ctx) }, absent('PK'))
  return { state, codeVerifier }
}

/** Why a `state` is rejected; with its row only in the browser that it belongs to. */
type StateRefusal = { refused: 'other-browser' | 'unknown' } | { refused: 'expired'; begun: OAuthState }

/**
 * Consumes a `state`. It works once, for ten minutes, at the redirect URI of its authorization request, and in the same
 * browser. If the redirect URI or the browser differs, the state is left to the right one. `shared`: the redirect URI is
 * that of the whole platform, where logins of an earlier release end.
 */
export const consumeState = async (
  ctx: Context,
  { platform, redirectUri, shared }: { platform: PlatformId; redirectUri: string; shared: boolean },
  state: string,
  browser: string | undefined,
): Promise<OAuthState | StateRefusal> => {
  const now = ctx.clock.now()
  const browserHash = digest(browser ?? '')
  const here = shared
    ? anyOf(equal('redirectUri', redirectUri), absent('redirectUri'))
    : equal('redirectUri', redirectUri)
  const fresh = [equal('platform', platform), here, atLeast('expiresAtMs', now), absent('usedAtMs')]
  try {
    const mine = allOf(...fresh, equal('browserHash', browserHash))
    return z.parse(OAuthState, await update(ctx, stateKey(state), { set: { usedAtMs: now } }, mine))
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error
    const begun = error.row === undefined ? undefined : z.parse(OAuthState, error.row)
    const isHere = begun?.platform === platform && (begun.redirectUri ?? (shared ? redirectUri : '')) === redirectUri
    if (!isHere || begun.usedAtMs !== undefined) return { refused: 'unknown' }
    if (begun.expiresAtMs >= now) return { refused: 'other-browser' }
    return begun.browserHash === browserHash ? { refused: 'expired', begun } : { refused: 'unknown' }
  }
}

/**
 * Creates a link to the page that connects an account; it expires after ten minutes, or after `expiresInSeconds`. Its
 * ticket, which only the URL has, is stored as a hash, and the hash is the ID.
 */
export const createLink = async (ctx: Context, { expiresInSeconds, ...of }: NewLink): Promise<CreatedLink> => {
  const ticket = random62(43)
  const valid = expiry(ctx, expiresInSeconds === undefined ? lifeMs : expiresInSeconds * 1000)
  await put(ctx, { ...linkKey(ticket), type: 'ConnectLink', ...of, ...valid }, absent('PK'))
  if (of.opens === undefined) logSecurity(ctx, 'connection_started', { platform: of.platform })
  else logSecurity(ctx, 'connections_link_created')
  return {
    id: linkIdOf(ticket),
    authorizeUrl: `${ctx.env('BASE_URL')}/connect-accounts?ticket=${ticket}`,
    expiresAt: new Date(valid.expiresAtMs).toISOString(),
  }
}

/** Ends a link of a workspace; a login that has begun with it can still end. Throws 404 if it has no link with this ID. */
export const revokeLink = async (ctx: Context, workspaceId: string, id: string): Promise<void> => {
  const key = linkRow(id.startsWith(linkPrefix) ? id.slice(linkPrefix.length) : '')
  const nowMs = ctx.clock.now()
  const own = allOf(equal('type', 'ConnectLink'), equal('workspaceId', workspaceId))
  // An expired link shows where its person can return to.
  const isOwn = await wasCurrent(update(ctx, key, { set: { expiresAtMs: nowMs - 1, revokedAtMs: nowMs } }, own))
  if (isOwn) return
  throw new Refusal('missing', 'This workspace has no connect link with this ID, or it expired.', {
    code: 'connect_link_not_found',
  })
}

/** The result of connecting, for the app that the person returns to. */
export type Outcome =
  | { status: 'connected'; accountIds: readonly string[] }
  | { status: 'cancelled' }
  | { status: 'failed'; error: ErrorCode }

const accountsOf = (ids: readonly string[]): Record<string, string> =>
  ids.length === 1 ? { accountId: ids.join() } : { accountIds: ids.join(',') }

/** The URL with the outcome after its existing query; without a platform if none was chosen. */
export const returnUrl = ({ url, state }: ReturnTo, platform: PlatformId | undefined, outcome: Outcome): string => {
  const query = new URLSearchParams({
    status: outcome.status,
    ...(platform === undefined ? {} : { platform }),
    ...(outcome.status === 'connected' ? accountsOf(outcome.accountIds) : {}),
    ...(outcome.status === 'failed' ? { error: outcome.error } : {}),
    ...(state === undefined ? {} : { state }),
  })
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

/** The host that the person returns to, as browsers show it: an internationalized name in its ASCII form. */
export const returnHost = ({ url }: ReturnTo): string => new URL(url).host
