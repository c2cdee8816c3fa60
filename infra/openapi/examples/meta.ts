import type * as meta from '../../../functions/api/meta/index.ts'
import type { ExamplesOf } from './example.ts'

export const metaExamples: ExamplesOf<typeof meta> = {
  health: {},
  openapi: {},
  docs: {},
  docsViewer: {},
  errorCode: { params: { code: 'post_not_found' } },
  guide: { params: { name: 'webhooks' } },
  llms: {},
  llmsFull: {},
}
