import type { Actor } from '../audit/actor.ts'
import type { Context } from '../context.ts'
import { type BatchRows, batchGet } from '../db/table.ts'
import { accessTokens, isLiveToken, rowIdOf } from '../identity/access-token.ts'
import { type User, users } from '../identity/user.ts'
import type { Page } from '../pages/layout.ts'
import type { Connection } from '../platforms/account.ts'
import { applications } from '../workspaces/application-row.ts'
import { assistantConnections } from '../workspaces/assistant-connection.ts'
import { withPlan } from '../workspaces/child-plan.ts'
import { hasAccess } from '../workspaces/subscription.ts'
import { members, type Workspace, workspaces } from '../workspaces/workspace.ts'
import { connectAccount } from './connect.ts'
import {
  type Brand,
  connectedSentence,
  expiredSentence,
  failedPage,
  notConnectedPage,
  type Returning,
} from './connect-pages.ts'
import { type ConnectIntent, type LinkIntent, returnUrl } from './oauth-state.ts'

/** The page for a link that has expired or was used. */
export const expiredPage = (ctx: Context): Page => notConnectedPage(ctx, expiredSentence)
/** The page for a callback in another browser than the one that started the login. */
export const otherBrowserPage = (ctx: Context): Page =>
  notConnectedPage(
    ctx,
    'This login was started in another browser, or cookies are disabled. Open the link to connect again, and stay in one browser.',
  )
/** The page for a link of the console in another browser, or after the session has ended. */
export const otherSessionPage = (ctx: Context): Page =>
  notConnectedPage(ctx, 'This link works only where you opened it in the console. Start again there.')
/** The page for a link whose creator has lost access to the workspace, or that has ended with its creator's credential. */
export const noAccessPage = (ctx: Context, of: Returning): Page =>
  failedPage(ctx, of, 'not_a_member', 'The access that this link was made with has ended. Ask for another link.')

type Requested = Pick<LinkIntent, 'userId' | 'workspaceId' | 'tokenId' | 'sessionGeneration'>

/** The token, or the connection of an assistant, that made a link; neither for a session. */
const makerOf = ({ userId, workspaceId, tokenId }: Requested) => {
  if (tokenId === undefined) return {}
  const id = rowIdOf(userId, tokenId)
  return id === undefined
    ? { connection: { workspaceId, userId, id: tokenId.slice(userId.length) } }
    : { token: { userId, id } }
}

const keysOf = (of: Requested) => {
  const { userId, workspaceId } = of
  const { token, connection } = makerOf(of)
  return [
    workspaces.key({ id: workspaceId }),
    members.key({ workspaceId, userId }),
    users.key({ id: userId }),
    ...(token === undefined ? [] : [accessTokens.key(token)]),
    ...(connection === undefined ? [] : [assistantConnections.key(connection)]),
  ]
}

/** Whether the token or the connection that made a link is live, or the sessions of its maker have not all been ended. */
const isMakerLive = (ctx: Context, rows: BatchRows, of: Requested): boolean => {
  const { token, connection } = makerOf(of)
  const nowMs = ctx.clock.now()
  if (token !== undefined) {
    const row = accessTokens.from(rows, token)
    return row !== undefined && isLiveToken(row, nowMs)
  }
  if (connection !== undefined) return (assistantConnections.from(rows, connection)?.expiresAtMs ?? 0) > nowMs
  const { userId, sessionGeneration: generation } = of
  return generation === undefined || generation === (users.from(rows, { id: userId })?.sessionGeneration ?? 0)
}

const workspaceIn = async (ctx: Context, rows: BatchRows, of: Requested): Promise<Workspace | undefined> => {
  const { userId, workspaceId } = of
  const stored = workspaces.from(rows, { id: workspaceId })
  const member = members.from(rows, { workspaceId, userId })
  if (member?.status !== 'active' || stored === undefined || !isMakerLive(ctx, rows, of)) return undefined
  const workspace = await withPlan(ctx, stored)
  return hasAccess(workspace.subscription, ctx.clock.now()) ? workspace : undefined
}

/** The workspace of a link or login, if its creator's credential can still connect accounts there. */
export const workspaceOf = async (ctx: Context, of: Requested): Promise<Workspace | undefined> =>
  workspaceIn(ctx, await batchGet(ctx, keysOf(of)), of)

/** A workspace as shown to the owner of an account: its name and logo, and in a child workspace those of the application. */
export const brandOf = async (ctx: Context, workspace: Workspace): Promise<Brand> => {
  const { application } = workspace
  return (application && (await applications.get(ctx, application))) ?? workspace
}

/** The brand, with the person who requested the connection: the owner of the session or token, otherwise the application. */
export const requestOf = async (
  ctx: Context,
  of: Requested,
): Promise<{ brand: Brand; requester: Pick<User, 'id' | 'name'> } | undefined> => {
  const rows = await batchGet(ctx, keysOf(of))
  const workspace = await workspaceIn(ctx, rows, of)
  if (workspace === undefined) return undefined
  const brand = await brandOf(ctx, workspace)
  const requester = workspace.application ? { ...brand, id: of.userId } : users.from(rows, { id: of.userId })
  return requester && { brand, requester }
}

/** The connected accounts: a sentence for each, and where the person returns with it. */
interface Stored {
  sentences: string[]
  back: string | undefined
}

/** Stores connections. */
export const storeConnections = async (
  ctx: Context,
  workspace: Workspace,
  { platform, integratorId, returnTo }: ConnectIntent,
  { connections, by }: { connections: readonly Connection[]; by: Actor },
): Promise<Stored> => {
  const brand = await brandOf(ctx, workspace)
  const [sentences, accountIds]: [string[], string[]] = [[], []]
  for (const connection of connections) {
    accountIds.push((await connectAccount(ctx, workspace, connection, { by, integratorId })).id)
    sentences.push(connectedSentence(brand, connection))
  }
  return { sentences, back: returnTo && returnUrl(returnTo, platform, { status: 'connected', accountIds }) }
}
