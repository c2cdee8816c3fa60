import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { discordSeed } from '../../infra/local/platforms/discord/seed.ts'
import type { Context } from '../../shared/context.ts'
import { allOf, begins, equal } from '../../shared/db/expression.ts'
import { keyOf, put, queryAll, transact } from '../../shared/db/table.ts'
import { notices } from '../../shared/identity/notice.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { type User, users } from '../../shared/identity/user.ts'
import { random62 } from '../../shared/ids.ts'
import type { Connection } from '../../shared/platforms/account.ts'
import { connect as signInToBluesky } from '../../shared/platforms/bluesky/connect.ts'
import { createWorkspace } from '../../shared/workspaces/create.ts'
import { createAccessToken } from '../../shared/workspaces/create-access-token.ts'
import { type Workspace, workspaces } from '../../shared/workspaces/workspace.ts'
import { connectedBefore } from './connected-before.ts'
import { tester } from './tester.ts'

/** A user with their own workspace, both tokens, and an account on every platform. */
export interface Seed {
  user: User
  workspaceId: string
  sessionToken: string
  pat: string
  /** The ids of the connected accounts. */
  accounts: { bluesky: string; discord: string }
}

/** The server as Discord names it once the bot has joined. */
const discord: Connection = {
  platform: 'discord',
  providerName: 'Discord',
  externalId: discordSeed.guild.id,
  username: discordSeed.guild.name,
  displayName: discordSeed.guild.name,
  profileImageUrl: null,
  credentials: {},
  details: {},
}

/** A user with a session. */
export const makePerson = async (ctx: Context): Promise<{ user: User; sessionToken: string }> => {
  const id = random62(12)
  const email = `${id.toLowerCase()}@example.com`
  const user = { id, email, name: 'Ann', createdAt: new Date(ctx.clock.now()).toISOString() }
  await put(ctx, users.item(user))
  const { token } = await openSession(ctx, { userId: id, email, name: user.name, userAgent: 'test' })
  return { user, sessionToken: token }
}

const connectAccounts = async (ctx: Context, workspace: Workspace): Promise<Seed['accounts']> => {
  const { handle: identifier, appPassword } = blueskySeed.account
  const bluesky = await connectedBefore(ctx, workspace, await signInToBluesky(ctx, { identifier, appPassword }))
  return { bluesky: bluesky.id, discord: (await connectedBefore(ctx, workspace, discord)).id }
}

/** Removes the mails about what the seed has done: no test expects them. */
const discardNotices = async (ctx: Context, userId: string) => {
  const { PK, SK } = notices.key({ userId, id: '' })
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  await transact(ctx, () => rows.map((row) => ({ delete: keyOf(row) })))
}

/** Makes the seed directly, not through the API. */
export const makeSeed = async (ctx: Context): Promise<Seed> => {
  const { user, sessionToken } = await makePerson(ctx)
  const { id } = await createWorkspace(ctx, user.id, { name: 'Acme', timezone: 'UTC' }, tester)
  const tokenInput = { name: 'test', workspaceId: id, scopes: ['*'] }
  const { token: pat } = await createAccessToken(ctx, user.id, tokenInput, tester)
  await discardNotices(ctx, user.id)
  const workspace = await workspaces.get(ctx, { id })
  if (workspace === undefined) throw new Error('the workspace is not there')
  return { user, workspaceId: id, sessionToken, pat, accounts: await connectAccounts(ctx, workspace) }
}
