import { type ChromaFormat, chromaFormats } from '../video-info.ts'
import { boxesIn, boxIn, boxUnder } from './box.ts'

/** Codecs by their sample entries (mp4ra.org, Sample Entries; QuickTime File Format, Media data atom types). */
const videoCodecs: Readonly<Record<string, string>> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  dvh1: 'hevc',
  dvhe: 'hevc',
  av01: 'av1',
  vp09: 'vp9',
  vp08: 'vp8',
  mp4v: 'mpeg4',
  jpeg: 'mjpeg',
  mjpa: 'mjpeg',
  mjpb: 'mjpeg',
  apcn: 'prores',
  apch: 'prores',
  apcs: 'prores',
  apco: 'prores',
  ap4h: 'prores',
  ap4x: 'prores',
}

const pcm = ['sowt', 'twos', 'lpcm', 'in24', 'in32', 'fl32', 'fl64', 'ipcm', 'fpcm', 'raw ', 'NONE']
const audioCodecs: Readonly<Record<string, string>> = {
  'ac-3': 'ac3',
  'ec-3': 'eac3',
  Opus: 'opus',
  fLaC: 'flac',
  '.mp3': 'mp3',
  ...Object.fromEntries(pcm.map((type) => [type, 'pcm'])),
}

/** The codec of a sample entry; for an unknown one its type, if that is printable. */
const named = (codecs: Readonly<Record<string, string>>, type: string) => {
  const own = Object.hasOwn(codecs, type) ? codecs[type] : undefined
  return own ?? (/^[\w.-]{4}$/.test(type) ? type : undefined)
}

/** The first sample entry of a sample table (ISO 14496-12, 8.5.2). */
const sampleEntry = (samples: Buffer) => {
  const [entry] = boxesIn(boxIn(samples, 'stsd')?.subarray(8) ?? Buffer.alloc(0))
  return entry
}

/** The fields of a visual sample entry before its boxes (ISO 14496-12, 12.1.3). */
export const visualEntryBytes = 78

/** Profiles of H.264 (ITU-T H.264, annex A) and of HEVC (ITU-T H.265, annex A). */
const avcProfiles: Readonly<Record<number, string>> = {
  66: 'Baseline',
  77: 'Main',
  88: 'Extended',
  100: 'High',
  110: 'High 10',
  122: 'High 4:2:2',
  244: 'High 4:4:4',
}
const hevcProfiles: Readonly<Record<number, string>> = { 1: 'Main', 2: 'Main 10', 3: 'Main Still Picture', 4: 'RExt' }

/** The H.264 profiles whose parameter sets do not contain the chroma subsampling: 4:2:0 (ITU-T H.264, 7.3.2.1.1). */
const plainProfiles = [66, 77, 88]

/** Unsigned numbers of Exp-Golomb codes (ITU-T H.264, 9.1). */
const golombNumbers = (bytes: Buffer, count: number): number[] => {
  let at = 0
  const bit = () => {
    const value = (bytes.readUInt8(at >> 3) >> (7 - (at & 7))) & 1
    at += 1
    return value
  }
  return Array.from({ length: count }, () => {
    let zeros = 0
    while (bit() === 0) zeros += 1
    let value = 1
    for (let n = 0; n < zeros; n += 1) value = value * 2 + bit()
    return value - 1
  })
}

/** From the first sequence parameter set of an `avcC` (ISO 14496-15, 5.3.3.1), after its NAL header, profile, and level. */
const avcChromaOf = (avc: Buffer): ChromaFormat | undefined => {
  const profile = avc.readUInt8(1)
  if (plainProfiles.includes(profile)) return '4:2:0'
  if (avcProfiles[profile] === undefined || (avc.readUInt8(5) & 0x1f) === 0) return undefined
  const [, idc = -1] = golombNumbers(avc.subarray(12, 8 + avc.readUInt16BE(6)), 2)
  return chromaFormats[idc]
}

const chromaOf = (boxes: Buffer): ChromaFormat | undefined => {
  const [avc, hevc] = [boxIn(boxes, 'avcC'), boxIn(boxes, 'hvcC')]
  if (avc !== undefined) return avcChromaOf(avc)
  return hevc && chromaFormats[hevc.readUInt8(16) & 3]
}

const profileOf = (boxes: Buffer) => {
  const [avc, hevc] = [boxIn(boxes, 'avcC'), boxIn(boxes, 'hvcC')]
  if (avc !== undefined) return avcProfiles[avc.readUInt8(1)]
  return hevc && hevcProfiles[hevc.readUInt8(1) & 0x1f]
}

const codecBoxes = (samples: Buffer) => sampleEntry(samples)?.content.subarray(visualEntryBytes) ?? Buffer.alloc(0)

/** The codec of a video track. */
export const videoCodecOf = (samples: Buffer): { codec?: string | undefined } => {
  const entry = sampleEntry(samples)
  return { codec: entry && named(videoCodecs, entry.type) }
}

