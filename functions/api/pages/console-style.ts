import { consoleFile } from '../../../shared/pages/console-file.ts'

export const handler = consoleFile('/console.css', 'Get the style sheet of the console', 'console.css', 'text/css')
