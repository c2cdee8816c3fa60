import { doAll } from '../calendar/batch.ts'
import { byPosition, canRetry, momentOfPost, soon } from '../calendar/moment.ts'
import { go, to } from '../route.ts'
import { api, type Post, zone } from '../store.ts'
import { addDays, clockIn, dayIn, now } from '../time.ts'
import { commentOf, readFiles, splitBlock, storeDescriptions } from './draft.ts'
import { contentOf, idsOf } from './request.ts'
import { change, type EditedPost, emptyForm, emptyPart, type Form, forget, isThread } from './state.ts'

/** Whether the service can change a post: one that is not live and cannot be. */
export const isEditable = (post: Post): boolean => post.status === 'scheduled' || canRetry(post)

/** The posts that the form shows together: a thread, or the posts of one request. */
const readPosts = async (id: string): Promise<[Post, ...Post[]]> => {
  const post = await api().posts.get(id)
  if (post.groupId === null) return [post]
  const { items } = await api().posts.list({ groupId: post.groupId, limit: 100 })
  const isTogether = ({ thread }: Post) => thread?.headPostId === post.thread?.headPostId
  const others = items.filter((other) => other.id !== id && isTogether(other))
  return post.thread === null ? [post, ...others] : ([post, ...others].sort(byPosition) as [Post, ...Post[]])
}

const same = (a: readonly string[], b: readonly string[]) => a.join() === b.join()

/** What a post has, with a text that its metadata has instead of its content as its text. */
const contentOfPost = ({ platform, content, metadata, mediaUrls }: Post) => {
  const { text = content, rest } = splitBlock(platform, (metadata?.[platform] ?? {}) as Form['metadata'][string])
  return { text, mediaUrls, block: rest }
}

const readContent = async (posts: readonly [Post, ...Post[]]): Promise<Partial<Form>> => {
  const [first] = posts
  const shared = contentOfPost(first)
  const parts = (first.thread === null ? [first] : posts).map(async (post) => ({
    ...emptyPart(),
    content: contentOfPost(post).text,
    files: await readFiles(post.mediaUrls),
  }))
  // Of two posts on a platform, the first one counts: that of a thread has the fields of the whole.
  const own = new Map(posts.toReversed().map((post) => [post.platform, contentOfPost(post)]))
  const isOne = first.thread === null
  const texts = [...own].filter(([, { text }]) => isOne && text !== shared.text)
  const files = [...own].filter(([, { mediaUrls }]) => isOne && !same(mediaUrls, shared.mediaUrls))
  const platformFiles = files.map(async ([id, { mediaUrls }]) => [id, await readFiles(mediaUrls)] as const)
  return {
    ...emptyForm(),
    accountIds: [...new Set(posts.map(({ socialAccountId }) => socialAccountId))],
    parts: await Promise.all(parts),
    platformContent: Object.fromEntries(texts.map(([id, { text }]) => [id, text])),
    platformFiles: Object.fromEntries(await Promise.all(platformFiles)),
    metadata: Object.fromEntries([...own].map(([id, { block }]) => [id, block])),
    ...commentOf({ firstComment: posts.find(({ firstComment }) => firstComment !== null)?.firstComment }),
  }
}

/** A new form with the content of a post and of the others of its request. */
export const readCopy = async (id: string): Promise<Partial<Form>> => ({
  ...(await readContent(await readPosts(id))),
  day: addDays(dayIn(now(), zone.value), 1),
})

/** Two accounts of one platform share the text of the form; a post whose text differs is changed by itself. */
const isLike = (first: Post, other: Post) =>
  first.platform !== other.platform || JSON.stringify(contentOfPost(first)) === JSON.stringify(contentOfPost(other))

/** The form that changes a post and the others of its request. */
export const readEdited = async (id: string): Promise<Partial<Form>> => {
  const all = await readPosts(id)
  const post = all.find((other) => other.id === id) ?? all[0]
  const together = all.filter((other) => other !== post && isEditable(other) && isLike(post, other))
  const posts: [Post, ...Post[]] = post.thread === null ? [post, ...together] : all
  const [day, time] = [dayIn(momentOfPost(post), zone.value), clockIn(momentOfPost(post), zone.value)]
  const edited = posts.map((each) => ({
    id: each.id,
    version: each.version,
    accountId: each.socialAccountId,
    platform: each.platform,
    isEditable: isEditable(each),
    isFailed: each.status === 'failed',
  }))
  return {
    ...(await readContent(posts)),
    when: post.status === 'failed' ? 'now' : 'later',
    day,
    time,
    edited: { id, day, time, posts: edited },
  }
}

/** What a post gets: its part of a thread, whose options stay, or what its platform gets. */
const changeOf = (current: Form, { platform }: EditedPost, n: number) => {
  const { content, platformContent, platformMedia, mediaUrls = [], metadata, firstComment = null } = contentOf(current)
  const part = current.parts[n]
  if (isThread(current) && part !== undefined) {
    const isLast = n === current.parts.length - 1
    return { content: part.content, mediaUrls: idsOf(part.files), ...(isLast && { firstComment }) }
  }
  const block = metadata?.[platform]
  return {
    content: platformContent?.[platform] ?? content,
    mediaUrls: platformMedia?.[platform] ?? mediaUrls,
    metadata: block === undefined ? null : { [platform]: block },
    firstComment,
  }
}

/** Changes the posts of the chosen accounts, one after the other; those before an error stay changed. */
export const saveEdited = async (workspaceId: string, current: Form, momentMs: number | undefined): Promise<void> => {
  const { edited, accountIds, when, day, time } = current
  if (edited === undefined || !(await storeDescriptions(workspaceId))) return
  const isMoved = when === 'now' || day !== edited.day || time !== edited.time
  const scheduledAt = when === 'now' ? soon() : new Date(momentMs ?? 0).toISOString()
  let { posts } = edited
  const save = async (post: EditedPost) => {
    const { id, version, isFailed } = post
    const n = edited.posts.indexOf(post)
    // The first post of a thread moves the others.
    const moves = (isMoved || isFailed) && (n === 0 || !isThread(current))
    const body = { ...changeOf(current, post, n), ...(moves && { scheduledAt }) }
    const changed = await api().posts.update(id, body, { ifMatch: `"${version}"` })
    posts = posts.map((other) => (other.id === id ? { ...other, version: changed.version } : other))
    change(workspaceId, { edited: { ...edited, posts } })
    return changed
  }
  const isSaved = await doAll(
    // The first post of a thread comes last: its time changes the versions of the others.
    edited.posts.filter(({ isEditable, accountId }) => isEditable && accountIds.includes(accountId)).toReversed(),
    save,
    ({ length }) => ({ text: length === 1 ? 'Changes saved' : `Changes saved to ${length} posts` }),
  )
  if (!isSaved) return
  forget(workspaceId)
  go(to(`post/${edited.id}`))
}
