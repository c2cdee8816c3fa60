import { consoleFile } from '../../../shared/pages/console-file.ts'

export const handler = consoleFile(
  '/console-plot.js',
  'Get the plots of the console',
  'console-plot.js',
  'text/javascript',
)
