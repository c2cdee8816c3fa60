import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * What people write with BullMQ: a queue of delayed jobs, and a worker that makes one POST for each. It takes jobs from its
 * parent, and works on request.
 */
const { folder, socket, concurrency, bluesky, discord } = JSON.parse(process.argv[2])
const { Queue, Worker } = createRequire(join(folder, 'package.json'))('bullmq')
const connection = { path: socket, maxRetriesPerRequest: null }
const name = 'posts'

const letters = '234567abcdefghijklmnopqrstuvwxyz'
/** A new record key, as createRecord would choose one. */
const newKey = () =>
  `3${Array.from({ length: 12 }, () => letters[Math.floor(Math.random() * letters.length)]).join('')}`

const requestOf = {
  bluesky: (text) => ({
    url: `${bluesky.origin}/xrpc/com.atproto.repo.putRecord`,
    headers: { authorization: `Bearer ${bluesky.accessJwt}` },
    body: {
      repo: bluesky.did,
      collection: 'app.bsky.feed.post',
      rkey: newKey(),
      record: { $type: 'app.bsky.feed.post', text, createdAt: new Date().toISOString() },
    },
  }),
  discord: (text) => ({
    url: `${discord.origin}/api/v10/channels/${discord.channelId}/messages`,
    headers: { authorization: `Bot ${discord.botToken}`, 'user-agent': 'DiscordBot (https://example.com, 1)' },
    body: { content: text },
  }),
}

const publish = async ({ data: { platform, text } }) => {
  const { url, headers, body } = requestOf[platform](text)
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const reply = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${reply}`)
}

const queue = new Queue(name, { connection })
if (concurrency > 0) await new Worker(name, publish, { connection, concurrency }).waitUntilReady()

const questions = {
  add: (jobs) =>
    queue.addBulk(
      jobs.map(({ text, platform, atMs }) => ({
        name: 'post',
        data: { text, platform },
        opts: { jobId: text.replaceAll(' ', '-'), delay: Math.max(0, atMs - Date.now()), attempts: 3 },
      })),
    ),
  counts: () => queue.getJobCounts(),
}
process.on('message', async ({ question, given }) => {
  const answer = await questions[question](given)
  process.send({ answer: question === 'counts' ? answer : null })
})
process.on('disconnect', () => process.exit(0))
process.send({ answer: null })
