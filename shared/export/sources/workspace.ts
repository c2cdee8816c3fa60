import * as z from 'zod/mini'
import { batchGet } from '../../db/table.ts'
import { AccessTokenView, viewAccessToken } from '../../identity/access-token.ts'
import { listAccessTokens } from '../../identity/list-access-tokens.ts'
import { users } from '../../identity/user.ts'
import {
  type SocialAccount,
  SocialAccountView,
  socialAccounts,
  viewAccount,
} from '../../social-accounts/social-account.ts'
import { applications } from '../../workspaces/application-row.ts'
import { Invitation, invitations } from '../../workspaces/invitation.ts'
import { viewMember } from '../../workspaces/list-members.ts'
import { findVoice, voiceKeys } from '../../workspaces/voice.ts'
import { applicationKey, members, Workspace, workspaces } from '../../workspaces/workspace.ts'
import { partitionSource } from './source.ts'

const partition = (workspaceId: string) => workspaces.key({ id: workspaceId }).PK

const WorkspaceLine = z.omit(Workspace, { dataKey: true, endpoints: true, teamVersion: true })

/** The workspace itself: one line. */
export const workspaceSource = partitionSource({
  name: 'workspace',
  description: 'The workspace with its settings and its AI voice settings.',
  partition,
  prefix: workspaces.key({ id: '' }).SK,
  lines: async (ctx, rows, { workspaceId }) => {
    const fetched = await batchGet(ctx, voiceKeys({ workspaceId }))
    const voiceSettings = findVoice(fetched, workspaceId)
    return workspaces.readable(ctx, rows).map((row) => ({ ...z.parse(WorkspaceLine, row), voiceSettings }))
  },
})

export const memberSource = partitionSource({
  name: 'members',
  description: 'The members with their names, email addresses, and roles.',
  partition,
  prefix: members.key({ workspaceId: '', userId: '' }).SK,
  lines: async (ctx, rows) => {
    const team = members.readable(ctx, rows).filter(({ application }) => !application)
    const fetched = await batchGet(
      ctx,
      team.map(({ userId }) => users.key({ id: userId })),
    )
    return team.map((member) => viewMember(member, fetched))
  },
})

const InvitationLine = z.omit(Invitation, { workspaceId: true, tokenHash: true })

export const invitationSource = partitionSource({
  name: 'invitations',
  description: 'The invitations that have not expired, without their links.',
  partition,
  prefix: invitations.key({ workspaceId: '', id: '' }).SK,
  lines: (ctx, rows) => invitations.readable(ctx, rows).map((row) => z.parse(InvitationLine, row)),
})

const accountLine = (account: SocialAccount, mediaUrl: string) => {
  const { externalId, integratorId = null, details, createdAt } = account
  // In an export, `externalId` is the ID of the account at its platform, by which an import finds it again.
  return { ...z.parse(SocialAccountView, viewAccount(account, mediaUrl)), externalId, integratorId, details, createdAt }
}

export const socialAccountSource = partitionSource({
  name: 'social_accounts',
  description: 'The connected accounts, without credentials.',
  partition,
  prefix: socialAccounts.key({ workspaceId: '', id: '' }).SK,
  lines: (ctx, rows) => socialAccounts.readable(ctx, rows).map((account) => accountLine(account, ctx.env('MEDIA_URL'))),
})

/** The application of the workspace: one line, if it has one. Its child workspaces have exports of their own. */
export const applicationSource = partitionSource({
  name: 'application',
  description: 'The application of the workspace. Each child workspace has its own export.',
  partition,
  prefix: applicationKey('').SK,
  lines: (ctx, rows) => applications.readable(ctx, rows),
})

/** The tokens of all members for this workspace, and those of its application. */
export const accessTokenSource = partitionSource({
  name: 'access_tokens',
  description:
    'The personal access tokens for the workspace, and the tokens of its application: names, scopes, and times, no secrets.',
  partition,
  prefix: members.key({ workspaceId: '', userId: '' }).SK,
  lines: async (ctx, rows, { workspaceId }) => {
    const tokens = await Promise.all(members.readable(ctx, rows).map(({ userId }) => listAccessTokens(ctx, userId)))
    return tokens
      .flat()
      .filter((token) => token.workspaceId === workspaceId)
      .map((token) => ({ ...z.parse(AccessTokenView, viewAccessToken(token, null)), userId: token.userId }))
  },
})
