import { countsOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { assets } from './asset.ts'
import { jobsOf } from './job.ts'
import { usesOf } from './use.ts'

export const mediaRows: OwnedRows = {
  partitions: (workspaceId) => [
    assets.key({ workspaceId, id: '' }).PK,
    usesOf(workspaceId),
    jobsOf(workspaceId),
    countsOf(workspaceId, 'MEDIA'),
  ],
}
