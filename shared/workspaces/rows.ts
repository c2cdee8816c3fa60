import * as z from 'zod/mini'
import type { OwnedRows } from '../db/owned-rows.ts'
import { sweepRule } from '../db/sweep-rule.ts'
import type { PurgeMessage } from './deletion.ts'
import { tokensOf } from './end-membership.ts'
import { invitationPointer } from './invitation.ts'
import { membershipKey, workspaces } from './workspace.ts'

export const workspaceRows: OwnedRows = {
  parents: (workspaceId) => [workspaces.key({ id: workspaceId }).PK],
  children: {
    async *Member(ctx, workspaceId, row) {
      const userId = String(row['userId'])
      yield [...(await tokensOf(ctx, { userId, workspaceId })), membershipKey(userId, workspaceId)]
    },
    async *Invitation(_ctx, _workspaceId, row) {
      yield [invitationPointer(String(row['tokenHash']))]
    },
  },
  lastTypes: ['Member'],
}

export const workspaceSweepRules = [
  sweepRule({
    type: 'WorkspaceDeletion',
    shape: z.object({ workspaceId: z.string() }),
    message: ({ workspaceId }) => {
      const body: PurgeMessage = { workspaceId }
      return { queue: 'purge', body, group: workspaceId }
    },
  }),
]
