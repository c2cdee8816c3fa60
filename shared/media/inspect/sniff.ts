import { captionsFormatOf } from '../captions.ts'
import type { MediaType } from '../types.ts'

const imageType = (start: string): MediaType | undefined => {
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif'
  return start.startsWith('RIFF') && start.startsWith('WEBP', 8) ? 'image/webp' : undefined
}

/** Brands of MP4 with video (mp4ra.org, Brands). */
const mp4Brand = /^(?:iso[m2-9a-c]|mp4[12]|avc1|M4V[ HP]|MSNV|dash|cmfc)$/
/** Still images and audio use the same container, and can list such a brand as compatible. */
const otherBrand = /^(?:hei[cmsx]|hev[cmsx]|mif[12]|msf1|avi[fs]|crx |jp[2mx] |M4[ABP] )$/

/** A video begins with the box `ftyp`: major brand, version, compatible brands (ISO 14496-12, 4.3). */
const videoType = (bytes: Buffer): MediaType | undefined => {
  if (bytes.length < 16 || bytes.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256)).match(/.{4}/gs) ?? []
  const [major = '', , ...compatible] = brands
  if (major === 'qt  ') return 'video/quicktime'
  if (otherBrand.test(major)) return undefined
  return [major, ...compatible].some((brand) => mp4Brand.test(brand)) ? 'video/mp4' : undefined
}

const documentType = (start: string): MediaType | undefined =>
  start.startsWith('%PDF-') ? 'application/pdf' : undefined

const captionTypes = { vtt: 'text/vtt', srt: 'application/x-subrip' } as const

const captionsType = (bytes: Buffer): MediaType | undefined => {
  const format = captionsFormatOf(bytes.toString('utf8', 0, 256))
  return format && captionTypes[format]
}

/**
 * The type of a file by its first bytes; undefined if it is not accepted, or if it is an Office file, whose type the first
 * bytes do not show (`officeTypeOf`).
 */
export const sniff = (bytes: Buffer): MediaType | undefined => {
  const start = bytes.toString('latin1', 0, 12)
  return imageType(start) ?? documentType(start) ?? videoType(bytes) ?? captionsType(bytes)
}

/** Unsupported types that people upload, by their first bytes. */
const signs: readonly [what: string, sign: RegExp][] = [
  ['a HEIC image (save it as JPEG)', /^.{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif[12]|msf1)/s],
  ['an AVIF image (save it as JPEG)', /^.{4}ftypavi[fs]/s],
  ['an audio file', /^(?:.{4}ftypM4[ABP] |ID3|\xff[\xf2\xf3\xfb]|RIFF.{4}WAVE|OggS|fLaC)/s],
  ['a WebM or Matroska video (save it as MP4)', /^.E\xdf\xa3/s],
  ['an AVI video (save it as MP4)', /^RIFF.{4}AVI /s],
  ['a ZIP archive', /^PK[^ -~]{2}/],
  ['an Office file without a text or slides', /^\xd0\xcf.\xe0/s],
  ['an SVG image (save it as PNG)', /^\s*(?:<\?xml[^>]*>\s*)?<svg/i],
  ['a web page', /^\s*(?:<!doctype html|<html|<script|<!--)/i],
  ['a BMP image (save it as PNG)', /^BM/],
  ['a TIFF image (save it as JPEG)', /^(?:II\*|MM.\*)/s],
]

/** The accepted types, as text. */
export const acceptedTypes =
  'a JPEG, PNG, GIF, or WebP image, an MP4 or MOV video, a PDF, Word, or PowerPoint document, or a WebVTT or SubRip caption file'

/** The name of an unsupported type, as part of a sentence. */
export const describeType = (start: Buffer): string => {
  const text = start.toString('latin1', 0, 256)
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? 'of an unsupported type'
}
