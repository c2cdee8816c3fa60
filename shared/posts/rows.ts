import { countKeysOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { recentTextsOf } from './intake/recent-text.ts'
import { posts } from './lifecycle/row.ts'
import { publicationWork } from './lifecycle/work.ts'
import {
  firstCommentsOf,
  firstCommentWork,
  liveDeletionsOf,
  liveDeletionWork,
  liveEditsOf,
  liveEditWork,
} from './live-work/work.ts'
import { bodiesOf } from './texts.ts'
import { refundCap } from './x-cap.ts'

export const postRows: OwnedRows = {
  keys: (workspaceId) => countKeysOf(workspaceId, 'POST'),
  refund: refundCap,
  partitions: (workspaceId) => [
    posts.key({ workspaceId, id: '' }).PK,
    bodiesOf(workspaceId),
    liveDeletionsOf(workspaceId),
    liveEditsOf(workspaceId),
    firstCommentsOf(workspaceId),
    recentTextsOf(workspaceId),
  ],
}

export const postSweepRules = [
  publicationWork.sweepRule,
  liveDeletionWork.sweepRule,
  liveEditWork.sweepRule,
  firstCommentWork.sweepRule,
]
