import { expect, test } from 'vitest'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { wordpressSeed } from '../../infra/local/platforms/wordpress.ts'
import { endsConnection } from '../../shared/platforms/platform-error.ts'
import { commentCalls } from '../../shared/platforms/wordpress/comments.ts'
import { wordpress as lifecycle } from '../../shared/platforms/wordpress/lifecycle.ts'
import { wordpress } from '../../shared/platforms/wordpress/publish.ts'
import { failureOf, png } from './site.ts'
import { loginOf, visitWordPress } from './wordpress-visit.ts'

const visited = await visitWordPress()
const { site, platforms, open, publish, prepared, commit, probe, sentTo, jsonOf, operations, fault } = visited
const [demo, second, contributor] = wordpressSeed.users
const slugOf = (id: string) => `social-${id}`

const paragraph = (html: string) => `<!-- wp:paragraph -->\n<p>${html}</p>\n<!-- /wp:paragraph -->`

test('makes a draft ahead, and publishes it by one call', async () => {
  const call = await open({ text: 'Grüße 👋🏽' })
  const { ready, expiresAtMs } = await prepared(call)
  expect(expiresAtMs).toBe(site.now() + 12 * 3_600_000)
  expect(platforms.published()).toEqual([])
  expect(operations()).toEqual(['drafts', 'draft'])
  const [draft] = sentTo('draft')
  const basic = Buffer.from(`${demo.username}:${demo.applicationPassword}`).toString('base64')
  expect(draft).toMatchObject({
    method: 'POST',
    path: '/wp-json/wp/v2/posts',
    query: '_fields=id',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
  })
  expect(jsonOf('draft')).toEqual({
    status: 'draft',
    slug: slugOf(call.post.id),
    title: '',
    excerpt: '',
    format: 'standard',
    sticky: false,
    content: paragraph('Grüße 👋🏽'),
    featured_media: 0,
    categories: [],
    tags: [],
  })
  const landed = await commit(call, ready)
  const [create, ...more] = sentTo('create')
  expect(more).toEqual([])
  expect(create).toMatchObject({ method: 'POST', path: `/wp-json/wp/v2/posts/${ready['draft']}` })
  expect(jsonOf('create')).toEqual({ status: 'publish', slug: '' })
  expect(landed).toEqual({ id: String(ready['draft']), url: `https://${wordpressSeed.site}/${ready['draft']}/` })
  expect(platforms.published()).toMatchObject([
    { text: 'Grüße 👋🏽', url: landed.url, publishedAt: site.now(), extras: [] },
  ])
})

test('a post carries the time of its publication, not that of its draft', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  site.pass(600_000)
  await commit(call, ready)
  expect(platforms.published()).toMatchObject([{ publishedAt: site.now() }])
  expect(jsonOf('draft')).not.toHaveProperty('date')
})

test('the text is displayed literally: HTML and shortcodes have no effect, links are clickable', async () => {
  const text =
    'One <b> & "two"\r\n[gallery] C:\\x\n\n \n\nSee https://bakery.example/a?b=1&c="x (https://b.example/x_(y)).'
  await publish(await open({ text }))
  const link = (href: string) => `<a href="${href}">${href}</a>`
  expect(jsonOf('draft').content).toBe(
    [
      paragraph('One &lt;b&gt; &amp; &quot;two&quot;<br>&#91;gallery] C:\\x'),
      paragraph(`See ${link('https://bakery.example/a?b=1&amp;c=')}&quot;x (${link('https://b.example/x_(y)')}).`),
    ].join('\n\n'),
  )
  expect(platforms.published()[0]?.text).toBe(text.replace(/\r\n/, '\n').replace('\n\n \n\n', '\n\n'))
})

test('sends every field of the metadata; a tag that the site has keeps its ID', async () => {
  const metadata = {
    title: 'Rye & spelt',
    excerpt: 'Two loaves',
    slug: 'two-loaves',
    format: 'aside',
    isSticky: true,
    categories: ['bread & Cakes', 'News'],
    tags: ['rye', 'R&B'],
    another: 'kept',
  }
  const landed = await publish(await open({ metadata }))
  expect(landed.url).toBe(`https://${wordpressSeed.site}/two-loaves/`)
  expect(sentTo('categories').map(({ query }) => new URLSearchParams(query).get('search'))).toEqual([
    'bread &amp; Cakes',
    'News',
  ])
  expect(jsonOf('draft')).toMatchObject({
    title: 'Rye & spelt',
    excerpt: 'Two loaves',
    format: 'aside',
    sticky: true,
    categories: [2, 3],
    tags: [100, 101],
  })
  expect(jsonOf('create')).toEqual({ status: 'publish', slug: 'two-loaves' })
  expect(platforms.published()[0]?.extras).toEqual([
    ...['title: Rye & spelt', 'excerpt: Two loaves', 'format: aside', 'sticky'],
    ...['categories: Bread &amp; cakes, News', 'tags: rye, R&amp;B'],
  ])
  const other = await open({ metadata: { tags: ['RYE'] } })
  await prepared({ ...other, post: site.post({ metadata: { tags: ['wheat'] } }) })
  const again = { ...other, post: site.post({ metadata: { tags: ['Wheat'] } }) }
  await prepared(again)
  expect(jsonOf('draft').tags).toEqual([100])
})

