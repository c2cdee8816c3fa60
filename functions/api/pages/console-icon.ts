import { consoleFile } from '../../../shared/pages/console-file.ts'

export const handler = consoleFile('/console.svg', 'Get the icon of the console', 'console.svg', 'image/svg+xml')
