import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { PlatformCall } from '../../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../../shared/platforms/adapters.ts'
import type { OutgoingPost } from '../../../shared/platforms/post.ts'
import { callWordPress } from '../../../shared/platforms/wordpress/api.ts'
import { commentCalls } from '../../../shared/platforms/wordpress/comments.ts'
import { connect } from '../../../shared/platforms/wordpress/connect.ts'
import { wordpress as lifecycle } from '../../../shared/platforms/wordpress/lifecycle.ts'
import { wordpress } from '../../../shared/platforms/wordpress/publish.ts'
import { film } from '../../media/files.ts'
import { accountOf, failureOf, startSite } from '../../platforms/site.ts'
import { launchSite, type RunningSite } from './launch.ts'

const service = await startSite()
let site: RunningSite

beforeAll(async () => {
  site = await launchSite()
  process.stdout.write(`WordPress ${site.version}\n`)
})
afterAll(async () => {
  await Promise.all([site?.close(), service.close()])
})

/** A context whose calls go to the site, not to a stand-in. */
const context = () => service.ctx({ PLATFORM_ORIGINS: '{}', ALLOWED_ORIGINS: site.url })

const signIn = async (role: string) => {
  const applicationPassword = await site.applicationPassword(role, role)
  return connect(context(), { site: `${site.url}/wp-admin/`, username: role, applicationPassword })
}
/** Logins take seconds; a role has one. */
const logins = new Map<string, ReturnType<typeof signIn>>()
const signedIn = (role: string) => {
  const login = logins.get(role) ?? signIn(role)
  logins.set(role, login)
  return login
}

/** A call for a post of a user with this role. */
const open = async (
  post: Partial<OutgoingPost> = {},
  { role = 'editor', ...more }: { root?: string; role?: string } = {},
) => {
  const { details, ...connection } = await signedIn(role)
  const account = accountOf({ ...connection, details: { ...details, ...more } })
  return { ctx: context(), account, post: service.post(post) } satisfies PlatformCall
}

const prepared = async (call: PlatformCall) => {
  const done = await wordpress.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  return done.ready
}
const commit = (call: PlatformCall, ready: Record<string, unknown>) =>
  wordpress.commit(call, ready, clientKeyOf(wordpress, call.post), undefined)
const publish = async (call: PlatformCall) => {
  const ready = await prepared(call)
  return { ready, ...(await commit(call, ready)) }
}
const probe = (call: PlatformCall, ready: Record<string, unknown>) =>
  wordpress.probe(call, { clientKey: clientKeyOf(wordpress, call.post), ref: ready, startedAtMs: service.now() })

const Rendered = z.object({ rendered: z.string() })
const Shown = z.object({
  id: z.int(),
  status: z.string(),
  slug: z.string(),
  format: z.string(),
  sticky: z.boolean(),
  title: Rendered,
  content: Rendered,
  excerpt: Rendered,
  featured_media: z.int(),
  categories: z.array(z.int()),
  tags: z.array(z.int()),
  link: z.string(),
})

/** What a stranger reads at the site. */
const read = async <T>(path: string, shape: z.ZodMiniType<T>, status = 200): Promise<T> => {
  const answer = await fetch(`${site.url}/wp-json/wp/v2${path}`)
  expect(answer.status, path).toBe(status)
  return z.parse(shape, await answer.json())
}
const shown = (id: string) => read(`/posts/${id}`, Shown)
const countOfPosts = async () => (await read('/posts?per_page=100', z.array(z.unknown()))).length

const picture = (more: object = {}) =>
  service.file({ originalFilename: 'loaf.png', altText: 'A "loaf" & more', ...more })

test('an account is connected with the name, the role, and the picture of its user', async () => {
  expect(await signedIn('editor')).toMatchObject({
    platform: 'wordpress',
    externalId: expect.stringMatching(/^\d+@127\.0\.0\.1:\d+$/),
    username: `editor@${new URL(site.url).host}`,
    displayName: 'Editor',
    profileImageUrl: expect.stringMatching(/^https?:/),
    details: { site: site.url, root: '/wp-json' },
  })
})

