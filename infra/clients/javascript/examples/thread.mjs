// Publishes a thread on Bluesky with an image in its first post: node thread.mjs picture.png
import { fileFromPath } from 'social-publishing-client/node'
import { accountOn, client } from './client.mjs'

const image = await client.media.upload(await fileFromPath(process.argv[2]), { altText: 'A loaf of bread' })
const { threadHeadPost } = await client.posts.publishThreadNow({
  socialAccountId: accountOn('bluesky'),
  tweets: [{ content: 'How a loaf gets its crust.', mediaUrls: [image.id] }, { content: 'Steam, and then none.' }],
})
const { groupId } = await client.posts.waitUntilPublished(threadHeadPost.id)
for await (const { id } of client.posts.list.all({ groupId })) {
  const { publishedPostUrl } = await client.posts.waitUntilPublished(id)
  console.log(publishedPostUrl)
}
