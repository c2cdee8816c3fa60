import { expect, test } from 'vitest'
import type { MediaFile } from '../../shared/media/media-file.ts'
import { definition } from '../../shared/platforms/mastodon/definition.ts'
import { isWithin, lettersOf, mastodonLength, plainText, shownText } from '../../shared/platforms/mastodon/text.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { visitMastodon } from './mastodon-visit.ts'
import { failureOf } from './site.ts'

const { jsonOf, open, publish, site } = await visitMastodon()

const image = (more: Partial<MediaFile> = {}): MediaFile => ({
  id: 'm',
  storageKey: 'm',
  mimeType: 'image/jpeg',
  fileSize: 1,
  originalFilename: 'a',
  width: 100,
  height: 100,
  ...more,
})
const movie = (more: Partial<MediaFile> = {}) => image({ mimeType: 'video/mp4', durationMs: 1000, ...more })
const moving = (more: Partial<MediaFile> = {}) => image({ mimeType: 'image/gif', ...more })

const issues = (content: string, metadata?: object, media: readonly MediaFile[] = []) =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata, media }).map(({ code, field }) =>
    field?.startsWith('metadata') ? `${code} ${field}` : code,
  )

test.each([
  ['a letter', 'x', 1],
  ['a family', '👨‍👩‍👧‍👦', 1],
  ['a letter with a combining mark', 'u\u0308', 1],
  ['a long link', `https://bakery.example/${'x'.repeat(200)} `, 24],
  ['a short link', 'http://a.de ', 24],
  ['a link in brackets', '(https://bakery.example/bread). ', 27],
  ['a name here', '@ann ', 5],
  ['a name at another server', '@ann@bakery.example ', 5],
  ['an address of an email', 'ann@bakery.example ', 19],
  ['a host without a dot', 'https://localhost/bread ', 24],
  ['an address without its scheme', 'www.bakery.example ', 19],
  ['a link behind a letter', 'xhttps://bakery.example ', 24],
  ['a name in a link', 'https://bakery.example/@ann@else.example ', 24],
])('%s counts as Mastodon counts it', (_, text, length) => {
  expect(mastodonLength(text)).toBe(length)
  const fill = (total: number) => text + 'x'.repeat(total - length)
  expect([issues(fill(499)), issues(fill(500)), issues(fill(501))]).toEqual([[], [], ['content_length']])
})

test('the stand-in counts by itself', async () => {
  const text = `https://bakery.example/${'x'.repeat(200)} @ann@bakery.example `
  const fill = (total: number) => text + 'x'.repeat(total - mastodonLength(text))
  await publish(await open({ text: fill(500) }))
  expect(await failureOf(publish(await open({ text: fill(501) })))).toMatchObject({
    errorClass: 'invalid',
    info: { detail: 'Validation failed: Text character limit of 500 exceeded' },
  })
})

test('counts, words, and letters of hostile texts take linear time', () => {
  for (const part of ['@a', '@a.', '@a@', 'https://', 'https://a.', '<', '&', '&#', 'a.b@']) {
    const text = part.repeat(100_000)
    expect(mastodonLength(text)).toBeGreaterThan(0)
    expect(plainText(text)).toEqual(expect.any(String))
    expect(isWithin(lettersOf(text), shownText(text))).toEqual(expect.any(Boolean))
  }
})

test.each([
  ['<p>One<br />two</p><p>three</p>', 'One two three'],
  [
    '<p>a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#x27; &unknown; &#1114112;</p>',
    `a & b <c> "d" 'e' &unknown; &#1114112;`,
  ],
  ['', ''],
])('%s reads as %s', (html, plain) => {
  expect(plainText(html)).toBe(plain)
})

test('a content warning is a part of the text', async () => {
  const field = 'metadata.mastodon.spoilerText'
  const spoilerText = 'w'.repeat(100)
  const at = (length: number) => issues('x'.repeat(length), { spoilerText })
  expect([at(399), at(400), at(401)]).toEqual([[], [], [`content_length ${field}`]])
  await publish(await open({ text: 'x'.repeat(400), metadata: { spoilerText } }))
  const tooLong = await open({ text: 'x'.repeat(401), metadata: { spoilerText } })
  expect(await failureOf(publish(tooLong))).toMatchObject({ errorClass: 'invalid' })
  expect(issues('', { spoilerText }, [image()])).toEqual([])
  expect(issues('', { spoilerText })).toEqual(['content_empty'])
  expect(issues('x', { spoilerText: ' ' })).toEqual([`metadata_invalid ${field}`])
  expect(issues('', { spoilerText: 'w'.repeat(501) }, [image()])).toEqual([`content_length ${field}`])
})

