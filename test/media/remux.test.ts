import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { planParts } from '../../shared/aws/join-file.ts'
import { Refusal } from '../../shared/errors/refusal.ts'
import { openSource } from '../../shared/media/inspect/source.ts'
import { planRemux } from '../../shared/media/remux/plan.ts'
import { CannotRemux } from '../../shared/media/remux/write.ts'
import type { VideoForm } from '../../shared/media/video-form.ts'
import { minuteMs } from '../../shared/time.ts'
import { uploadFile } from '../journeys/upload-file.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { box, type ClipOptions, clip, esds, soundEntry } from './clips.ts'
import { look } from './look.ts'
import { mux } from './muxed.ts'
import { readBack } from './read-back.ts'

const mp4: VideoForm = { container: 'mp4' }
const indexFirst: VideoForm = { indexFirst: true, editLists: false }

const remux = async (film: Buffer, form: VideoForm) => {
  const { pieces } = await planRemux(await openSource(film.length, async (from, to) => film.subarray(from, to)), form)
  return Buffer.concat(pieces.map((piece) => ('from' in piece ? film.subarray(piece.from, piece.to) : piece)))
}

const sound = soundEntry(
  'mp4a',
  { channels: 2, sampleRateHz: 48_000 },
  { version: 1, boxes: [box('wave', box('frma', Buffer.from('mp4a')), esds(0x40, [0x12, 0x08]))] },
)
const avcC = box('avcC', Buffer.from('0142001effe100046742001e01000468ce3c80', 'hex'))
const colors = box('colr', Buffer.from('6e636c63000900120009', 'hex'))

/** A film of a phone: QuickTime, its index last, with sound, colors, and an edit list that shows all of it. */
const phoneFilm = (more: ClipOptions = {}) => {
  const film = clip({
    brand: 'qt  ',
    indexLast: true,
    sound: true,
    soundEntry: sound,
    codecBoxes: [avcC, colors],
    edits: [[2, 0]],
    durationMs: 2000,
    bytes: 60_000,
    ...more,
  })
  // Pictures that differ from each other.
  const at = film.indexOf('mdat') + 4
  for (let n = 0; n < (more.bytes ?? 60_000); n += 1) film[at + n] = (n * 31 + (n >> 8)) & 0xff
  return film
}

describe('a rewritten film', () => {
  test.each<[string, () => Promise<Buffer> | Buffer, VideoForm, string]>([
    ['a MOV of a library as MP4', () => mux({ container: 'mov', index: 'last', rotation: 90 }), mp4, 'video/mp4'],
    ['a MOV of a phone as MP4', () => phoneFilm(), mp4, 'video/mp4'],
    ['a MOV in Dolby Vision as MP4', () => phoneFilm({ codec: 'dvh1' }), mp4, 'video/mp4'],
    ['a MOV of a phone with its index first', () => phoneFilm(), indexFirst, 'video/quicktime'],
    ['an MP4 with its index first', () => mux({ container: 'mp4', index: 'last' }), indexFirst, 'video/mp4'],
  ])('%s has the same samples at the same times', async (_title, make, form, mimeType) => {
    const film = await make()
    const rewritten = await remux(film, form)
    const [before, after] = [await readBack(film), await readBack(rewritten)]
    expect(after).toEqual({ container: mimeType, tracks: before.tracks })
    expect(after.tracks[0]?.length).toBeGreaterThan(20)
    const { info: was } = await look(film)
    const { info: is, mimeType: type } = await look(rewritten)
    expect(type).toBe(mimeType)
    const totalBitsPerSecond = expect.any(Number)
    const editLists = form.editLists === false ? 'none' : was?.video?.editLists
    expect(is).toEqual({ ...was, video: { ...was?.video, totalBitsPerSecond, hasIndexFirst: true, editLists } })
  })

  test('an MP4 has the colors of the MOV, and nothing that only QuickTime knows', async () => {
    const rewritten = await remux(phoneFilm(), mp4)
    expect(rewritten.toString('latin1', 4, 12)).toBe('ftypisom')
    expect(rewritten.includes(Buffer.from('6e636c7800090012000900', 'hex'))).toBe(true)
    expect(['wave', 'nclc', 'qt  '].filter((type) => rewritten.includes(type))).toEqual([])
  })

  test('edit lists that change something stay', async () => {
    const film = phoneFilm({ edits: [[1.9, 0.1]] })
    expect((await look(await remux(film, indexFirst))).info?.video?.editLists).toBe('offset')
  })
})

test.each<[string, Buffer, VideoForm]>([
  ['samples outside of its media data', phoneFilm({ bytes: 600 }), indexFirst],
  ['a codec that an MP4 does not take', phoneFilm({ codec: 'apch' }), mp4],
  [
    'sound that an MP4 does not take',
    phoneFilm({ soundEntry: soundEntry('sowt', { channels: 2, sampleRateHz: 48_000 }) }),
    mp4,
  ],
  [
    'sound without its configuration',
    phoneFilm({ soundEntry: soundEntry('mp4a', { channels: 0, sampleRateHz: 0 }) }),
    mp4,
  ],
])('a film with %s is not rewritten', async (_title, film, form) => {
  const whole = Buffer.from(film)
  if (form === indexFirst) whole.writeUInt32BE(0xffff_fff0, whole.indexOf('stco') + 12)
  await expect(remux(whole, form)).rejects.toBeInstanceOf(CannotRemux)
})

