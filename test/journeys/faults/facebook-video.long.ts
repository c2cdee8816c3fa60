import { columnOf } from './facebook-videos.ts'
import { runColumn } from './run.ts'

runColumn(columnOf('video', 'POST /{video}'))
