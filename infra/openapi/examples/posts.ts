import type * as posts from '../../../functions/api/posts/index.ts'
import { examples } from '../../../shared/platforms/registry/examples.ts'
import type { ExamplesOf } from './example.ts'
import { metadataExamples } from './metadata.ts'
import { story } from './story.ts'

const { post: id, picture } = story

const tweets = [
  { content: 'How a sourdough loaf gets its crust, in three tweets.' },
  { content: 'Steam in the first ten minutes keeps the surface soft, so the loaf can rise.' },
  { content: 'Then the door opens for a moment, the steam escapes, and the crust turns brown.' },
]

export const postExamples: ExamplesOf<typeof posts> = {
  schedule: {
    request: {
      socialAccountIds: [examples.bluesky.account],
      content: 'Our Christmas stollen is back. Order until Sunday, collect on Christmas Eve.',
      scheduledAt: '2026-12-18T08:00:00Z',
    },
    others: {
      severalPlatforms: {
        summary: 'An image to three platforms, with a text of its own for one and metadata for two',
        value: {
          socialAccountIds: [examples.bluesky.account, examples.discord.account, examples.pinterest.account],
          content: 'Rye sourdough, fresh from the oven at seven.',
          platformContent: { discord: 'Rye sourdough is out of the oven. First come, first served!' },
          mediaUrls: [picture],
          metadata: {
            discord: { channelId: '1300000000000000101' },
            pinterest: {
              boardId: '549755885171',
              title: 'Rye sourdough',
              description: 'Baked overnight in a wood-fired oven.',
              link: 'https://bakery.example/rye',
            },
          },
          scheduledAt: '2026-12-19T07:00:00+01:00',
        },
      },
      publicAddress: {
        summary: 'An image that the service fetches from a public address',
        value: {
          socialAccountIds: [examples.bluesky.account],
          content: 'This is what a good crumb looks like.',
          mediaUrls: ['https://bakery.example/pictures/crumb.jpg'],
          scheduledAt: '2026-12-19T09:00:00Z',
        },
      },
      naturalTime: {
        summary: 'A few minutes after the hour, so that posts do not all go out on the minute',
        value: {
          socialAccountIds: [examples.bluesky.account],
          content: 'Closed on Sunday, back on Monday at six.',
          scheduledAt: '2026-12-20T06:00:00Z',
          naturalPosting: true,
        },
      },
    },
  },
  scheduleThread: {
    request: { socialAccountId: examples.x.account, tweets, scheduledAt: '2026-12-21T09:30:00Z' },
  },
  publishNow: {
    request: {
      socialAccountIds: [examples.bluesky.account],
      content: 'The last two trays of cinnamon rolls are out now.',
    },
  },
  publishThreadNow: { request: { socialAccountId: examples.x.account, tweets } },
  validate: {
    request: {
      socialAccountIds: [examples.bluesky.account, examples.discord.account],
      content: 'Our Christmas stollen is back. Order until Sunday, collect on Christmas Eve.',
      metadata: { discord: { channelId: '1300000000000000101' } },
    },
    others: metadataExamples,
  },
  reschedule: { params: { id }, request: { scheduledAt: '2026-12-22T08:00:00Z' } },
  update: {
    params: { id },
    request: { content: 'Our Christmas stollen is back, now with marzipan. Order until Sunday.' },
    others: {
      time: { summary: 'Only the time', value: { scheduledAt: '2026-12-22T08:00:00Z' } },
      clear: { summary: 'Removes the files and your own id', value: { mediaUrls: [], externalId: null } },
    },
  },
  cancel: { params: { id } },
  delete: { params: { id } },
  get: { params: { id } },
  calendar: { query: { from: '2026-12-18', to: '2026-12-19', groupsPerDay: 2 } },
  listAttempts: { params: { id } },
  listDeliveries: { params: { id } },
  list: { query: { status: 'scheduled', limit: 2 } },
  getStatistics: {},
  xCapUsage: {},
}