test('a film with any index is either rewritten or left unchanged', async () => {
  const film = phoneFilm({ bytes: 600 })
  const from = film.indexOf('moov') - 4
  const change = fc.tuple(
    fc.integer({ min: from, max: film.length - 8 }),
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(mp4, indexFirst),
      async (changes, form) => {
        const changed = Buffer.from(film)
        for (const [at, bytes] of changes) changed.set(bytes, at)
        const error: unknown = await remux(changed, form).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        const isKnown = error === undefined || [CannotRemux, Refusal, RangeError].some((kind) => error instanceof kind)
        expect([error, isKnown]).toEqual([error, true])
      },
    ),
    { numRuns: 1000 },
  )
})

/** Ranges in which those that touch each other are one. */
const merge = (ranges: readonly { from: number; to: number }[]) =>
  ranges.reduce<{ from: number; to: number }[]>((list, range) => {
    const last = list.at(-1)
    if (last?.to === range.from) last.to = range.to
    else list.push({ ...range })
    return list
  }, [])

test('parts of a joined file are its bytes in order, and all but the last are long enough for S3', () => {
  const range = fc.tuple(fc.nat({ max: 30 }), fc.integer({ min: 8, max: 400 }))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 60 }), fc.array(range, { maxLength: 6 }), (headBytes, gaps) => {
      let at = 0
      const ranges = gaps.map(([gap, length]) => {
        const from = at + gap
        at = from + length
        return { from, to: at }
      })
      const head = Buffer.alloc(headBytes, 'head')
      const parts = planParts([head, ...ranges], 20, 64).map((part) => ('copy' in part ? [part.copy] : part.send))
      const lengths = parts.map((pieces) =>
        pieces.reduce((sum, piece) => sum + ('from' in piece ? piece.to - piece.from : piece.length), 0),
      )
      expect(lengths.slice(0, -1).every((length) => length >= 20 && length <= 84)).toBe(true)
      const pieces = parts.flat()
      expect(pieces.flatMap((piece) => ('from' in piece ? [] : [piece]))).toEqual([head])
      expect(merge(pieces.flatMap((piece) => ('from' in piece ? [piece] : [])))).toEqual(merge(ranges))
    }),
  )
})

describe('before a post is published', () => {
  let kit: Kit
  const calls: string[] = []
  /** How long S3 takes for a whole file. */
  let writeMs = 0
  beforeAll(async () => {
    kit = await start({
      observe: ({ functionName, service, action }, run) => {
        if (service !== 's3' || functionName !== 'prepare-post') return run()
        calls.push(action)
        if (action === 'PutObject') kit.clock.pass(writeMs)
        return run()
      },
    })
  })
  afterAll(() => kit.close())

  const publish = async (content: string, films: readonly Buffer[], account = kit.accounts.bluesky) => {
    const mediaUrls: string[] = []
    for (const film of films) mediaUrls.push(await uploadFile(kit, 'video/quicktime', film))
    const scheduledAt = new Date(kit.clock.now() + 20 * minuteMs).toISOString()
    const body = { socialAccountIds: [account], content, mediaUrls, scheduledAt }
    const [post] = await kit.api.posts.schedule({ body })
    calls.length = 0
    await kit.service.pass(25 * minuteMs)
    return kit.api.posts.get({ params: { id: post?.id ?? '' } })
  }
  const shown = async (content: string) => {
    const [post] = kit.platforms.published().filter(({ text }) => text === content)
    return Buffer.from(await (await fetch(post?.media[0] ?? '')).arrayBuffer())
  }

  test.each([
    ['a short one in one call', 60_000, ['PutObject']],
    [
      'a long one by parts that S3 copies',
      12_000_000,
      ['CreateMultipartUpload', 'UploadPart', 'UploadPartCopy', 'CompleteMultipartUpload'],
    ],
  ])('a MOV is published on Bluesky as an MP4: %s', async (content, bytes, writes) => {
    const film = phoneFilm({ bytes })
    expect(await publish(content, [film])).toMatchObject({ status: 'published' })
    expect((await shown(content)).equals(await remux(film, mp4))).toBe(true)
    expect(new Set(calls.filter((action) => /^(Put|Create|Upload|Complete)/.test(action)))).toEqual(new Set(writes))
  })

  test.each([
    ['soon', 0, false],
    ['too late, and in the next try', 11_000, true],
  ])('one film is rewritten after the other: its turn comes %s', async (content, ms, isLate) => {
    const threads = await connectOn(kit, 'threads')
    writeMs = ms
    expect(await publish(content, [phoneFilm(), phoneFilm()], threads)).toMatchObject({ status: 'published' })
    writeMs = 0
    const work = calls.filter((action) => ['GetObject', 'PutObject'].includes(action))
    const turns = work.filter((action, n) => action !== work[n - 1])
    expect(turns).toEqual(['GetObject', 'PutObject', 'GetObject', 'PutObject'])
    expect(kit.logged.some((line) => line.includes('was not rewritten in time.'))).toBe(isLate)
  })

  test('a MOV that cannot be an MP4 is rejected by validate', async () => {
    const media = await uploadFile(kit, 'video/quicktime', phoneFilm({ codec: 'apch' }))
    const body = { socialAccountIds: [kit.accounts.bluesky], content: 'A film', mediaUrls: [media] }
    const { issues } = await kit.api.posts.validate({ body })
    expect(issues).toMatchObject([
      { code: 'media_type', message: 'Bluesky: file is video/quicktime, and cannot be rewritten as MP4.' },
    ])
  })

  test('a MOV whose index is wrong fails its post with a message', async () => {
    const film = phoneFilm({ bytes: 600 })
    film.writeUInt32BE(0xffff_fff0, film.indexOf('stco') + 12)
    expect(await publish('Wrong', [film])).toMatchObject({
      status: 'failed',
      error: 'file cannot be rewritten as MP4. Export it as MP4, upload that file, then reschedule the post.',
    })
  })
})