test('uploads files ahead: the first image is the featured one, the others follow the text', async () => {
  const media = [
    await site.file({ altText: 'A "loaf"', originalFilename: 'a "loaf".heic' }),
    await site.file({ originalFilename: 'two' }),
    await site.file({ mimeType: 'video/quicktime', originalFilename: 'film.mov' }),
  ]
  const call = await open({ text: 'Three', media })
  const { ready } = await prepared(call)
  expect(operations()).toEqual(['media', 'upload', 'upload', 'upload', 'drafts', 'draft'])
  const uploads = sentTo('upload').map(({ headers, body }) =>
    parseMultipart(headers['content-type'] ?? '', body).map(({ name, filename, type, bytes }) => ({
      name,
      filename,
      type,
      value: name === 'file' ? bytes.length : bytes.toString(),
    })),
  )
  const slug = (n: number) => ({ name: 'slug', value: `${slugOf(call.post.id)}-${media[n]?.id}` })
  expect(uploads).toMatchObject([
    [
      slug(0),
      { name: 'alt_text', value: 'A "loaf"' },
      { name: 'file', filename: 'a "loaf".png', type: 'image/png', value: png.length },
    ],
    [slug(1), { name: 'file', filename: 'two.png' }],
    [slug(2), { name: 'file', filename: 'film.mov', type: 'video/quicktime' }],
  ])
  const { content, featured_media: featured } = jsonOf('draft')
  const url = (n: number, name: string) => `https://${wordpressSeed.site}/wp-content/uploads/${n}-${name}`
  expect(content).toBe(
    [
      paragraph('Three'),
      `<!-- wp:image {"id":${featured + 1}} -->\n<figure class="wp-block-image"><img src="${url(featured + 1, 'two.png')}" alt="" class="wp-image-${featured + 1}"/></figure>\n<!-- /wp:image -->`,
      `<!-- wp:video {"id":${featured + 2}} -->\n<figure class="wp-block-video"><video controls src="${url(featured + 2, 'film.mov')}"></video></figure>\n<!-- /wp:video -->`,
    ].join('\n\n'),
  )
  await commit(call, ready)
  expect(platforms.published()[0]?.media).toHaveLength(3)
  expect(platforms.published()[0]?.extras).toEqual(['featured image'])
})

test('a named featured image is separate from the files of the post, which all follow the text', async () => {
  const [featured, one] = [await site.file(), await site.file()]
  const assets = { featuredMediaAssetId: featured }
  await publish(await open({ media: [one], assets, metadata: { featuredMediaAssetId: featured.id } }))
  expect(sentTo('upload')).toHaveLength(2)
  expect(jsonOf('draft').content).toContain('wp-block-image')
  expect(jsonOf('draft').content).not.toContain(`wp-image-${jsonOf('draft').featured_media}"`)
})

test('an image without a text is in the content: WordPress takes no empty post', async () => {
  await publish(await open({ text: '', media: [await site.file()] }))
  expect(jsonOf('draft').content).toContain(`wp-image-${jsonOf('draft').featured_media}"`)
})