const poll = (more: object = {}) => ({ poll: { options: ['a', 'b'], durationSeconds: 300, ...more } })
const options = (count: number, length = 1) => Array.from({ length: count }, (_, n) => `${n}${'x'.repeat(length - 1)}`)

test.each([
  ['two choices', poll(), []],
  ['four choices of 50 characters', poll({ options: options(4, 50) }), []],
  ['one choice', poll({ options: options(1) }), ['metadata_invalid metadata.mastodon.poll.options']],
  ['five choices', poll({ options: options(5) }), ['metadata_invalid metadata.mastodon.poll.options']],
  [
    'a choice of 51',
    poll({ options: options(2, 51) }),
    [0, 1].map((n) => `metadata_invalid metadata.mastodon.poll.options.${n}`),
  ],
  ['the same choice twice', poll({ options: ['a', 'a'] }), ['metadata_invalid metadata.mastodon.poll.options']],
  ['299 seconds', poll({ durationSeconds: 299 }), ['metadata_invalid metadata.mastodon.poll.durationSeconds']],
  ['a month', poll({ durationSeconds: 2_629_746 }), []],
  [
    'more than a month',
    poll({ durationSeconds: 2_629_747 }),
    ['metadata_invalid metadata.mastodon.poll.durationSeconds'],
  ],
])('a poll with %s', async (_, metadata, expected) => {
  expect(issues('Which?', metadata)).toEqual(expected)
  // The stand-in checks by itself what reaches it.
  if (expected.length === 0) expect((await publish(await open({ text: 'Which?', metadata }))).id).toMatch(/^\d+$/)
})

test('sends a poll that only a server with wider limits takes', async () => {
  const call = await open({ text: 'Which?', metadata: poll({ options: options(8, 90) }) })
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'invalid' })
  expect(jsonOf('create').poll.options).toEqual(options(8, 90))
})

test('a poll has a text and no media', () => {
  expect(issues('Which?', poll(), [image()])).toEqual(['metadata_invalid metadata.mastodon.poll'])
  expect(issues('', poll())).toEqual(['content_empty'])
})

test.each([
  ['language', 'eng', []],
  ['language', 'english', ['metadata_invalid metadata.mastodon.language']],
  ['language', 'EN', ['metadata_invalid metadata.mastodon.language']],
  ['visibility', 'private', []],
  ['visibility', 'direct', ['metadata_invalid metadata.mastodon.visibility']],
])('%s %s', (name, value, expected) => {
  expect(issues('Hello', { [name]: value })).toEqual(expected)
})

const mebibyte = 1024 * 1024
test.each([
  ['four images', Array.from({ length: 4 }, () => image()), []],
  ['five images', Array.from({ length: 5 }, () => image()), ['media_count']],
  ['an image of 50 MB, which is converted', [image({ fileSize: 50_000_000 })], []],
  ['an image of 7680 x 4320', [image({ width: 7680, height: 4320 })], []],
  ['an image of one pixel more', [image({ width: 7681, height: 4320 })], ['media_dimensions']],
  ['a GIF of 16 MiB less a byte', [moving({ fileSize: 16 * mebibyte - 1 })], []],
  ['a GIF of 16 MiB', [moving({ fileSize: 16 * mebibyte })], ['media_size']],
  ['a GIF of 1280 x 720', [moving({ width: 1280, height: 720 })], []],
  ['a larger GIF', [moving({ width: 1281, height: 720 })], ['media_dimensions']],
  ['two GIFs', [moving(), moving()], ['media_count']],
  ['a video of 99 MiB less a byte', [movie({ fileSize: 99 * mebibyte - 1 })], []],
  ['a video of 99 MiB', [movie({ fileSize: 99 * mebibyte })], ['media_size']],
  ['a video of 3840 x 2160', [movie({ width: 3840, height: 2160 })], []],
  ['a larger video', [movie({ width: 3841, height: 2160 })], ['media_dimensions']],
  ['a MOV', [movie({ mimeType: 'video/quicktime' })], []],
  ['two videos', [movie(), movie()], ['media_count']],
  ['a video and an image', [movie(), image()], ['media_type']],
])('takes or refuses %s', (_, media, expected) => {
  expect(issues('Hello', undefined, media)).toEqual(expected)
})

test('sends no file that the server would find too large', async () => {
  const call = await open({ media: [await site.file({}, Buffer.alloc(16 * mebibyte))] })
  expect(await failureOf(publish(call))).toMatchObject({
    errorClass: 'invalid',
    info: { detail: expect.stringContaining('File file size must be less than') },
  })
})
