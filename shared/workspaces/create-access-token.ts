import * as z from 'zod/mini'
import type { Actor } from '../audit/actor.ts'
import { commit, type Unit } from '../commit/commit.ts'
import type { Context } from '../context.ts'
import { currentOrThrow } from '../db/condition-failed.ts'
import { absent } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import {
  type AccessToken,
  AccessTokenView,
  accessTokens,
  auditedToken,
  publicIdOf,
  viewAccessToken,
} from '../identity/access-token.ts'
import { Name } from '../identity/name.ts'
import { enqueueNotice, makeNotice, type Notice, storeNotice } from '../identity/notice.ts'
import { tokenInEmail } from '../identity/notice-emails.ts'
import { scopes as knownScopes } from '../identity/scope.ts'
import { mintToken } from '../identity/token.ts'
import { logSecurity } from '../security-log.ts'
import { dayMs } from '../time.ts'
import { notAMember } from './assert-membership.ts'
import { countToken } from './count-token.ts'

const allScopes: readonly string[] = [...knownScopes, '*']

const ScopeName = z
  .string()
  .check(
    z.refine((name) => allScopes.includes(name), {
      error: ({ input }) => `contains the unknown scope ${JSON.stringify(input)}. Use ${allScopes.join(', ')}`,
    }),
  )
  .register(z.globalRegistry, { enum: [...allScopes] })

/** Decided: a token expires after a year unless the request sets another time, or null. */
const usualDays = 365

export const CreateAccessToken = z.strictObject({
  name: described(Name, 'A name to recognize the token by, 1 to 80 characters.'),
  workspaceId: described(
    z.string().check(z.maxLength(100)),
    'The ID of the workspace that the token works in, `ws_…`. You must be a member.',
  ),
  scopes: described(
    z.optional(z.array(ScopeName).check(z.maxLength(50))),
    'What the token allows. By default `workspace:read` and `posts:read`; `*` stands for all scopes.',
  ),
  expiresInDays: described(
    z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(3650)))),
    `Days until the token expires; ${usualDays} by default, null for a token that never expires.`,
  ),
})
export type CreateAccessToken = z.infer<typeof CreateAccessToken>

/** A new token with its plain text, which is shown once. */
export const NewAccessToken = z.extend(
  z.pick(AccessTokenView, { id: true, name: true, workspaceId: true, scopes: true, createdAt: true, expiresAt: true }),
  { token: described(z.string(), 'The token itself, `svc_pat_…`. It is shown only here: store it now.') },
)

// Decided: the small default set of the specification (Authentication 5).
const defaultScopes = ['workspace:read', 'posts:read']

/** Days before the expiry of a token at which its owner gets a warning. */
const warnedDays = [30, 7] as const

/** The owner of the token: a person, or an application. `notified` is the person who creates it. */
interface TokenOwner {
  kind: 'pat' | 'app'
  notified: string
  /** Counts the token in the membership that it belongs to; the write named `membership` fails without access. */
  count: readonly Write[]
}

/** The emails about a new token: that it was created, and that it expires soon if it lives longer than the warning. */
const noticesAbout = (
  ctx: Context,
  row: AccessToken,
  { kind, notified }: Pick<TokenOwner, 'kind' | 'notified'>,
): { created: Notice; warnings: readonly Notice[] } => {
  const { id, userId, name, scopes, createdAt, expiresAt } = row
  const token = tokenInEmail(publicIdOf(userId, id), name, kind)
  const application = kind === 'app' ? { application: userId } : {}
  const facts = { token, scopes: scopes.join(', '), ...application, ...(expiresAt === null ? {} : { expiresAt }) }
  const lifeMs = expiresAt === null ? 0 : Date.parse(expiresAt) - Date.parse(createdAt)
  const warnings = warnedDays
    .filter((days) => lifeMs > days * dayMs)
    .map((days) => {
      const about = { tokenId: id, token, days: String(days), expiresAt: expiresAt ?? '', ...application }
      return makeNotice(ctx, notified, 'token-expiring', {
        facts: about,
        dueAtMs: Date.parse(createdAt) + lifeMs - days * dayMs,
      })
    })
  return { created: makeNotice(ctx, notified, 'token-created', { facts }), warnings }
}

/** Another token of this person has the same four characters as its id, about once in ten million. */
const idTaken = () =>
  new Refusal('conflict', 'The id of the new token is already taken. Try again.', { code: 'concurrent_update' })

/** Creates a token for a workspace. The caller has checked that the person is a member, who may have been removed since. */
export const createAccessToken = async (
  ctx: Context,
  userId: string,
  {
    name,
    workspaceId,
    owner = { kind: 'pat', notified: userId, count: [countToken({ workspaceId, userId })] },
    scopes = [],
    expiresInDays = usualDays,
  }: CreateAccessToken & { owner?: TokenOwner },
  by: Actor,
): Promise<z.infer<typeof NewAccessToken>> => {
  const nowMs = ctx.clock.now()
  const { token, tokenId, secretHash } = await mintToken(ctx, owner.kind, userId)
  const row: AccessToken = {
    id: tokenId,
    userId,
    workspaceId,
    name,
    scopes: scopes.length > 0 ? [...new Set(scopes)] : defaultScopes,
    secretHash,
    createdAt: new Date(nowMs).toISOString(),
    expiresAt: expiresInDays === null ? null : new Date(nowMs + expiresInDays * dayMs).toISOString(),
    revokedAt: null,
  }
  const shown = { ...viewAccessToken(row, null), token }
  const { created, warnings } = noticesAbout(ctx, row, owner)
  const notices = [created, ...warnings].map(storeNotice)
  const unit: Unit = {
    writes: [{ as: 'token', put: accessTokens.item(row), when: absent('PK') }, ...owner.count, ...notices],
    audit: { by, action: 'token.created', target: { type: 'token', id: shown.id }, after: auditedToken(row) },
    response: { data: shown, id: shown.id },
  }
  const made = currentOrThrow(commit(ctx, { id: workspaceId }, unit), idTaken, 'token')
  await currentOrThrow(made, notAMember, 'membership')
  logSecurity(ctx, 'authn_token_created', {
    userId,
    targetTokenId: tokenId,
    workspaceId,
    scopes: row.scopes.join(' '),
    expiresAt: row.expiresAt ?? 'never',
  })
  await enqueueNotice(ctx, created)
  return shown
}
