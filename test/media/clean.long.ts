import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaType } from '../../shared/media/types.ts'
import { uploadFile } from '../journeys/upload-file.ts'
import { type Kit, start } from '../support/start.ts'
import { imageFormats, secretFilm, secretImage } from './secrets.ts'

/** Whether ExifTool is here (Debian package libimage-exiftool-perl); without it, these tests are shown as skipped. */
const isHere = (() => {
  try {
    execFileSync('exiftool', ['-ver'])
    return true
  } catch {
    return false
  }
})()

let kit: Kit
const folder = mkdtempSync(join(tmpdir(), 'clean-'))
beforeAll(async () => {
  kit = await start()
}, 200_000)
afterAll(async () => {
  await kit.close()
  rmSync(folder, { recursive: true })
})

/** The groups of display properties of a file. Others are metadata. */
const shown = /^(?:ExifTool|System|File|Composite|JFIF|Adobe|APP14|PNG|PNG-pHYs|RIFF|GIF|QuickTime|Track\d+)$/

/** What ExifTool finds in a file, by group and name, also in what lies among pictures. */
const metadataOf = (bytes: Buffer, name: string): Record<string, unknown> => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const text = execFileSync('exiftool', ['-json', '-G1', '-a', '-u', '-ee3', '-api', 'LargeFileSupport=1', path], {
    encoding: 'utf8',
  })
  return JSON.parse(text)[0]
}

/** The remaining metadata, without display properties. */
const left = (info: Record<string, unknown>) =>
  Object.entries(info).filter(([name, value]) => {
    const [group = '', tag = ''] = name.split(':')
    // A profile describes colors; its device is a screen or a printer.
    if (group.startsWith('ICC')) return false
    // When a file was made is zero; the orientation is all of the Exif data that stays.
    if (/Date$/.test(tag) && group !== 'System') return value !== '0000:00:00 00:00:00'
    if (/^(?:HandlerVendorID|VendorID|CompressorName|HandlerDescription)$/.test(tag))
      return !/^[\0 ]*$/.test(String(value))
    if (name === 'SourceFile' || shown.test(group)) return /GPS|Make|Model|Author|Artist|Comment/.test(tag)
    return name !== 'IFD0:Orientation' && name !== 'IFD0:YCbCrPositioning'
  })

const load = async (id: string) => {
  const { url } = await kit.api.media.get({ params: { id } })
  return Buffer.from(await (await fetch(url)).arrayBuffer())
}

test.skipIf(!isHere).each(imageFormats)('ExifTool finds no metadata in a %s', async (format) => {
  for (const orientation of [1, 6]) {
    const bytes = await secretImage(format, orientation, [0, 1, 2, 3, 4, 5, 6, 7, 8])
    const extension = format.split(' ').at(-1) ?? ''
    expect(left(metadataOf(bytes, `before.${extension}`))).not.toEqual([])
    const clean = await load(await uploadFile(kit, `image/${extension}` as MediaType, bytes))
    expect(left(metadataOf(clean, `after.${extension}`))).toEqual([])
  }
})

test.skipIf(!isHere).each([
  ['mov', 'video/quicktime', 'qt  '],
  ['mp4', 'video/mp4', 'isom'],
] as const)('ExifTool finds no metadata in a %s', async (extension, mimeType, brand) => {
  const film = secretFilm(brand)
  expect(left(metadataOf(film, `before.${extension}`))).not.toEqual([])
  const clean = await load(await uploadFile(kit, mimeType, film))
  expect(left(metadataOf(clean, `after.${extension}`))).toEqual([])
})
