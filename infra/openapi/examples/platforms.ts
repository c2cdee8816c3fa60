import type * as platforms from '../../../functions/api/platforms/index.ts'
import type { ExamplesOf } from './example.ts'

export const platformExamples: ExamplesOf<typeof platforms> = { list: {} }
