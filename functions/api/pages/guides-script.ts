import { guideScript } from '../../../shared/pages/guide-script.ts'
import { scriptFile } from '../../../shared/pages/script-file.ts'

export const handler = scriptFile('/guides.js', 'Get the script of the guides, which copies code', guideScript)
