const u16 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
const zeros = (count: number) => Buffer.alloc(count)

/** A box of a film (ISO 14496-12, 4.2). */
export const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

export interface ClipOptions {
  brand?: 'isom' | 'qt  '
  width?: number
  height?: number
  /** 0: unspecified by the film. */
  durationMs?: number
  /** As an upright phone writes it: pictures that lie on their side, and a matrix that turns them. */
  turned?: boolean
  /** The index lies behind the pictures, as cameras write it. */
  indexLast?: boolean
  sound?: boolean
  picture?: boolean
  /** Only part of it is shown, by an edit list. */
  shownMs?: number
  /** What the edit list of its pictures has: seconds shown, where they start (less than zero: nothing is shown), and how fast. */
  edits?: readonly (readonly [shownSeconds: number, startSeconds: number, speed?: number])[]
  /** How many bytes its pictures have. */
  bytes?: number
  framesPerSecond?: number
  /** Every other picture is shown for twice as long as the ones between. */
  uneven?: boolean
  /** The sample entry of its pictures, and the boxes in it. */
  codec?: string
  codecBoxes?: readonly Buffer[]
  /** The sample entry of its sound, with all that it says. */
  soundEntry?: Buffer
}

const upright = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
const quarterTurn = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000]
const matrix = (isTurned: boolean) => Buffer.concat((isTurned ? quarterTurn : upright).map(u32))

const perSecond = 1000

const clock = (type: string, durationMs: number, rest: Buffer, ticksPerMs = 1) =>
  box(type, zeros(12), u32(perSecond * ticksPerMs), u32(durationMs * ticksPerMs), rest)

/** A track counts finer than the film: 30 frames of 3000 ticks a second. */
const ticksOf = (durationMs: number) => (durationMs > 3_600_000 ? 1 : 90)

const trackHeader = (id: number, shownMs: number, width: number, height: number, isTurned: boolean) => {
  const head = Buffer.concat([u32(3), zeros(8), u32(id), zeros(4), u32(shownMs), zeros(16)])
  return box('tkhd', head, matrix(isTurned), u32(width * 65_536), u32(height * 65_536))
}

interface Samples {
  durationMs: number
  offset: number
  bytes: number
  framesPerSecond: number
  uneven?: boolean
}

/** Runs of samples with their ticks, which fill the duration. */
const runsOf = ({ durationMs, framesPerSecond, uneven = false }: Samples) => {
  const count = Math.max(1, Math.round((Math.min(durationMs, 3_600_000) * framesPerSecond) / 1000))
  const ticks = durationMs * ticksOf(durationMs)
  const each = Math.round(ticks / count)
  if (uneven) return Array.from({ length: count }, (_, n) => [1, n % 2 ? (each * 4) / 3 : (each * 2) / 3])
  return count === 1
    ? [[1, ticks]]
    : [
        [count - 1, each],
        [1, Math.max(0, ticks - (count - 1) * each)],
      ]
}

const sampleTable = (entry: Buffer, shape: Samples) => {
  const { offset, bytes } = shape
  const runs = runsOf(shape)
  const samples = runs.reduce((sum, [count = 0]) => sum + count, 0)
  const table = (type: string, ...numbers: readonly number[]) => box(type, u32(0), ...numbers.map(u32))
  const size = Math.floor(bytes / samples)
  return box(
    'stbl',
    box('stsd', u32(0), u32(1), entry),
    table('stts', runs.length, ...runs.flat()),
    table('stsc', 1, 1, samples, 1),
    size > 0 ? table('stsz', size, samples) : box('stsz', zeros(8), u32(samples), zeros(samples * 4)),
    table('stco', 1, offset),
  )
}