test('a draft and files whose responses were lost are found again, also by a later version', async () => {
  const media = [await site.file({ altText: 'Old' })]
  const call = await open({ media })
  fault({ fault: 'landed_then_reset', operation: 'upload' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  fault({ fault: 'landed_then_reset', operation: 'draft' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  const [file] = media
  const later = site.post({ ...call.post, version: 2, text: 'Later', media: file ? [{ ...file, altText: 'New' }] : [] })
  const { ready } = await prepared({ ...call, post: later })
  expect([sentTo('upload').length, sentTo('draft').length]).toEqual([1, 1])
  expect(jsonOf('describe')).toEqual({ alt_text: 'New' })
  expect(jsonOf('edit')).toMatchObject({ status: 'draft', content: paragraph('Later'), categories: [] })
  expect(jsonOf('edit')).not.toHaveProperty('slug')
  await commit({ ...call, post: later }, ready)
  expect(platforms.published()).toMatchObject([{ text: 'Later' }])
})

test('files that take long are uploaded by several invocations', async () => {
  const media = [await site.file(), await site.file()]
  const call = await open({ media })
  const ctx = {
    ...call.ctx,
    async observe<T>(effect: Parameters<typeof call.ctx.observe>[0], run: () => Promise<T>): Promise<T> {
      if (effect.action === 'POST /wp-json/wp/v2/media') site.pass(21_000)
      return call.ctx.observe(effect, run)
    },
  }
  expect(await wordpress.prepare?.({ ...call, ctx }, undefined)).toEqual({ waitSeconds: 1, resume: {} })
  await prepared(call)
  expect(sentTo('upload')).toHaveLength(2)
})

test('the post says whether it is published, whatever became of the response', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  const outcome = await probe(call, ready)
  expect(outcome).toMatchObject({ kind: 'published', id: String(ready['draft']) })
  const again = await commit(call, ready)
  expect({ kind: 'published', ...again }).toEqual(outcome)
  expect(platforms.published()).toHaveLength(1)
  await wordpress.remove?.(call, again.id ?? '')
  expect(await probe(call, ready)).toEqual({ kind: 'unprovable' })
  expect(await probe(call, { draft: 9999 })).toEqual({ kind: 'unprovable' })
  fault({ fault: 'html_503', operation: 'read' })
  expect(await failureOf(probe(call, ready))).toMatchObject({ errorClass: 'transient' })
})

test('a deleted draft is created again', async () => {
  const call = await open()
  expect(await failureOf(commit(call, { draft: 9999 }))).toMatchObject({
    errorClass: 'transient',
    info: { preparedGone: true },
  })
})

test('a site that holds the post for review has not published it', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  fault({ fault: 'status', status: 200, body: { id: 1, status: 'pending', link: 'https://a.example' } })
  expect(await failureOf(commit(call, ready))).toMatchObject({
    errorClass: 'blocked',
    message: expect.stringContaining('its status is "pending"'),
  })
})

test('a live post goes into the trash, once; where there is no trash, it is deleted', async () => {
  const call = await open()
  const { id } = await publish(call)
  await wordpress.remove?.(call, id ?? '')
  expect(platforms.published()).toEqual([])
  await wordpress.remove?.(call, id ?? '')
  await wordpress.remove?.(call, '9999')
  expect(sentTo('delete').map(({ query }) => query)).toEqual(['', '', ''])
  const other = { ...call, post: site.post() }
  const { id: live } = await publish(other)
  const body = { code: 'rest_trash_not_supported', message: 'No trash.', data: { status: 501 } }
  fault({ fault: 'status', status: 501, operation: 'delete', body })
  await wordpress.remove?.(other, live ?? '')
  expect(sentTo('delete').at(-1)).toMatchObject({ query: 'force=true' })
  fault({ fault: 'html_503', operation: 'delete' })
  expect(await failureOf(Promise.resolve(wordpress.remove?.(other, live ?? '')))).toMatchObject({
    errorClass: 'transient',
  })
})

test('an edit writes the text anew, with the files that the site has', async () => {
  const media = [await site.file(), await site.file()]
  const call = await open({ text: 'Old', media, metadata: { title: 'Title' } })
  const { id } = await publish(call)
  const before = jsonOf('draft').content
  const post = site.post({ ...call.post, text: 'New', metadata: { excerpt: 'Short' } })
  await wordpress.edit?.({ ...call, post }, id ?? '')
  expect(jsonOf('edit')).toEqual({ content: before.replace('Old', 'New'), excerpt: 'Short' })
  expect(platforms.published()).toMatchObject([{ text: 'New' }])
  expect(platforms.published()[0]?.media).toHaveLength(2)
  expect(sentTo('upload')).toHaveLength(2)
  expect(await failureOf(Promise.resolve(wordpress.edit?.({ ...call, post }, '9999')))).toMatchObject({
    errorClass: 'invalid',
    message: 'WordPress no longer has the post.',
  })
})

test('comments under a post, and finds a lost comment among those of the user', async () => {
  const call = await open()
  const { id } = await publish(call)
  const comment = { ...call, post: site.post({ replyTo: String(id), text: 'Eggs & <flour>\r\n' }) }
  const attempt = { clientKey: '', ref: {}, startedAtMs: site.now() }
  const made = await commentCalls.commit(comment, {}, '', undefined)
  expect(made).toEqual({ id: '1', url: `https://${wordpressSeed.site}/${id}/#comment-1` })
  const [sent] = sentTo('comment')
  expect(sent).toMatchObject({ method: 'POST', path: '/wp-json/wp/v2/comments', query: '_fields=id%2Clink%2Cstatus' })
  expect(jsonOf('comment')).toEqual({ post: Number(id), content: 'Eggs &amp; &lt;flour&gt;' })
  site.pass(1_000)
  await commentCalls.commit({ ...comment, post: { ...comment.post, text: 'Sugar' } }, {}, '', undefined)
  expect(await commentCalls.probe(comment, attempt)).toEqual({ kind: 'published', ...made })
  expect(Object.fromEntries(new URLSearchParams(sentTo('comments').at(-1)?.query))).toEqual({
    post: String(id),
    author: String(demo.id),
    per_page: '100',
    page: '1',
    orderby: 'date_gmt',
    order: 'desc',
    _fields: 'id,link,date_gmt',
  })
  const other = { ...comment, post: { ...comment.post, text: 'Butter' } }
  expect(await commentCalls.probe(other, attempt)).toEqual({ kind: 'absent' })
  expect(await failureOf(commentCalls.commit(comment, {}, '', undefined))).toMatchObject({ errorClass: 'duplicate' })
  const body = { code: 'rest_comment_closed', message: 'Sorry.', data: { status: 403 } }
  fault({ fault: 'status', status: 403, operation: 'comment', body })
  expect(await failureOf(commentCalls.commit(other, {}, '', undefined))).toMatchObject({
    errorClass: 'invalid',
    message: 'WordPress rejected the comment: Sorry.',
  })
  fault({ fault: 'status', status: 201, operation: 'comment', body: { id: 9, link: null, status: 'hold' } })
  expect(await failureOf(commentCalls.commit(other, {}, '', undefined))).toMatchObject({ errorClass: 'blocked' })
})

test('a missing permission fails this post with a message, and the account stays connected', async () => {
  const sticky = await open({ metadata: { isSticky: true } }, loginOf(second))
  const refused = { code: 'rest_cannot_assign_sticky', message: 'Sorry.', data: { status: 403 } }
  fault({ fault: 'status', status: 403, operation: 'draft', body: refused })
  expect(await failureOf(prepared(sticky))).toMatchObject({
    errorClass: 'permission',
    message: expect.stringContaining('may not make posts sticky'),
    info: { otherPostsWork: true },
  })
  const unknown = await open({ metadata: { categories: ['Bred'] } })
  expect(await failureOf(prepared(unknown))).toMatchObject({
    errorClass: 'invalid',
    message: 'WordPress site has no category "Bred". Create it there, or leave it out.',
  })
  const call = await open({ metadata: { tags: ['new'] } })
  const body = { code: 'rest_cannot_create', message: 'Sorry.', data: { status: 403 } }
  fault({ fault: 'status', status: 403, operation: 'tag', body })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'invalid' })
})

