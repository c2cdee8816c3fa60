import type * as socialAccounts from '../../../functions/api/social-accounts/index.ts'
import { examples } from '../../../shared/platforms/registry/examples.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

export const socialAccountExamples: ExamplesOf<typeof socialAccounts> = {
  list: {},
  connect: { params: { platform: 'discord' }, request: { externalId: 'customer-42' } },
  callback: { params: { platform: 'discord' } },
  serverCallback: { params: { platform: 'mastodon', server: 'social.mastodon.test' } },
  connectBluesky: { request: { identifier: story.handle, appPassword: story.appPassword } },
  createBlueskyLink: { request: { externalId: 'customer-42' } },
  connectWordpress: {
    request: {
      site: story.wordpressSite,
      username: story.wordpressUser,
      applicationPassword: story.wordpressPassword,
    },
  },
  createWordpressLink: { request: { externalId: 'customer-42' } },
  connectNostr: { request: { secretKey: story.secretKey, mediaServer: 'https://media.nostr.test' } },
  createNostrLink: { request: { externalId: 'customer-42' } },
  createLink: {
    request: { platforms: ['x', 'linkedin', 'bluesky'], externalId: 'customer-42', expiresInSeconds: 604800 },
  },
  createConnectionsLink: { request: { externalId: 'customer-42', expiresInSeconds: 86400 } },
  update: { params: { id: examples.bluesky.account }, request: { externalId: 'customer-43' } },
  revokeLink: { params: { id: story.link } },
  disconnect: { params: { id: examples.bluesky.account } },
  discordChannels: { query: { socialAccountId: examples.discord.account } },
  slackChannels: { query: { socialAccountId: examples.slack.account } },
  pinterestBoards: { query: { socialAccountId: examples.pinterest.account } },
  createPinterestBoard: {
    request: { name: 'Bread of the week', privacy: 'PUBLIC', socialAccountId: examples.pinterest.account },
  },
  redditFlairOptions: { query: { subreddit: 'flaired', socialAccountId: examples.reddit.account } },
  redditPostRequirements: { query: { subreddit: 'flaired', socialAccountId: examples.reddit.account } },
}
