import type { FileRule } from '../definition.ts'

/**
 * What Instagram and Threads accept of the streams of a video: the Reel, Story video, and Threads video specifications name
 * the same values, except for the bit rate, which is Instagram's here (Instagram API, IG User Media, 2026-03; Threads API,
 * Posts, 2026-04-14). Containers of other videos end with an error such as INVALID_FRAME_RATE or INVALID_BIT_RATE.
 */
export const videoStreams = {
  codecs: ['h264', 'hevc'],
  audioCodecs: ['aac', 'he-aac'],
  minFramesPerSecond: 23,
  maxFramesPerSecond: 60,
  maxVideoBitsPerSecond: 25_000_000,
  maxAudioSampleRateHz: 48_000,
  maxAudioChannels: 2,
  // Meta requires the index first and no edit lists. Edit lists that encoders write cannot be removed without a change, and
  // are accepted.
  sentVideo: { indexFirst: true, editLists: false },
  advised: { chromas: ['4:2:0'], editLists: ['none', 'whole', 'offset'] },
} satisfies Partial<FileRule>
