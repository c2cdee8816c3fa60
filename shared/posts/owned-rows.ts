import { countsOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { posts } from './lifecycle/row.ts'
import { bodiesOf } from './texts.ts'

export const postRows: OwnedRows = {
  partitions: (workspaceId) => [
    posts.key({ workspaceId, id: '' }).PK,
    bodiesOf(workspaceId),
    countsOf(workspaceId, 'POST'),
  ],
}
