// Postpones everything that is scheduled on Bluesky by a day.
import { accountOn, client } from './client.mjs'

const dayMs = 86_400_000
const due = []
for await (const post of client.posts.list.all({ status: 'scheduled', socialAccountId: accountOn('bluesky') }))
  due.push(post)
for (const { id, scheduledAt } of due) {
  const post = await client.posts.reschedule(id, { scheduledAt: new Date(Date.parse(scheduledAt) + dayMs) })
  console.log(id, post.scheduledAt)
}