test('a password that does not hold any more, and a role that may not see drafts, end the connection', async () => {
  const call = await open()
  const details = { status: { code: 'rest_forbidden_status', message: 'Forbidden.', data: { status: 403 } } }
  const body = { code: 'rest_invalid_param', message: 'Invalid parameter(s): status', data: { status: 400, details } }
  fault({ fault: 'status', status: 400, operation: 'drafts', body })
  const demoted = await failureOf(prepared(call))
  expect([demoted.errorClass, endsConnection(demoted)]).toEqual(['permission', true])
  await lifecycle.revoke?.(call.ctx, call.account)
  const revoked = await failureOf(prepared(call))
  expect([revoked.errorClass, endsConnection(revoked)]).toEqual(['auth', true])
})

test('a file that the site does not take fails the post with the message of the site', async () => {
  const call = await open({ media: [await site.file()] })
  const message = 'The uploaded file exceeds the upload_max_filesize directive in php.ini.'
  const body = { code: 'rest_upload_unknown_error', message, data: { status: 500 } }
  fault({ fault: 'status', status: 500, operation: 'upload', body })
  expect(await failureOf(prepared(call))).toMatchObject({
    errorClass: 'invalid',
    message: `WordPress site rejected the file: ${message}`,
  })
  fault({ fault: 'status', status: 500, operation: 'upload', body: { code: 'internal_server_error', message: 'x' } })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  const account = { ...call.account, credentials: { ...loginOf(contributor) } }
  expect(await failureOf(prepared({ ...call, account }))).toMatchObject({
    errorClass: 'permission',
    message: expect.stringContaining('may not upload files'),
  })
})

test('a site in a private network is not called', async () => {
  const call = await open()
  const account = { ...call.account, details: { site: 'https://10.0.0.1', root: '/wp-json' } }
  const ctx = site.ctx({ PLATFORM_ORIGINS: '{}' })
  expect(await failureOf(prepared({ ...call, ctx, account }))).toMatchObject({
    errorClass: 'blocked',
    message: expect.stringContaining('10.0.0.1'),
  })
})
