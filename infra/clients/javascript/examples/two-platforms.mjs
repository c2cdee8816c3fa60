// Schedules one post to Bluesky and Mastodon, with a separate text for Mastodon.
import { accountOn, client } from './client.mjs'

const posts = await client.posts.schedule({
  socialAccountIds: [accountOn('bluesky'), accountOn('mastodon')],
  content: 'The bakery opens at seven.',
  platformContent: { mastodon: 'The bakery opens at seven. #bread' },
  scheduledAt: new Date(Date.now() + 3_600_000),
})
for (const { platform, id, scheduledAt } of posts) console.log(platform, id, scheduledAt)
