import type { OwnedRows } from '../db/owned-rows.ts'
import { transact } from '../db/table.ts'
import { closeWorkspace, enqueuePurge } from '../workspaces/deletion.ts'
import { workspaceIdsOf } from '../workspaces/list.ts'
import { workspaces } from '../workspaces/workspace.ts'

/** The children of an application close with its workspace. */
export const applicationRows: OwnedRows = {
  children: {
    async *Application(ctx, _workspaceId, row) {
      for (const id of await workspaceIdsOf(ctx, String(row['id']))) {
        const child = await workspaces.get(ctx, { id })
        if (child === undefined) continue
        await transact(ctx, () => closeWorkspace(child, ctx.clock.now()))
        await enqueuePurge(ctx, id)
        yield []
      }
    },
  },
}
