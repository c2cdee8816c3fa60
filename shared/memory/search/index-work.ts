import * as z from 'zod/mini'
import { present } from '../../db/expression.ts'
import { sweepRule } from '../../db/sweep-rule.ts'
import { work } from '../../db/work.ts'
import { indexMessage } from './enqueue-indexing.ts'
import { memoryIndexes } from './index-row.ts'

const ref = z.object({ workspaceId: z.string(), id: z.string() })

/** The index of a collection is updated by one worker at a time. */
export const indexWork = work({
  entity: memoryIndexes,
  queue: 'index',
  timeoutSeconds: 100,
  open: present('PK'),
  ref,
  message: ({ workspaceId, id }) => indexMessage(workspaceId, id),
})

/** The rule of a removed memory: it is taken out of the index. */
export const removalSweepRule = sweepRule({
  type: 'MemoryRemoval',
  shape: ref,
  message: ({ workspaceId, id }) => ({ queue: 'index', ...indexMessage(workspaceId, id) }),
})
