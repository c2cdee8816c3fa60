import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../shared/errors/refusal.ts'
import { uploadVideo } from '../journeys/upload-video.ts'
import { type Kit, start } from '../support/start.ts'
import { connectOnce } from '../support/world/preparations.ts'
import { box, type ClipOptions, clip, esds, soundEntry } from './clips.ts'
import { look } from './look.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const stereo = { channels: 2, sampleRateHz: 48_000 }
/** AAC LC, 44.1 kHz, mono: 00010 0100 0001 000. */
const lowComplexity = [0x12, 0x08]
/** HE-AAC, 24 kHz and 48 kHz, stereo: 00101 0110 0010 0011 ... */
const highEfficiency = [0x2b, 0x11, 0x88]

/** With a sequence parameter set that ends with `rest`: its ID, and from profile 100 on how colors are sampled. */
const avcC = (profile: number, rest: readonly number[] = []) =>
  box('avcC', Buffer.from([1, profile, 0, 30, 0xff, 0xe1, 0, 4 + rest.length, 0x67, profile, 0, 30, ...rest]))
const hvcC = (profile: number, chroma?: number) =>
  box('hvcC', Buffer.from([1, profile, 0, 0, ...(chroma === undefined ? [] : [...Array(12).fill(0), 0xfc | chroma])]))

const infoOf = async (options: ClipOptions) => (await look(clip(options))).info?.video

test('a completed upload shows what its index says, and so does the library', async () => {
  const film = clip({
    sound: true,
    soundEntry: soundEntry('mp4a', stereo, { boxes: [esds(0x40, lowComplexity)] }),
    codecBoxes: [avcC(100, [0b1010_1000])],
    bytes: 100_000,
    edits: [[15, 0]],
  })
  const video = {
    codec: 'h264',
    profile: 'High',
    chroma: '4:2:0',
    framesPerSecond: 30,
    hasVariableFrameRate: false,
    videoBitsPerSecond: 53_280,
    totalBitsPerSecond: Math.round((film.length * 8) / 15),
    audioCodec: 'aac',
    audioSampleRateHz: 44_100,
    audioChannels: 1,
    hasIndexFirst: true,
    editLists: 'whole',
  }
  const completed = await uploadVideo(kit, film)
  expect(completed.video).toEqual(video)
  expect(await kit.api.media.get({ params: { id: completed.id } })).toMatchObject({ video })
  const { items } = await kit.api.media.list({})
  expect(items.find(({ id }) => id === completed.id)?.video).toEqual(video)
})