test('a wrong password and a user who may not publish are refused', async () => {
  const wrong = { site: site.url, username: 'editor', applicationPassword: 'aaaa bbbb cccc dddd eeee ffff' }
  await expect(connect(context(), wrong)).rejects.toMatchObject({ details: { code: 'invalid_app_password' } })
  expect(await failureOf(signIn('contributor'))).toMatchObject({ errorClass: 'permission' })
})

test('a post is a draft until it is published, once, with all its fields', async () => {
  const metadata = {
    title: 'Rye & "spelt"',
    excerpt: 'Two loaves',
    slug: 'two-loaves',
    format: 'aside',
    isSticky: true,
    categories: ['Uncategorized'],
    tags: ['rye', 'R&B'],
  }
  const media = [await picture(), await picture({ altText: '' })]
  const call = await open({ text: 'Grüße 👋🏽\n\nhttps://bakery.example/?a=1&b=2', metadata, media })
  const before = await countOfPosts()
  const ready = await prepared(call)
  expect(await countOfPosts()).toBe(before)
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  expect(await prepared(call), 'the response was lost').toEqual(ready)

  const first = await commit(call, ready)
  expect(await commit(call, ready)).toEqual(first)
  expect(await countOfPosts()).toBe(before + 1)
  expect(await probe(call, ready)).toEqual({ kind: 'published', ...first })
  const post = await shown(String(first.id))
  expect(post).toMatchObject({ status: 'publish', slug: 'two-loaves', format: 'aside', sticky: true })
  expect(post.link).toBe(first.url)
  expect(first.url).toBe(`${site.url}/two-loaves/`)
  expect(post.title.rendered).toBe('Rye &#038; &#8220;spelt&#8221;')
  expect(post.excerpt.rendered).toContain('Two loaves')
  expect(post.content.rendered).toContain('Grüße 👋🏽')
  expect(post.content.rendered).toContain('<a href="https://bakery.example/?a=1&amp;b=2">')
  expect(post.content.rendered.match(/<img /g), 'the first image is the featured one').toHaveLength(1)
  expect(post.categories).toEqual([1])
  const tags = await read(`/tags?post=${post.id}`, z.array(z.object({ name: z.string() })))
  expect(tags.map(({ name }) => name).sort()).toEqual(['R&amp;B', 'rye'])
  const featured = await read(`/media/${post.featured_media}`, z.object({ alt_text: z.string(), slug: z.string() }))
  expect(featured).toEqual({ alt_text: 'A "loaf" & more', slug: expect.stringContaining(call.post.id) })
})

test('a site without permalinks is called by a parameter', async () => {
  const call = await open({ media: [await picture()] }, { root: '/?rest_route=' })
  const { id, ready, url } = await publish(call)
  expect(await probe(call, ready)).toEqual({ kind: 'published', id, url })
  expect((await shown(String(id))).featured_media).toBeGreaterThan(0)
})

