import { columnOf } from './linkedin.ts'
import { runColumn } from './run.ts'

runColumn(columnOf('video'))
