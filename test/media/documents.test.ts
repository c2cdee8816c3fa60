import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../shared/errors/refusal.ts'
import { documentTypes, type MediaType } from '../../shared/media/types.ts'
import { compound, docx, oldDoc, oldPpt, pdf, pptx, zip } from './documents.ts'
import { look, type Seen } from './look.ts'

const word: MediaType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const slides: MediaType = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
const oldWord: MediaType = 'application/msword'
const oldSlides: MediaType = 'application/vnd.ms-powerpoint'
const pdfType: MediaType = 'application/pdf'

const samples: readonly [MediaType, Buffer][] = [
  [pdfType, pdf()],
  [word, docx()],
  [slides, pptx()],
  [oldWord, oldDoc()],
  [oldSlides, oldPpt()],
]

const codeOf = ({ error }: Seen) => (error instanceof Refusal ? error.details.code : error)
const says = async (bytes: Buffer) => {
  const { error } = await look(bytes)
  return error instanceof Refusal ? error.message : ''
}

test('a document is what its bytes are', async () => {
  expect(samples.map(([type]) => type).toSorted()).toEqual(documentTypes.toSorted())
  for (const [type, bytes] of samples) expect(await look(bytes)).toMatchObject({ mimeType: type, info: {} })
})

test('a file of another kind is named', async () => {
  for (const parts of [
    { 'a.txt': 'hello' },
    { '[Content_Types].xml': '', 'xl/workbook.xml': '' },
    { 'word/document.xml': '' },
    { '[Content_Types].xml': '', 'word/document.xml': '', 'ppt/presentation.xml': '' },
  ] as const) {
    expect(await says(zip(parts))).toContain('The uploaded file is a ZIP archive. It must be a JPEG')
  }
  expect(await says(compound(['Root Entry', 'Workbook']))).toContain('an Office file without a text or slides')
})

test('slides in a text, and a directory of several sectors far behind', async () => {
  const many = Array.from({ length: 20 }, (_, n) => `Object ${n}`)
  expect((await look(compound([...many, 'PowerPoint Document', 'WordDocument']))).mimeType).toBe(oldWord)
  expect((await look(compound(['PowerPoint Document'], 15_000))).mimeType).toBe(oldSlides)
})

test('rejects a document that is cut off', async () => {
  for (const [type, bytes] of samples) {
    for (let end = 16; end < bytes.length; end += 1) {
      const seen = await look(bytes.subarray(0, end))
      const isPdfEnd = type === pdfType && seen.info !== undefined
      // The last line feed of a PDF, and the zeros that fill the last sector of a compound file, say nothing.
      if (isPdfEnd) expect(bytes.subarray(end).toString()).toBe('\n')
      else expect([type, end, codeOf(seen)]).toEqual([type, end, 'media_truncated'])
    }
  }
})

test('rejects a document that is a file of another format as well', async () => {
  expect(codeOf(await look(Buffer.concat([pdf(), zip({ 'a.txt': 'a' })])))).toBe('media_polyglot')
  expect(codeOf(await look(zip({ '%PDF-1.7': '', '[Content_Types].xml': '', 'word/document.xml': '' })))).toBe(
    'media_polyglot',
  )
})

const changed = (bytes: Buffer, at: number, value: number) => {
  const copy = Buffer.from(bytes)
  copy.writeUInt32LE(value, at)
  return copy
}
const directoryBytes = (bytes: Buffer, value: number) => changed(bytes, bytes.length - 10, value)

test('a hostile document costs a bounded number of reads', async () => {
  const parts = (count: number, length = 0) => {
    const names = Array.from({ length: count - 1 }, (_, n) => `word/${n}`.padEnd(length, '_'))
    return zip(Object.fromEntries(['[Content_Types].xml', ...names].map((name) => [name, ''])))
  }
  const loop = Buffer.from(oldPpt())
  // The first sector of the directory is followed by itself.
  loop.writeUInt32LE(2, 512 + 4 * 2)
  const chain = Buffer.from(compound(['WordDocument'], 15_000))
  // The list of the parts of the allocation table is followed by itself.
  chain.writeUInt32LE(1, 2 * 512 + 508)
  const hostile: readonly [string, Buffer, string | undefined][] = [
    ['10,000 parts', parts(10_000), undefined],
    ['10,001 parts', parts(10_001), 'media_complex'],
    ['a directory of 4 GB', directoryBytes(docx(), 0xffffffff), 'media_damaged'],
    ['a directory of 2 MiB and more', parts(8_000, 300), 'media_complex'],
    ['a directory of nothing', directoryBytes(docx(), 0), 'media_type'],
    ['sectors of no size', changed(oldDoc(), 30, 3), 'media_damaged'],
    ['a directory that follows itself', loop, 'media_type'],
    ['a list that follows itself', chain, undefined],
    ['a directory behind the end', changed(oldDoc(), 48, 0x00ffffff), 'media_truncated'],
    ['a directory in no sector', changed(oldDoc(), 48, 0xfffffffe), 'media_type'],
  ]
  for (const [kind, bytes, code] of hostile) {
    const seen = await look(bytes)
    expect([kind, codeOf(seen)]).toEqual([kind, code])
    expect(seen.reads).toBeLessThanOrEqual(10)
  }
})

test('a document of 100 MB costs no more than a small one', async () => {
  const office = zip({ '[Content_Types].xml': '', 'word/document.xml': 'a'.repeat(99_000_000) })
  for (const [type, file, count] of [
    [pdfType, pdf(99_000_000), 2],
    // The list of its parts is read as well.
    [word, office, 3],
  ] as const) {
    const { info, reads, bytes } = await look(file)
    expect(info).toEqual({})
    expect([type, reads]).toEqual([type, count])
    expect(bytes).toBeLessThan(400_000)
  }
})

test('a document with random changes is accepted or rejected with a message, at a bounded cost', async () => {
  const codes = ['media_type', 'media_truncated', 'media_damaged', 'media_polyglot', 'media_complex']
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
      async ([, bytes], changes) => {
        const file = Buffer.from(bytes)
        for (const [at, byte] of changes) file.writeUInt8(byte, at % file.length)
        const seen = await look(file)
        if (seen.info === undefined) expect(codes).toContain(codeOf(seen))
        expect(seen.reads).toBeLessThanOrEqual(120)
      },
    ),
    { numRuns: 2000 },
  )
})
