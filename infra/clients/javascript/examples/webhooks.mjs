// Receives webhooks, verified: SECRET=whsec_… node webhooks.mjs 4000
import { createServer } from 'node:http'
import { listen } from 'social-publishing-client'

const receiver = listen({
  secret: process.env.SECRET,
  handled: new Set(),
  on: {
    'post.published': ({ data }) => console.log('published', data.publishedPostUrl),
    'post.publish_failed': ({ data }) => console.log('failed', data.postId),
  },
})

createServer(receiver).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'))