/** The sample entry of a sound, in the form of MP4 (version 0) or QuickTime (version 1), with boxes in it. */
export const soundEntry = (
  type: string,
  { channels, sampleRateHz }: { channels: number; sampleRateHz: number },
  { version = 0, boxes = [] }: { version?: 0 | 1; boxes?: readonly Buffer[] } = {},
): Buffer =>
  box(
    type,
    ...[zeros(6), u16(1), u16(version), zeros(6), u16(channels), u16(16), zeros(4), u32(sampleRateHz * 65_536)],
    zeros(version * 16),
    ...boxes,
  )

/** The configuration of MPEG-4 audio: its kind, and for AAC its own bytes (ISO 14496-3, 1.6.2.1). */
export const esds = (kind: number, config: readonly number[] = []): Buffer => {
  const part = (tag: number, ...content: readonly number[]) => [tag, 0x80, 0x80, 0x80, content.length, ...content]
  const decoder = part(4, kind, 0x15, ...Array<number>(11).fill(0), ...(config.length > 0 ? part(5, ...config) : []))
  return box('esds', u32(0), Buffer.from(part(3, 0, 1, 0, ...decoder, ...part(6, 2))))
}

const editBox = (edits: ClipOptions['edits'] = []) =>
  box(
    'edts',
    box(
      'elst',
      u32(0),
      u32(edits.length),
      ...edits.flatMap(([shown, start, speed = 1]) =>
        [shown * perSecond, start * perSecond * 90, speed * 65_536].map(u32),
      ),
    ),
  )

const handler = (type: string) => box('hdlr', zeros(8), Buffer.from(type), zeros(13))

/** A film of boxes without pictures: a complete index, and the requested number of zero bytes. */
export const clip = (options: ClipOptions = {}): Buffer => {
  const { brand = 'isom', width = 1080, height = 1920, durationMs = 15_000, turned = false, bytes = 1000 } = options
  const { sound = false, picture = true, indexLast = false, shownMs, framesPerSecond = 30, uneven = false } = options
  const { codec = 'avc1', codecBoxes = [], soundEntry: entryOfSound } = options
  const shown = shownMs ?? durationMs
  const edited = options.edits ?? (shownMs === undefined ? [] : [[shown / 1000, 0] as const])
  const edits = edited.length === 0 ? [] : [editBox(edited)]
  let offset = 0
  const track = (type: string, header: Buffer, media: Buffer, entry: Buffer) =>
    box(
      'trak',
      header,
      ...edits,
      box(
        'mdia',
        clock('mdhd', durationMs, zeros(4), ticksOf(durationMs)),
        handler(type),
        box('minf', media, sampleTable(entry, { durationMs, offset, bytes, framesPerSecond, uneven })),
      ),
    )
  const [codedWidth, codedHeight] = turned ? [height, width] : [width, height]
  const coded = box(codec, zeros(6), u16(1), zeros(16), u16(codedWidth), u16(codedHeight), zeros(50), ...codecBoxes)
  const video = () =>
    track('vide', trackHeader(1, shown, codedWidth, codedHeight, turned), box('vmhd', zeros(12)), coded)
  const audio = () =>
    track(
      'soun',
      trackHeader(2, shown, 0, 0, false),
      box('smhd', zeros(8)),
      entryOfSound ?? box('mp4a', zeros(6), u16(1), zeros(20)),
    )
  const movieRest = Buffer.concat([u32(0x10000), u16(0x100), zeros(10), matrix(false), zeros(24), u32(3)])
  const makeIndex = () =>
    box('moov', clock('mvhd', shown, movieRest), ...(picture ? [video()] : []), ...(sound ? [audio()] : []))
  const brands = box('ftyp', Buffer.from(brand), u32(512), Buffer.from(brand === 'qt  ' ? 'qt  ' : 'isomiso2avc1mp41'))
  const pictures = box('mdat', zeros(bytes))
  // The index is as long wherever it says that the pictures are.
  offset = brands.length + 8 + (indexLast ? 0 : makeIndex().length)
  const index = makeIndex()
  return Buffer.concat(indexLast ? [brands, pictures, index] : [brands, index, pictures])
}
