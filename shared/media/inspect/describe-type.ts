/** Unsupported types that people upload as images and videos, by their first bytes. */
const signs: readonly [what: string, sign: RegExp][] = [
  ['a HEIC image (save it as JPEG)', /^.{4}ftyp(?:hei[cmsx]|hev[cmsx]|mif[12]|msf1)/s],
  ['an AVIF image (save it as JPEG)', /^.{4}ftypavi[fs]/s],
  ['an audio file', /^(?:.{4}ftypM4[ABP] |ID3|\xff[\xf2\xf3\xfb]|RIFF.{4}WAVE|OggS|fLaC)/s],
  ['a WebM or Matroska video (save it as MP4)', /^.E\xdf\xa3/s],
  ['an AVI video (save it as MP4)', /^RIFF.{4}AVI /s],
  ['a PDF', /^%PDF-/],
  ['a ZIP archive', /^PK[^ -~]{2}/],
  ['an SVG image (save it as PNG)', /^\s*(?:<\?xml[^>]*>\s*)?<svg/i],
  ['a web page', /^\s*(?:<!doctype html|<html|<script|<!--)/i],
  ['a BMP image (save it as PNG)', /^BM/],
  ['a TIFF image (save it as JPEG)', /^(?:II\*|MM.\*)/s],
]

/** The name of an unsupported type, as part of a sentence. */
export const describeType = (start: Buffer): string => {
  const text = start.toString('latin1', 0, 256)
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? 'of an unsupported type'
}
