import type * as socialAccounts from '../../../functions/api/social-accounts/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { accounts } = story

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
  update: { params: { id: accounts.bluesky }, request: { externalId: 'customer-43' } },
  revokeLink: { params: { id: story.link } },
  disconnect: { params: { id: accounts.bluesky } },
  discordChannels: { query: { socialAccountId: accounts.discord } },
  slackChannels: { query: { socialAccountId: accounts.slack } },
  pinterestBoards: { query: { socialAccountId: accounts.pinterest } },
  createPinterestBoard: {
    request: { name: 'Bread of the week', privacy: 'PUBLIC', socialAccountId: accounts.pinterest },
  },
  redditFlairOptions: { query: { subreddit: 'flaired', socialAccountId: accounts.reddit } },
  redditPostRequirements: { query: { subreddit: 'flaired', socialAccountId: accounts.reddit } },
}
