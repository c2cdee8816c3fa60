import { workerScript } from '../../../shared/notifications/page/script.ts'
import { scriptFile } from '../../../shared/pages/script-file.ts'

export const handler = scriptFile(
  // Next to the pages: a service worker controls the addresses below its location.
  '/notifications-worker.js',
  'Get the service worker that shows push messages',
  workerScript,
)
