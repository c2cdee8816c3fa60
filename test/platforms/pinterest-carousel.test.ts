import { expect, test } from 'vitest'
import { pinterestSeed } from '../../infra/local/platforms/pinterest.ts'
import { pinterest } from '../../shared/platforms/pinterest/publish.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { jpeg, png } from '../media/files.ts'
import { anyPicture, anyVideo } from './any-file.ts'
import { metadata, visitPinterest } from './pinterest-visit.ts'
import { failureOf } from './site.ts'

const { site, platforms, open, publish, armed, sent, fault } = await visitPinterest()
const carousel = { ...metadata, format: 'carousel' }
const boardSectionId = pinterestSeed.sections[0].id

test('a carousel names its images in order, and Pinterest loads them', async () => {
  const [first, other] = [png(10, 15), jpeg(10, 15)]
  const media = [
    await site.file({ altText: 'a cake' }, first),
    await site.file({ mimeType: 'image/jpeg', altText: 'its inside' }, other),
  ]
  const call = await open({ metadata: carousel, media })
  const { url } = await publish(call)
  const addressOf = (storageKey = '') => `${call.ctx.env('MEDIA_URL')}/${storageKey}`
  expect(sent()).toEqual({
    board_id: '549755885171',
    title: 'Lemon cake',
    description: 'A cake for hot days',
    link: 'https://bea.example/cake',
    alt_text: 'a cake',
    media_source: {
      source_type: 'multiple_image_urls',
      items: media.map(({ storageKey }) => ({ url: addressOf(storageKey) })),
    },
  })
  const [shown] = platforms.published()
  expect(shown?.url).toBe(url)
  const bytes = (shown?.media ?? []).map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer()))
  expect(await Promise.all(bytes)).toEqual([first, other])
})

test('a Pin in a section is looked for in the list of the section', async () => {
  const call = await open({ metadata: { ...metadata, boardSectionId } })
  const attempt = await armed(call)
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'absent' })
  // The same Pin on the board itself is another one.
  await publish(await open())
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'unknown' })
  expect(sent()).toMatchObject({ board_id: '549755885171', board_section_id: boardSectionId })
  const { url } = platforms.published().at(-1) ?? {}
  expect(await pinterest.probe(call, attempt)).toMatchObject({ kind: 'published', url })
})

test('a section that is gone is named', async () => {
  const call = await open({ metadata: { ...metadata, boardSectionId: '1' } })
  expect(await failureOf(publish(call))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('section of the board no longer exists. Choose another one.'),
  })
})

const check = (block: object, media: readonly ReturnType<typeof anyPicture>[]) =>
  checkPost(pinterest, { socialAccountId: 'acc', content: '', metadata: { ...metadata, ...block }, media })
const codes = (...given: Parameters<typeof check>) => check(...given).map(({ code }) => code)
const many = (count: number) => Array.from({ length: count }, () => anyPicture({ width: 1000, height: 1500 }))

test('2 to 5 images of one size, by the format only', () => {
  for (const count of [2, 3, 4, 5]) expect(codes(carousel, many(count))).toEqual([])
  for (const count of [1, 6]) expect(codes(carousel, many(count))).toContain('media_count')
  expect(codes({}, many(2))).toContain('media_count')
  expect(codes(carousel, [...many(1), anyVideo()])).toContain('media_type')
  expect(codes(carousel, [...many(1), anyPicture({ fileSize: 50_000_001 })])).toEqual(['media_size'])
  // An unmeasured value is not an error of the author.
  expect(codes(carousel, [...many(1), anyPicture()])).toEqual([])
  for (const other of [
    { width: 1001, height: 1500 },
    { width: 1000, height: 1499 },
  ]) {
    expect(check(carousel, [...many(1), anyPicture(other)])).toMatchObject([
      {
        code: 'media_dimensions',
        field: 'mediaUrls',
        message: `Pinterest: the images have different sizes: 1000 × 1500 and ${other.width} × ${other.height} px.`,
        next: 'Attach images of one size.',
      },
    ])
  }
})

test('the ID of a section has digits', () => {
  expect(codes({ boardSectionId }, many(1))).toEqual([])
  for (const wrong of ['cakes', '', 7, null]) {
    expect(codes({ boardSectionId: wrong }, many(1))).toEqual(['metadata_invalid'])
  }
})
