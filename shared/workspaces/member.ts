import * as z from 'zod/mini'
import { entity } from '../db/entity.ts'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'

export const roles = ['owner', 'admin', 'member'] as const
export type Role = (typeof roles)[number]

/** A membership: a person in a workspace. */
export const Member = z.object({
  workspaceId: z.string(),
  userId: z.string(),
  role: z.enum(roles),
  status: z.enum(['active', 'suspended']),
  createdAt: z.string(),
})
export type Member = z.infer<typeof Member>

export const members = entity({
  type: 'Member',
  shape: Member,
  key: ({ workspaceId, userId }: Pick<Member, 'workspaceId' | 'userId'>) => ({
    PK: `WS#${workspaceId}`,
    SK: `MEMBER#${userId}`,
  }),
})

/** The same membership under the person's key, so that a list of workspaces needs no index. */
export const membershipKey = (userId: string, workspaceId: string) => ({
  PK: `USER#${userId}`,
  SK: `WS#${workspaceId}`,
})

/** The path of a route about one member of a workspace. */
export const MemberPath = z.object({
  id: described(Id, 'The ID of the workspace, the same as in `X-Workspace-Id`.'),
  userId: described(Id, 'The ID of the person.'),
})
