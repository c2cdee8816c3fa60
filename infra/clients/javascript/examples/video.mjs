// Uploads a video with a bar, and publishes it on Bluesky: node video.mjs film.mp4
import { fileFromPath } from 'social-publishing-client/node'
import { accountOn, client } from './client.mjs'

const bar = (part) => `${'#'.repeat(Math.floor(part * 20)).padEnd(20)} ${Math.floor(part * 100)} %`

const video = await client.media.upload(await fileFromPath(process.argv[2]), {
  onProgress: ({ sentBytes, totalBytes }) => process.stderr.write(`\r${bar(sentBytes / totalBytes)}`),
})
process.stderr.write('\n')
const [post] = await client.posts.publishNow({
  socialAccountIds: [accountOn('bluesky')],
  content: 'An evening in the bakery.',
  mediaUrls: [video.id],
})
console.log((await client.posts.waitUntilPublished(post.id)).publishedPostUrl)
