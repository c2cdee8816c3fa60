import { columnOf } from './facebook-videos.ts'
import { runColumn } from './run.ts'

runColumn(columnOf('reel', 'POST /{page}/video_reels?upload_phase=finish'))
