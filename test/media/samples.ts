import sharp from 'sharp'
import type { MediaInfo } from '../../shared/media/inspect/info.ts'
import type { MediaType } from '../../shared/media/types.ts'
import { clip } from './clips.ts'
import { chunk, gif, jpeg, png } from './files.ts'
import { mux, muxed } from './muxed.ts'
import { film, halves, noise, withExif } from './pictures.ts'

/** A good file, and what it must be found to be. */
export interface Sample {
  name: string
  mimeType: MediaType
  bytes: Buffer
  info: MediaInfo
}

const frame = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()

/** Frames of half a second each. */
const animate = async (...colors: readonly string[]) =>
  sharp(await Promise.all(colors.map(frame)), { join: { animated: true } })

const u32 = (...numbers: readonly number[]) =>
  Buffer.concat(numbers.map((n) => Buffer.from([n >> 24, n >> 16, n >> 8, n])))

/** A PNG that moves: two frames, of a quarter of a second and of three tenths. */
export const apng = (): Buffer => {
  const still = png(60, 40)
  const header = still.subarray(0, 33)
  const picture = still.subarray(33, -12)
  const control = (n: number, by: number, of: number) =>
    chunk('fcTL', Buffer.concat([u32(n, 60, 40, 0, 0), Buffer.from([0, by, 0, of, 0, 0])]))
  const second = chunk('fdAT', Buffer.concat([u32(2), picture.subarray(8, -4)]))
  const moving = [chunk('acTL', u32(2, 0)), control(0, 1, 4), picture, control(1, 30, 0), second]
  return Buffer.concat([header, ...moving, still.subarray(-12)])
}

/** What phones put behind a picture: a smaller one, and what moved when it was taken. */
const phonePhoto = async () => {
  const [photo, small] = await Promise.all([halves(60, 40).jpeg().toBuffer(), halves(6, 4).jpeg().toBuffer()])
  return Buffer.concat([photo, Buffer.alloc(7), small, clip()])
}

/** A picture with the trailer of a Samsung camera: one entry of it, its directory, and the signs of both. */
const samsungPhoto = async () => {
  const entry = Buffer.concat([Buffer.from('00000a01', 'hex'), Buffer.from([8, 0, 0, 0]), Buffer.from('CameraId')])
  const le = (...numbers: readonly number[]) =>
    Buffer.concat(numbers.map((n) => Buffer.from([n, n >> 8, n >> 16, n >> 24])))
  const directory = Buffer.concat([
    Buffer.from('SEFH'),
    le(106, 1),
    Buffer.from([0, 0, 0x0a, 1]),
    le(entry.length, entry.length),
  ])
  return Buffer.concat([
    await halves(60, 40).jpeg().toBuffer(),
    entry,
    directory,
    le(directory.length),
    Buffer.from('SEFT'),
  ])
}

const still = { width: 60, height: 40 }
const { width, height, seconds } = muxed

/** The header of a library's film: ten frames of 64 bytes a second, and an index of so many bytes around them. */
const movie = (bytes: number, hasIndexFirst: boolean) => {
  const rate = { framesPerSecond: 10, hasVariableFrameRate: false, videoBitsPerSecond: 5120 }
  const totalBitsPerSecond = Math.round((bytes * 8) / seconds)
  const video = {
    codec: 'h264',
    profile: 'Baseline',
    chroma: '4:2:0',
    ...rate,
    totalBitsPerSecond,
    hasIndexFirst,
    editLists: 'none',
  } as const
  return { width, height, durationMs: seconds * 1000, video }
}
const upright = (bytes: number) => ({ ...movie(bytes, false), width: height, height: width })

const clipInfo = (totalBitsPerSecond: number, videoBitsPerSecond: number) => ({
  codec: 'h264',
  framesPerSecond: 30,
  hasVariableFrameRate: false,
  videoBitsPerSecond,
  totalBitsPerSecond,
})

const makersOwn = Buffer.from([
  0x65,
  0x64,
  0x6f,
  0x66,
  0,
  1,
  0xd2,
  0x80,
  ...Array.from({ length: 300 }, (_, n) => n % 251),
])

