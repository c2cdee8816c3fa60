import { column } from './bluesky.ts'
import { late } from './column.ts'
import { runColumn } from './run.ts'

runColumn(column)

const { '429 without a reset': limited } = column.cells
runColumn({
  ...column,
  isReply: true,
  // Every answer says when its window of five minutes ends, and the replies are elsewhere in it.
  cells: { ...column.cells, '429 without a reset': { ...limited, outcome: late(0, 310, 2) } },
})