test('a text is displayed literally', async () => {
  const text =
    'One <b>bold</b> & <script>alert(1)</script> "two"\n[gallery] [caption]x[/caption] C:\\x \\\\ \\n\n<!-- wp:html -->'
  const { id } = await publish(await open({ text }, { role: 'administrator' }))
  const { content } = await shown(String(id))
  const seen = content.rendered
    .replace(/<br ?\/?>\n?/g, '\n')
    .replace(/<\/?p>/g, '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()
  // WordPress shows quotation marks and dashes as printers do.
  expect(seen.replace(/[“”″]/g, '"').replaceAll('–', '--')).toBe(text)
})

test('a video is in the post; a file that is not what it says is refused', async () => {
  const clip = film('isom', 'mp42')
  const video = await service.file({ mimeType: 'video/mp4', originalFilename: 'film.mp4' }, clip)
  const { id } = await publish(await open({ media: [video] }))
  expect((await shown(String(id))).content.rendered).toMatch(/<video controls[^>]* src="[^"]+film[^"]*\.mp4"/)
  const broken = await service.file({ originalFilename: 'loaf.png' }, Buffer.from('<?php echo 1;'))
  expect(await failureOf(prepared(await open({ media: [broken] })))).toMatchObject({ errorClass: 'invalid' })
})

test('a category that the site does not have is named; an author makes tags, and posts sticky', async () => {
  const unknown = await open({ metadata: { categories: ['Cakes'] } }, { role: 'author' })
  expect(await failureOf(prepared(unknown))).toMatchObject({ errorClass: 'invalid' })
  const { id } = await publish(await open({ metadata: { tags: ['oats'], isSticky: true } }, { role: 'author' }))
  expect(await shown(String(id))).toMatchObject({ sticky: true, tags: [expect.any(Number)] })
})

test('a live post is edited, keeps its files, and is deleted; afterwards its publication cannot be determined', async () => {
  const media = [await picture(), await picture({ altText: 'Another' })]
  const call = await open({ text: 'Old', metadata: { title: 'Bread' }, media })
  const { id, ready } = await publish(call)
  await wordpress.edit?.({ ...call, post: { ...call.post, text: 'New' } }, String(id))
  const post = await shown(String(id))
  expect(post.content.rendered).toContain('<p>New</p>')
  expect(post.content.rendered).toContain('alt="Another"')
  expect(post.title.rendered).toBe('Bread')
  for (const _ of ['first', 'again']) await wordpress.remove?.(call, String(id))
  await read(`/posts/${id}`, z.unknown(), 401)
  expect(await probe(call, ready)).toEqual({ kind: 'unprovable' })
})

test('a comment is under its post once, unchanged, and can be looked up', async () => {
  const call = await open()
  const { id } = await publish(call)
  const texts = ['Käse & <b>bread</b> 👋🏽\n\nhttps://bakery.example/?a=1&b=2', 'C:\\x \\\\ [gallery] &amp;']
  for (const text of texts) {
    const comment = { ...call, post: { ...call.post, replyTo: String(id), text } }
    const attempt = { clientKey: '', ref: {}, startedAtMs: Date.now() }
    expect(await commentCalls.probe(comment, attempt)).toEqual({ kind: 'absent' })
    const made = await commentCalls.commit(comment, {}, '', undefined)
    expect(made.url).toBe(`${(await shown(String(id))).link}#comment-${made.id}`)
    expect(await commentCalls.probe(comment, attempt)).toEqual({ kind: 'published', ...made })
  }
  const again = { ...call, post: { ...call.post, replyTo: String(id), text: texts[0] ?? '' } }
  expect(await failureOf(commentCalls.commit(again, {}, '', undefined))).toMatchObject({ errorClass: 'duplicate' })
  const seen = await read(`/comments?post=${id}&order=asc`, z.array(z.object({ content: Rendered })))
  expect(seen).toHaveLength(2)
  expect(seen[0]?.content.rendered).toContain('Käse &amp; &lt;b&gt;bread&lt;/b&gt; 👋🏽')
  expect(seen[1]?.content.rendered).toContain('C:\\x \\\\ [gallery] &amp;amp;')
})

test('a deleted draft is prepared again', async () => {
  const call = await open()
  const ready = await prepared(call)
  const request = { method: 'DELETE', path: '/wp/v2/posts/{post}', params: { post: String(ready['draft']) } } as const
  await callWordPress(call.ctx, call.account, { ...request, query: { force: 'true' }, reply: z.unknown() })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'transient', info: { preparedGone: true } })
  const again = await prepared(call)
  expect(again).not.toEqual(ready)
  await commit(call, again)
})

test('disconnecting deletes the application password', async () => {
  const call = await open({}, { role: 'author' })
  await lifecycle.revoke?.(call.ctx, call.account)
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'auth' })
})
