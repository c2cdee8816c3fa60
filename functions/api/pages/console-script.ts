import { consoleFile } from '../../../shared/pages/console-file.ts'

export const handler = consoleFile('/console.js', 'Get the script of the console', 'console.js', 'text/javascript')
