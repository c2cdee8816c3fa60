import * as z from 'zod/mini'
import type { Principal } from '../access/access.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { publicIdOf } from '../identity/access-token.ts'
import { wellFormed } from '../text/well-formed.ts'
import { allowsRedirect } from '../workspaces/redirect-urls.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type LinkIntent, linkSeconds, type NewLink, type ReturnTo } from './oauth-state.ts'
import { OwnerId } from './owner-id.ts'

/** The parameters of a link to connect an account. */
export const CreateConnectLink = z
  .strictObject({
    redirectUrl: z.optional(
      described(
        z.string().check(z.minLength(1), z.maxLength(400)),
        'Where the person returns afterwards. One of the `redirectUrls` of the workspace, character by character; only the port of `http://127.0.0.1`, `http://[::1]`, and `http://localhost` may differ. A session can also return to `/console` of the API: the link then asks nothing, in its browser only. Without it, a page of the service shows the outcome.',
      ),
    ),
    state: z.optional(
      described(
        z.string().check(z.minLength(1), z.maxLength(500), wellFormed),
        'Any text of yours, 1 to 500 characters. It comes back unchanged as the parameter `state` of the redirect. Needs `redirectUrl`.',
      ),
    ),
    externalId: z.optional(OwnerId),
    expiresInSeconds: z.optional(
      described(
        z.int().check(z.minimum(linkSeconds.least), z.maximum(linkSeconds.max)),
        `Seconds for which the link works, ${linkSeconds.least} to 604,800, seven days; ${linkSeconds.usual} by default. The login at the platform has ten minutes from the click.`,
      ),
    ),
  })
  .register(z.globalRegistry, {
    id: 'CreateConnectLinkRequest',
    description: 'Where the person returns, and the owner of the account.',
  })
type CreateConnectLink = z.infer<typeof CreateConnectLink>

/** A link to connect an account, as the API shows it. */
export const ConnectLinkView = z.object({
  id: described(z.string(), 'The ID of the link, `lnk_…`, to revoke it.'),
  authorizeUrl: described(z.string(), 'The URL of the page to open in the browser of the owner of the account.'),
  expiresAt: timestamp('When the link ends, in UTC.'),
})

const refuse = (field: 'redirectUrl' | 'state', code: 'redirect_url_not_allowed' | 'invalid_input', text: string) =>
  new Refusal('invalid', text, { code, field })

/** The session of a person who connects an account from the console, and returns there. */
const sessionInConsole = (ctx: Context, principal: Principal, { redirectUrl }: CreateConnectLink) =>
  principal.kind === 'session' && redirectUrl === `${ctx.env('BASE_URL')}/console` ? principal.session.id : undefined

/** Where the person returns, if the workspace allows it; undefined if they stay on a page of the service. */
const assertReturn = (
  { id, redirectUrls = [] }: Pick<Workspace, 'id' | 'redirectUrls'>,
  { redirectUrl: url, state }: CreateConnectLink,
  sessionId: string | undefined,
): ReturnTo | undefined => {
  if (url === undefined) {
    if (state === undefined) return undefined
    throw refuse('state', 'invalid_input', '"state" needs "redirectUrl", with which it comes back.')
  }
  if (sessionId !== undefined || allowsRedirect(redirectUrls, url))
    return { url, ...(state === undefined ? {} : { state }) }
  const fix = `Add it to "redirectUrls" with PATCH /api/workspaces/${id}, or send one of them unchanged.`
  throw refuse('redirectUrl', 'redirect_url_not_allowed', `The workspace does not allow this redirect URL. ${fix}`)
}

/** The creator of a link, with whom the link ends. */
const credentialOf = (principal: Principal): Pick<LinkIntent, 'tokenId' | 'sessionGeneration'> => {
  if (principal.kind === 'session') return { sessionGeneration: principal.session.generation }
  if (principal.kind === 'assistant') return { tokenId: principal.connectionId }
  return { tokenId: publicIdOf(principal.userId, principal.tokenId) }
}

/** The contents of a link without a platform: the workspace, the caller, and where the person returns. */
export const linkIntentOf = (
  ctx: Context,
  workspace: Pick<Workspace, 'id' | 'redirectUrls'>,
  principal: Principal,
  body: CreateConnectLink = {},
): LinkIntent & Pick<NewLink, 'expiresInSeconds'> => {
  const { userId } = principal
  const { externalId: integratorId, expiresInSeconds } = body
  const sessionId = sessionInConsole(ctx, principal, body)
  const returnTo = assertReturn(workspace, body, sessionId)
  return {
    userId,
    workspaceId: workspace.id,
    ...credentialOf(principal),
    ...(sessionId && { sessionId }),
    ...(integratorId && { integratorId }),
    ...(returnTo && { returnTo }),
    ...(expiresInSeconds === undefined ? {} : { expiresInSeconds }),
  }
}
