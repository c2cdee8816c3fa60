import * as z from 'zod/mini'
import { Id } from '../http/id.ts'
import { Name } from '../identity/name.ts'
import { platformIds } from '../resources.ts'
import { TimeZone } from '../workspaces/time-zone.ts'

/** A new workspace, as a person describes it. */
export const WorkspaceForm = z.object({ form_key: z.string(), name: Name, timezone: TimeZone })
export type WorkspaceForm = z.infer<typeof WorkspaceForm>

/** A person's actions on the assistants of a workspace. */
export const assistantActs = ['disconnect', 'off', 'on'] as const

/** Which workspace, and the result of the last action. */
export const WorkspaceQuery = z.object({
  id: z.optional(Id),
  connected: z.optional(z.enum(platformIds)),
  done: z.optional(z.enum(assistantActs)),
})
export type WorkspaceQuery = z.infer<typeof WorkspaceQuery>

/** What a token may do, as described in the form. */
export const tokenRights = {
  read: { label: 'Read the workspace and its posts', scopes: ['workspace:read', 'posts:read'] },
  publish: {
    label: 'Schedule, publish, and delete posts, with drafts and media',
    scopes: [
      ...['workspace:read', 'posts:read', 'posts:schedule', 'posts:publish', 'posts:delete'],
      ...['drafts:write', 'media:read', 'media:write'],
    ],
  },
  all: { label: 'Full access', scopes: ['*'] },
} as const satisfies Record<string, { label: string; scopes: readonly string[] }>
type Rights = keyof typeof tokenRights
export const rightsOfTokens = Object.keys(tokenRights) as [Rights, ...Rights[]]

/** A new token of a workspace. */
export const TokenForm = z.object({ form_key: z.string(), id: Id, name: Name, rights: z.enum(rightsOfTokens) })
export type TokenForm = z.infer<typeof TokenForm>

/** A platform to connect, with the fields of its form. */
export const ConnectForm = z.catchall(
  z.object({ form_key: z.string(), id: Id, platform: z.enum(platformIds) }),
  z.string().check(z.maxLength(300)),
)
export type ConnectForm = z.infer<typeof ConnectForm>

/** A connection to end, or the switch of the owner. */
export const AssistantsForm = z.object({
  form_key: z.string(),
  id: Id,
  act: z.enum(assistantActs),
  connection: z.optional(Id),
})
export type AssistantsForm = z.infer<typeof AssistantsForm>
