import type * as drafts from '../../../functions/api/drafts/index.ts'
import { examples } from '../../../shared/platforms/registry/examples.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { draft: id, picture } = story

export const draftExamples: ExamplesOf<typeof drafts> = {
  create: {
    request: {
      name: 'Christmas stollen',
      content: 'Our Christmas stollen is back.',
      socialAccountIds: [examples.bluesky.account, examples.discord.account],
      selectedPlatforms: ['bluesky', 'discord'],
      mediaUrls: [picture],
      platformContent: { bluesky: 'Our Christmas stollen is back. Who is hungry?' },
      metadata: { discord: { channelId: '1300000000000000101' } },
    },
  },
  update: { params: { id }, request: { content: 'Our Christmas stollen is back, with marzipan.', name: null } },
  delete: { params: { id } },
  get: { params: { id } },
  list: { query: { limit: 2 } },
}