test.each<[ClipOptions, object]>([
  [{ codec: 'avc3' }, { codec: 'h264' }],
  [
    { codec: 'hvc1', codecBoxes: [hvcC(2)] },
    { codec: 'hevc', profile: 'Main 10' },
  ],
  [
    { codec: 'hev1', codecBoxes: [hvcC(0x21)] },
    { codec: 'hevc', profile: 'Main' },
  ],
  // The ID 0 and a format, each as an Exp-Golomb code: `1`, and `1`, `010`, `011`, or `00100`.
  [{ codecBoxes: [avcC(66)] }, { profile: 'Baseline', chroma: '4:2:0' }],
  [{ codecBoxes: [avcC(100, [0b1100_0000])] }, { profile: 'High', chroma: '4:0:0' }],
  [{ codecBoxes: [avcC(110, [0b1010_0000])] }, { profile: 'High 10', chroma: '4:2:0' }],
  [{ codecBoxes: [avcC(122, [0b1010_0000])] }, { profile: 'High 4:2:2', chroma: '4:2:0' }],
  [{ codecBoxes: [avcC(122, [0b1011_0000])] }, { profile: 'High 4:2:2', chroma: '4:2:2' }],
  [{ codecBoxes: [avcC(244, [0b1001_0000])] }, { profile: 'High 4:4:4', chroma: '4:4:4' }],
  // The ID 2.
  [{ codecBoxes: [avcC(122, [0b0110_1100])] }, { chroma: '4:2:2' }],
  [
    { codec: 'hvc1', codecBoxes: [hvcC(4, 2)] },
    { profile: 'RExt', chroma: '4:2:2' },
  ],
  [
    { codec: 'hvc1', codecBoxes: [hvcC(1, 1)] },
    { profile: 'Main', chroma: '4:2:0' },
  ],
  [{ codec: 'av01' }, { codec: 'av1' }],
  [{ codec: 'vp09' }, { codec: 'vp9' }],
  [{ codec: 'apch' }, { codec: 'prores' }],
  [{ codec: 'icpf' }, { codec: 'icpf' }],
  [{ framesPerSecond: 24 }, { framesPerSecond: 24, hasVariableFrameRate: false }],
  [{ framesPerSecond: 59.94 }, { framesPerSecond: 59.92, hasVariableFrameRate: false }],
  [{ framesPerSecond: 30, uneven: true }, { hasVariableFrameRate: true }],
  [{ indexLast: true }, { hasIndexFirst: false }],
  [{ bytes: 3_000_000 }, { videoBitsPerSecond: 1_599_840 }],
  [{ edits: [] }, { editLists: 'none' }],
  [{ edits: [[15, 0]] }, { editLists: 'whole' }],
  [{ edits: [[0, 0]] }, { editLists: 'whole' }],
  [{ edits: [[14.75, 0.25]] }, { editLists: 'offset' }],
  [{ edits: [[14.75, 0]] }, { editLists: 'offset' }],
  [{ edits: [[14.74, 0]] }, { editLists: 'cut' }],
  [{ edits: [[14.74, 0.26]] }, { editLists: 'cut' }],
  [
    {
      edits: [
        [0.25, -1],
        [15, 0],
      ],
    },
    { editLists: 'offset' },
  ],
  [
    {
      edits: [
        [0.26, -1],
        [15, 0],
      ],
    },
    { editLists: 'cut' },
  ],
  [{ edits: [[15, 0, 2]] }, { editLists: 'cut' }],
  [
    {
      edits: [
        [5, 0],
        [10, 5],
      ],
    },
    { editLists: 'cut' },
  ],
  [{ edits: [[15, -1]] }, { editLists: 'cut' }],
])('a film of %j is %j', async (options, info) => {
  expect(await infoOf(options)).toMatchObject(info)
})

test.each<[string, Buffer, object]>([
  [
    'AAC with its configuration',
    soundEntry('mp4a', stereo, { boxes: [esds(0x40, lowComplexity)] }),
    { audioCodec: 'aac', audioSampleRateHz: 44_100, audioChannels: 1 },
  ],
  [
    'HE-AAC',
    soundEntry('mp4a', stereo, { boxes: [esds(0x40, highEfficiency)] }),
    { audioCodec: 'he-aac', audioSampleRateHz: 48_000, audioChannels: 2 },
  ],
  [
    'AAC without a configuration',
    soundEntry('mp4a', stereo, { boxes: [esds(0x67)] }),
    { audioCodec: 'aac', audioSampleRateHz: 48_000, audioChannels: 2 },
  ],
  [
    'AAC of QuickTime',
    soundEntry('mp4a', stereo, {
      version: 1,
      boxes: [box('wave', box('frma', Buffer.from('mp4a')), esds(0x40, lowComplexity))],
    }),
    { audioCodec: 'aac', audioSampleRateHz: 44_100 },
  ],
  [
    'MP3',
    soundEntry('mp4a', stereo, { boxes: [esds(0x6b)] }),
    { audioCodec: 'mp3', audioSampleRateHz: 48_000, audioChannels: 2 },
  ],
  [
    'samples as they are',
    soundEntry('sowt', { channels: 6, sampleRateHz: 44_100 }),
    { audioCodec: 'pcm', audioSampleRateHz: 44_100, audioChannels: 6 },
  ],
  ['Opus', soundEntry('Opus', stereo), { audioCodec: 'opus' }],
])('sound: %s', async (_title, entry, info) => {
  expect(await infoOf({ sound: true, soundEntry: entry })).toMatchObject(info)
})

