import { textFile } from '../../../shared/access/text-file.ts'

export const handler = textFile(
  '/llms-full.txt',
  'Get all guides as one text',
  'Returns every guide as Markdown, in order.',
)
