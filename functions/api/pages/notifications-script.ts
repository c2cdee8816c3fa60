import { pageScript } from '../../../shared/notifications/page/script.ts'
import { scriptFile } from '../../../shared/pages/script-file.ts'

export const handler = scriptFile(
  '/notifications.js',
  'Get the script of the notifications page, which registers a browser',
  pageScript,
)
