import type * as ai from '../../../functions/api/ai/index.ts'
import { examples } from '../../../shared/platforms/registry/examples.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { collection, job, video } = story

const wish = {
  prompt: 'Announce the Christmas stollen: back from 1 December, order until Sunday.',
  platforms: ['x' as const, 'bluesky' as const],
  tone: 'warm',
  language: 'en',
  count: 2,
}

export const aiExamples: ExamplesOf<typeof ai> = {
  generate: {
    request: wish,
    others: {
      withMemories: {
        summary: 'For a connected account, with what a collection of memories knows',
        value: {
          prompt: 'What happens at night',
          socialAccountIds: [examples.bluesky.account],
          collectionIds: [collection],
        },
      },
    },
  },
  createJob: { request: wish },
  getJob: { params: { id: job } },
  rewrite: {
    request: {
      content: 'Stollen is available again and can be ordered until Sunday.',
      instruction: 'tone',
      tone: 'warm',
    },
    others: {
      translate: {
        summary: 'Into another language',
        value: { content: 'Our Christmas stollen is back.', instruction: 'translate', language: 'de' },
      },
    },
  },
  transcribe: { request: { mediaId: video, language: 'en-US' } },
  getUsage: {},
}
