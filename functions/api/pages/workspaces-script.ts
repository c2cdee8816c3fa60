import { timeZoneScript } from '../../../shared/home/time-zone-script.ts'
import { scriptFile } from '../../../shared/pages/script-file.ts'

export const handler = scriptFile(
  '/workspaces.js',
  'Get the script of the workspaces page, which lists the time zones',
  timeZoneScript,
)
