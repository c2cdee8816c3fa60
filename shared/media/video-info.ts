import * as z from 'zod/mini'
import { described } from '../http/described.ts'

/**
 * What edit lists do (ISO 14496-12, 8.6.6), from the least to the most:
 * - `none`: no track has one.
 * - `whole`: they show each track as a whole, from its start.
 * - `offset`: they leave out, or delay, at most a quarter of a second, as encoders do for reordered frames and for sound.
 * - `cut`: they leave out, repeat, or delay more.
 */
export const editListKinds = ['none', 'whole', 'offset', 'cut'] as const
export type EditListKind = (typeof editListKinds)[number]

/** How the colors of H.264 and HEVC are sampled, by `chroma_format_idc` (ITU-T H.264, 6.2; H.265, 6.2). */
export const chromaFormats = ['4:0:0', '4:2:0', '4:2:2', '4:4:4'] as const
export type ChromaFormat = (typeof chromaFormats)[number]

/** The contents of a video's index about its streams, without decoding; unknown values are absent. */
export const VideoInfo = z
  .object({
    codec: described(
      z.optional(z.string()),
      'The video codec: `h264`, `hevc`, `av1`, `vp9`, `vp8`, `prores`, `mpeg4`, `mjpeg`, or the sample entry of another one, such as `icpf`. Absent if unknown.',
    ),
    profile: described(
      z.optional(z.string()),
      'The profile of H.264 or HEVC, such as `High` or `Main 10`. Absent otherwise.',
    ),
    chroma: described(
      z.optional(z.enum(chromaFormats)),
      'How H.264 or HEVC samples the colors; `4:0:0` has none. Absent otherwise, or if unknown.',
    ),
    framesPerSecond: described(z.optional(z.number()), 'The average number of frames a second. Absent if unknown.'),
    hasVariableFrameRate: described(
      z.optional(z.boolean()),
      'Whether frames are shown for times that differ by more than a tenth. Absent if unknown.',
    ),
    videoBitsPerSecond: described(z.optional(z.int()), 'The average bit rate of the video track. Absent if unknown.'),
    totalBitsPerSecond: described(z.optional(z.int()), 'The average bit rate of the whole file. Absent if unknown.'),
    audioCodec: described(
      z.optional(z.string()),
      'The audio codec: `aac`, `he-aac`, `mp3`, `ac3`, `eac3`, `opus`, `flac`, `alac`, `pcm`, or the sample entry of another one. Absent without sound, or if unknown.',
    ),
    audioSampleRateHz: described(
      z.optional(z.number()),
      'The sample rate of the sound in Hz. Absent without sound, or if unknown.',
    ),
    audioChannels: described(z.optional(z.int()), 'The channels of the sound. Absent without sound, or if unknown.'),
    hasIndexFirst: described(
      z.boolean(),
      'Whether the index (`moov`) is before the media data, so that playback can start before the whole file is read.',
    ),
    editLists: described(
      z.enum(editListKinds),
      'What edit lists do. `none`: there are none. `whole`: they change nothing. `offset`: they leave out or delay at most a quarter of a second, as encoders do. `cut`: more.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'VideoInfo',
    description: 'What the index of a video says about its codecs, frames, and sound. What it does not say is absent.',
    examples: [
      {
        codec: 'h264',
        profile: 'High',
        chroma: '4:2:0',
        framesPerSecond: 29.97,
        hasVariableFrameRate: false,
        videoBitsPerSecond: 7_728_012,
        totalBitsPerSecond: 7_869_924,
        audioCodec: 'aac',
        audioSampleRateHz: 48_000,
        audioChannels: 2,
        hasIndexFirst: true,
        editLists: 'none',
      },
    ],
  })
export type VideoInfo = z.infer<typeof VideoInfo>