/** The profile of a video track. */
export const videoProfileOf = (samples: Buffer): { profile?: string | undefined } => ({
  profile: profileOf(codecBoxes(samples)),
})

/** How a video track samples colors. */
export const videoChromaOf = (samples: Buffer): { chroma?: ChromaFormat | undefined } => ({
  chroma: chromaOf(codecBoxes(samples)),
})

interface AudioInfo {
  audioCodec?: string | undefined
  audioSampleRateHz?: number | undefined
  audioChannels?: number | undefined
}

/** A descriptor of MPEG-4 (ISO 14496-1, 8.3.3): its tag, a length of up to four bytes, its content. */
const descriptorAt = (bytes: Buffer, at: number) => {
  let length = 0
  let next = at + 1
  for (let more = true, n = 0; more && n < 4; n += 1, next += 1) {
    const byte = bytes.readUInt8(next)
    length = length * 128 + (byte & 0x7f)
    more = byte >= 0x80
  }
  return { tag: bytes.readUInt8(at), content: bytes.subarray(next, next + length) }
}

/** The codec of an `esds` (ISO 14496-14, 5.6), and its configuration, if any. */
const decoderOf = (esds: Buffer) => {
  const { content: stream } = descriptorAt(esds, 4)
  const flags = stream.readUInt8(2)
  const url = flags & 0x40 ? 1 + stream.readUInt8(3) : 0
  const { content: decoder } = descriptorAt(stream, 3 + (flags & 0x80 ? 2 : 0) + url + (flags & 0x20 ? 2 : 0))
  return { kind: decoder.readUInt8(0), config: decoder.length > 15 ? descriptorAt(decoder, 13).content : undefined }
}

const sampleRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]

/** An AudioSpecificConfig (ISO 14496-3, 1.6.2.1). Values that it spells out in more bits are left to the sample entry. */
const aacOf = (config: Buffer): AudioInfo => {
  const bits = config.readUInt16BE(0)
  const [kind, rate, channels] = [bits >> 11, (bits >> 7) & 0xf, (bits >> 3) & 0xf]
  const isHighEfficiency = kind === 5 || kind === 29
  const shownRate = isHighEfficiency && rate < 15 ? ((bits & 7) << 1) | (config.readUInt8(2) >> 7) : rate
  return {
    audioCodec: isHighEfficiency ? 'he-aac' : 'aac',
    audioSampleRateHz: sampleRates[shownRate],
    // The configuration 7 has eight channels; PS turns one into two.
    audioChannels: rate === 15 || channels === 0 ? undefined : kind === 29 ? 2 : channels === 7 ? 8 : channels,
  }
}

/** Kinds of `esds` (mp4ra.org, Object Types): MPEG-4 audio and AAC of MPEG-2, and two forms of MP3. */
const aacKinds = [0x40, 0x66, 0x67, 0x68]
const mp3Kinds = [0x69, 0x6b]

const mpegAudioOf = (esds: Buffer): AudioInfo => {
  const { kind, config } = decoderOf(esds)
  if (mp3Kinds.includes(kind)) return { audioCodec: 'mp3' }
  if (!aacKinds.includes(kind)) return {}
  return config === undefined || config.length < 2 ? { audioCodec: 'aac' } : aacOf(config)
}

/** The start of the boxes of an audio sample entry: QuickTime adds fields in its versions 1 and 2 (QuickTime File Format). */
export const audioBoxesAt = (entry: Buffer): number => {
  const version = entry.readUInt16BE(8)
  if (version === 1) return 44
  return version === 2 ? entry.readUInt32BE(28) - 8 : 28
}

/** The configuration of MPEG-4 audio; QuickTime stores it in a separate box. */
export const esdsOf = (boxes: Buffer): Buffer | undefined => boxIn(boxes, 'esds') ?? boxUnder(boxes, 'wave', 'esds')

const positive = (value: number) => (value > 0 ? value : undefined)

/** The codec, sample rate, and channels of an audio track. */
export const audioInfoOf = (samples: Buffer): AudioInfo => {
  const entry = sampleEntry(samples)
  if (entry === undefined) return {}
  const { type, content } = entry
  const isLong = content.readUInt16BE(8) === 2
  const stated: AudioInfo = {
    audioCodec: named(audioCodecs, type),
    audioSampleRateHz: positive(isLong ? Math.round(content.readDoubleBE(32)) : content.readUInt16BE(24)),
    audioChannels: positive(isLong ? content.readUInt32BE(40) : content.readUInt16BE(16)),
  }
  const esds = type === 'mp4a' ? esdsOf(content.subarray(audioBoxesAt(content))) : undefined
  const decoded = esds === undefined ? {} : mpegAudioOf(esds)
  return {
    audioCodec: type === 'mp4a' ? decoded.audioCodec : stated.audioCodec,
    audioSampleRateHz: decoded.audioSampleRateHz ?? stated.audioSampleRateHz,
    audioChannels: decoded.audioChannels ?? stated.audioChannels,
  }
}
