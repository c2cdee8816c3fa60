import { columnOf } from './pinterest.ts'
import { runColumn } from './run.ts'

runColumn(columnOf('carousel'))
