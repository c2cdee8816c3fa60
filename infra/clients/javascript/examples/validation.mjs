// Shows what is wrong with a post before it is scheduled, and what an error looks like.
import { SocialError } from 'social-publishing-client'
import { accountOn, client } from './client.mjs'

const post = { socialAccountIds: [accountOn('bluesky')], content: 'a'.repeat(301) }
const { issues } = await client.posts.validate(post)
for (const { code, message } of issues) console.log('validate:', code, message)

try {
  await client.posts.schedule({ ...post, scheduledAt: new Date(Date.now() + 3_600_000) })
} catch (error) {
  if (!(error instanceof SocialError) || error.status !== 400) throw error
  for (const { code, field } of error.issues) console.log(`${error.status} ${error.code}:`, code, field)
}
