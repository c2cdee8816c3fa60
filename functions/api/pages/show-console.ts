import { consoleFile } from '../../../shared/pages/console-file.ts'

export const handler = consoleFile('/console', 'Show the console', 'console.html', 'text/html')
