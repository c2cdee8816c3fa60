import { expect, test } from 'vitest'
import type { VideoInfo } from '../../shared/media/video-info.ts'
import type { PlatformDefinition } from '../../shared/platforms/definition.ts'
import { definition as facebook } from '../../shared/platforms/facebook/definition.ts'
import { definition as instagram } from '../../shared/platforms/instagram/definition.ts'
import { definition as linkedin } from '../../shared/platforms/linkedin/definition.ts'
import { definition as pinterest } from '../../shared/platforms/pinterest/definition.ts'
import { checkPost, warningsOf } from '../../shared/platforms/rules/check-post.ts'
import { definition as threads } from '../../shared/platforms/threads/definition.ts'
import { definition as tiktok } from '../../shared/platforms/tiktok/definition.ts'
import { definition as x } from '../../shared/platforms/x/definition.ts'
import { definition as youtube } from '../../shared/platforms/youtube/definition.ts'
import { anyVideo } from './any-file.ts'

const metadataOf: Readonly<Record<string, object>> = {
  facebook: { format: 'reel' },
  instagram: { format: 'reel' },
  tiktok: { privacyLevel: 'SELF_ONLY' },
  pinterest: { boardId: '1', title: 'A', description: 'B', format: 'video' },
}

/** A film that every platform takes. */
const usual: VideoInfo = {
  codec: 'h264',
  chroma: '4:2:0',
  framesPerSecond: 30,
  hasVariableFrameRate: false,
  videoBitsPerSecond: 5_000_000,
  audioCodec: 'aac',
  audioSampleRateHz: 48_000,
  audioChannels: 2,
  hasIndexFirst: true,
  editLists: 'none',
}

/** The result of a platform's check of a film: codes of issues and of warnings. */
const codesFor = (definition: PlatformDefinition, video: Partial<VideoInfo> | undefined) => {
  const videoInfo = { width: 1080, height: 1920, durationMs: 15_000, fileSize: 2_000_000 }
  const film = anyVideo({ ...videoInfo, video: video && { ...usual, ...video } })
  const post = { socialAccountId: 'acc_1', content: 'Hi', metadata: metadataOf[definition.id], media: [film] }
  return [...checkPost(definition, post), ...warningsOf(definition, post)].map(({ code }) => code)
}

const all = [facebook, instagram, linkedin, pinterest, threads, tiktok, x, youtube]

test('a usual film, and one of which nothing is known, is neither an issue nor a warning anywhere', () => {
  for (const definition of all) {
    expect([definition.id, codesFor(definition, {}), codesFor(definition, undefined)]).toEqual([definition.id, [], []])
  }
})

const refused = ['media_encoding']
const warned = ['may_be_rejected']

test.each<[PlatformDefinition, keyof VideoInfo, good: readonly unknown[], bad: readonly unknown[], string[]]>([
  ...[instagram, threads].flatMap(
    (meta): [PlatformDefinition, keyof VideoInfo, readonly unknown[], readonly unknown[], string[]][] => [
      [meta, 'codec', ['h264', 'hevc'], ['av1', 'vp9', 'prores', 'icpf'], refused],
      [meta, 'audioCodec', ['aac', 'he-aac'], ['pcm', 'mp3', 'opus'], refused],
      [meta, 'framesPerSecond', [22.5, 23, 23.976, 24, 59.94, 60, 60.49], [22.49, 22, 60.5, 61, 240], refused],
      [meta, 'audioSampleRateHz', [44_100, 48_000], [48_001, 96_000], refused],
      [meta, 'audioChannels', [1, 2], [3, 6], refused],
      [meta, 'editLists', ['none', 'whole', 'offset'], ['cut'], warned],
      [meta, 'chroma', ['4:2:0', undefined], ['4:0:0', '4:2:2', '4:4:4'], warned],
    ],
  ),
  [instagram, 'videoBitsPerSecond', [24_999_999, 25_000_000], [25_000_001], refused],
  [threads, 'videoBitsPerSecond', [99_999_999, 100_000_000], [100_000_001], refused],
  [tiktok, 'codec', ['h264', 'hevc', 'vp9', 'vp8'], ['av1', 'prores'], refused],
  [tiktok, 'framesPerSecond', [23, 60], [22, 61], refused],
  [x, 'codec', ['h264'], ['hevc'], warned],
  [x, 'chroma', ['4:2:0', undefined], ['4:0:0', '4:2:2', '4:4:4'], warned],
  [x, 'audioCodec', ['aac'], ['he-aac', 'pcm'], warned],
  [x, 'framesPerSecond', [1, 60], [61], warned],
  [x, 'audioChannels', [1, 2], [6], warned],
  [facebook, 'codec', ['h264', 'hevc', 'vp9', 'av1'], ['prores'], warned],
  [facebook, 'chroma', ['4:2:0', undefined], ['4:2:2', '4:4:4'], warned],
  [facebook, 'framesPerSecond', [23.976, 24, 60], [23, 61], warned],
  [pinterest, 'codec', ['h264', 'hevc'], ['prores'], warned],
  [linkedin, 'framesPerSecond', [10, 60], [9, 61], warned],
  [linkedin, 'videoBitsPerSecond', [30_000_000], [30_000_001], warned],
])('$0.name: $1 within and outside of its limits', (definition, field, good, bad, codes) => {
  for (const value of good) expect([value, codesFor(definition, { [field]: value })]).toEqual([value, []])
  for (const value of bad) expect([value, codesFor(definition, { [field]: value })]).toEqual([value, codes])
})

test('a frame rate that varies is a warning where a fixed one is an issue', () => {
  for (const definition of [instagram, threads, tiktok]) {
    expect(codesFor(definition, { framesPerSecond: 12, hasVariableFrameRate: true })).toEqual(warned)
    expect(codesFor(definition, { framesPerSecond: 30, hasVariableFrameRate: true })).toEqual([])
  }
})

test('a frame rate that varies is a warning where a platform only advises one', () => {
  for (const definition of [x, facebook, linkedin]) {
    expect(codesFor(definition, { framesPerSecond: 61, hasVariableFrameRate: true })).toEqual(warned)
    expect(codesFor(definition, { framesPerSecond: 30, hasVariableFrameRate: true })).toEqual([])
  }
})
