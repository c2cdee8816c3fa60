import { textFile } from '../../../shared/access/text-file.ts'

export const handler = textFile(
  '/llms.txt',
  'Get llms.txt',
  'Lists the guides and the reference for language models (https://llmstxt.org).',
)