test('a value that is not in the index, or cannot be, is absent', async () => {
  expect(await infoOf({ durationMs: 0, codec: '\u00a9abc' })).toEqual({ hasIndexFirst: true, editLists: 'none' })
  const lying = clip()
  lying.writeUInt32BE(0xffff_ffff, lying.indexOf('stsz') + 8)
  const { info } = await look(lying)
  expect(info?.video).not.toHaveProperty('videoBitsPerSecond')
  const silent = await infoOf({ sound: true, soundEntry: box('mp4a', Buffer.alloc(3)) })
  expect(silent).toMatchObject({ codec: 'h264' })
  expect(silent).not.toHaveProperty('audioCodec')
  // The rate of a sound entry of QuickTime, version 2, is a double.
  for (const rateHz of [2 ** 53, Number.POSITIVE_INFINITY]) {
    const long = Buffer.alloc(64)
    long.writeUInt16BE(2, 8)
    long.writeDoubleBE(rateHz, 32)
    const { video } = await uploadVideo(kit, clip({ sound: true, soundEntry: box('sowt', long) }))
    expect(video).toMatchObject({ audioCodec: 'pcm' })
    expect(video).not.toHaveProperty('audioSampleRateHz')
  }
  // A megabyte in a tick of the finest time scale.
  const dense = clip({ durationMs: 1, bytes: 1_000_000 })
  dense.writeUInt32BE(0xffff_ffff, dense.indexOf('mdhd') + 16)
  dense.writeUInt32BE(1, dense.indexOf('stts') + 16)
  const { video } = await uploadVideo(kit, dense)
  expect(video).toMatchObject({ codec: 'h264' })
  expect(video).not.toHaveProperty('videoBitsPerSecond')
})

/** A film with every table that the parser reads. */
const full = clip({
  sound: true,
  soundEntry: soundEntry('mp4a', stereo, { version: 1, boxes: [box('wave', esds(0x40, highEfficiency))] }),
  codecBoxes: [avcC(100)],
  edits: [
    [0.1, -1],
    [14, 0.1],
  ],
  uneven: true,
  durationMs: 300,
})

test('a film with any tables is accepted or rejected with a message', async () => {
  const offsets = ['stsd', 'avcC', 'stts', 'stsz', 'elst', 'esds', 'mp4a', 'wave', 'mdhd', 'hdlr'].map((type) =>
    full.indexOf(type),
  )
  const change = fc.record({
    offset: fc.constantFrom(...offsets),
    by: fc.integer({ min: -4, max: 60 }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 8 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const film = Buffer.from(full)
      for (const { offset, by, bytes } of changes) film.set(bytes, Math.min(offset + by, film.length - bytes.length))
      const { info, error } = await look(film)
      if (info === undefined) expect(error).toBeInstanceOf(Refusal)
      else expect(info.video?.framesPerSecond ?? 1).toBeLessThanOrEqual(1000)
    }),
    { numRuns: 2000 },
  )
})

describe('rules of platforms', () => {
  const validate = async (platform: 'tiktok' | 'x', film: ClipOptions) => {
    const account = await connectOnce(kit, platform)
    const { id } = await uploadVideo(kit, clip(film))
    const metadata = platform === 'tiktok' ? { tiktok: { privacyLevel: 'SELF_ONLY' as const } } : {}
    const body = { socialAccountIds: [account], content: 'A film', mediaUrls: [id], metadata }
    const { issues, warnings } = await kit.api.posts.validate({ body })
    return { issues: issues.map(({ code, message }) => [code, message]), warnings: warnings.map(({ code }) => code) }
  }

  test.each<[ClipOptions, string[][]]>([
    [{ framesPerSecond: 22 }, [['media_encoding', 'TikTok: clip.mp4 has a frame rate of 22 frames/s.']]],
    [{ framesPerSecond: 23 }, []],
    [{ framesPerSecond: 60 }, []],
    [{ framesPerSecond: 61 }, [['media_encoding', 'TikTok: clip.mp4 has a frame rate of 61 frames/s/60 frames/s.']]],
    [{ codec: 'apch' }, [['media_encoding', 'TikTok: clip.mp4 has the video codec prores.']]],
  ])('TikTok validates a film of %j', async (film, issues) => {
    expect(await validate('tiktok', film)).toEqual({ issues, warnings: [] })
  })

  test('a frame rate that varies, and what a platform only advises, is a warning', async () => {
    expect(await validate('tiktok', { framesPerSecond: 10, uneven: true })).toEqual({
      issues: [],
      warnings: ['may_be_rejected'],
    })
    expect(await validate('x', { codec: 'hvc1' })).toEqual({ issues: [], warnings: ['may_be_rejected'] })
    expect(await validate('x', {})).toEqual({ issues: [], warnings: [] })
  })
})
