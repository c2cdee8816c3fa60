import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import type { PostView } from '../../../../shared/posts/reading/view.ts'
import { platformIds } from '../../../../shared/resources.ts'
import { dayMs } from '../../../../shared/time.ts'
import { assert, isNotAllowed, refusalOf, Skip } from '../outcome.ts'
import type { Step, World } from '../world.ts'

type Post = z.infer<typeof PostView>

/** Platforms that publish a text without metadata, in the order in which this test prefers them. */
const textPlatforms: readonly string[] = ['bluesky', 'x', 'threads', 'linkedin', 'facebook']

const aYearAhead = (days: number) => new Date(Date.now() + (365 + days) * dayMs).toISOString()

export const bodyFor = ({ account, asset, options, mark }: World) => {
  if (account === undefined) throw new Skip(`no account is connected on ${textPlatforms.join(', ')}`)
  return {
    socialAccountIds: [account.id],
    content: `This deployment is being tested (${mark}).`,
    ...(asset === undefined ? {} : { mediaUrls: [asset.id] }),
    ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
  }
}

/** Deletes a post, or cancels it if the token may not delete. */
export const deletePost = async ({ api }: World, { id }: Pick<Post, 'id'>): Promise<unknown> => {
  try {
    return await api.posts.delete({ params: { id } })
  } catch (error) {
    if (!isNotAllowed(error)) throw error
    await api.posts.cancel({ params: { id } })
    return `cancelled; its record ${id} stays, because the token lacks the scope "posts:delete"`
  }
}

/** The one post that a test's request has made. */
export const onlyPost = (posts: readonly Post[]): Post => {
  const [post] = posts
  assert(post !== undefined && posts.length === 1, `one account got ${posts.length} posts`)
  return post
}

const findAccount = async (world: World) => {
  const { api, options } = world
  const all = await api.socialAccounts.list()
  const usable = all.filter(({ isConnected }) => isConnected)
  if (options.publish !== undefined) {
    const named = usable.find(({ id }) => id === options.publish)
    assert(named !== undefined, `no connected account has the id "${options.publish}"`)
    world.account = named
  } else {
    world.account = textPlatforms
      .map((platform) => usable.find(({ providerId }) => providerId === platform))
      .find((account) => account !== undefined)
  }
  return `${usable.length} of ${all.length} can be used`
}

/** All post operations that publish nothing. */
export const postSteps: readonly Step[] = [
  { name: 'social accounts', run: findAccount },
  {
    name: 'validation finds a mistake',
    async run({ api }) {
      const { valid, issues } = await api.posts.validate({ body: { socialAccountIds: ['acc_none'], content: 'Hello' } })
      assert(!valid && issues.length > 0, 'a post for an unknown account is valid')
      return undefined
    },
  },
  {
    name: 'validation of a post',
    async run(world) {
      const { valid, issues } = await world.api.posts.validate({ body: bodyFor(world) })
      assert(valid, issues.map(({ message, next }) => [message, next].join(' ')).join('; '))
      return platformIds.find((id) => id === world.account?.providerId)
    },
  },
  {
    name: 'schedule, and repeat',
    async run(world) {
      const { api, made, wire } = world
      const body = { ...bodyFor(world), scheduledAt: aYearAhead(0) }
      let key = ''
      const posts = await made.create({
        what: 'the scheduled post',
        create(idempotencyKey) {
          key = idempotencyKey
          return api.posts.schedule({ idempotencyKey, body })
        },
        remove: (all) => deletePost(world, onlyPost(all)),
      })
      const { id, groupId } = onlyPost(posts)
      world.post = { id, groupId }
      const again = await api.posts.schedule({ idempotencyKey: key, body })
      assert(onlyPost(again).id === id, 'the same Idempotency-Key made a second post')
      assert(wire.last()?.headers.get('Idempotency-Replayed') === 'true', 'the repeat has no Idempotency-Replayed')
      const other = { ...body, content: `${body.content} ${randomUUID()}` }
      await refusalOf(api.posts.schedule({ idempotencyKey: key, body: other }), 422, 'idempotency_key_reused')
      return id
    },
  },
  {
    name: 'reschedule',
    async run({ api, post }) {
      if (post === undefined) throw new Skip('no post was scheduled')
      const scheduledAt = aYearAhead(1)
      await api.posts.reschedule({ params: { id: post.id }, body: { scheduledAt } })
      const current = await api.posts.get({ params: { id: post.id } })
      assert(current.scheduledAt === scheduledAt, `the post is due at ${current.scheduledAt}, not ${scheduledAt}`)
      return undefined
    },
  },
  {
    name: 'list of posts',
    async run({ api, post }) {
      if (post?.groupId == null) throw new Skip('no post was scheduled')
      const { items } = await api.posts.list({ query: { groupId: post.groupId } })
      assert(items.length === 1 && items[0]?.id === post.id, `the list of its group has ${items.length} posts`)
      return undefined
    },
  },
  {
    name: 'cancel',
    async run({ api, post }) {
      if (post === undefined) throw new Skip('no post was scheduled')
      const { status } = await api.posts.cancel({ params: { id: post.id } })
      assert(status === 'cancelled', `the post is "${status}" after it was canceled`)
      return undefined
    },
  },
]