/** Files of every type that is taken, as cameras, phones and programs write them. */
export const makeSamples = async (): Promise<Sample[]> => {
  const deep = halves(60, 40).toColourspace('rgb16')
  const delay = [500, 500, 500]
  const moving = await animate('#ff0000', '#00ff00', '#0000ff')
  const images: readonly [string, MediaType, Promise<Buffer> | Buffer, Sample['info']?][] = [
    ['a JPEG', 'image/jpeg', halves(60, 40).jpeg().toBuffer()],
    [
      'an upright JPEG with location and camera',
      'image/jpeg',
      withExif(halves(60, 40), 6).jpeg().toBuffer(),
      { width: 40, height: 60 },
    ],
    ['a progressive JPEG', 'image/jpeg', noise(60, 40).jpeg({ progressive: true }).toBuffer()],
    ['a large JPEG', 'image/jpeg', noise(1200, 900).jpeg({ quality: 98 }).toBuffer(), { width: 1200, height: 900 }],
    ['a printed JPEG', 'image/jpeg', halves(60, 40).toColourspace('cmyk').jpeg().toBuffer()],
    ['the photo of a phone', 'image/jpeg', phonePhoto()],
    ['the photo of a Samsung', 'image/jpeg', samsungPhoto()],
    ['a photo with bytes that only its maker knows', 'image/jpeg', Buffer.concat([jpeg(60, 40), makersOwn])],
    ['a PNG', 'image/png', noise(60, 40).png().toBuffer()],
    ['an interlaced PNG', 'image/png', noise(60, 40).png({ progressive: true }).toBuffer()],
    ['a deep PNG', 'image/png', deep.png().toBuffer()],
    ['a PNG with zeros behind it', 'image/png', Buffer.concat([png(60, 40), Buffer.alloc(100_000)])],
    ['a moving PNG', 'image/png', apng(), { ...still, frames: 2, durationMs: 550 }],
    ['a GIF', 'image/gif', gif(60, 40)],
    ['a moving GIF', 'image/gif', moving.clone().gif({ delay }).toBuffer(), { ...still, frames: 3, durationMs: 1500 }],
    ['a GIF in its own pace', 'image/gif', film(60, 40), { ...still, frames: 2 }],
    ['a lossy WebP', 'image/webp', noise(60, 40).webp({ quality: 60 }).toBuffer()],
    ['a lossless WebP', 'image/webp', noise(60, 40).webp({ lossless: true }).toBuffer()],
    [
      'a WebP with place and camera',
      'image/webp',
      withExif(halves(60, 40), 6).webp().toBuffer(),
      { width: 40, height: 60 },
    ],
    [
      'a moving WebP',
      'image/webp',
      moving.clone().webp({ delay }).toBuffer(),
      { ...still, frames: 3, durationMs: 1500 },
    ],
  ]
  const films: readonly [string, MediaType, Promise<Buffer> | Buffer, Sample['info']][] = [
    ['an MP4', 'video/mp4', mux({ container: 'mp4', index: 'first' }), movie(2748, true)],
    ['an MP4 with its index behind', 'video/mp4', mux({ container: 'mp4', index: 'last' }), movie(2756, false)],
    ['an MP4 held upright', 'video/mp4', mux({ container: 'mp4', index: 'last', rotation: 90 }), upright(2756)],
    ['an MP4 upside down', 'video/mp4', mux({ container: 'mp4', index: 'first', rotation: 180 }), movie(2748, true)],
    ['a MOV', 'video/quicktime', mux({ container: 'mov', index: 'last', rotation: 270 }), upright(2748)],
    [
      'an MP4 of which a part is shown',
      'video/mp4',
      clip({ shownMs: 4000 }),
      {
        width: 1080,
        height: 1920,
        durationMs: 4000,
        video: { ...clipInfo(3206, 480), hasIndexFirst: true, editLists: 'cut' },
      },
    ],
    [
      'a long MP4 with sound',
      'video/mp4',
      clip({ sound: true, indexLast: true, bytes: 2_000_000 }),
      {
        width: 1080,
        height: 1920,
        durationMs: 15_000,
        video: { ...clipInfo(1_067_159, 1_066_560), hasIndexFirst: false, editLists: 'none' },
      },
    ],
  ]
  return Promise.all(
    [...images, ...films].map(async ([name, mimeType, bytes, info = still]) => ({
      name,
      mimeType,
      bytes: await bytes,
      info,
    })),
  )
}
