import { readBytes } from './byte-reader.ts'
import { S3Error } from './error.ts'

export interface UploadForm {
  /** The fields before the file, by lower-case name. */
  fields: Map<string, string>
  fileName: string
  file: AsyncIterable<Buffer>
}

/** S3 accepts at most 20 KB before the file and ignores every field after it. */
const maxFieldBytes = 20 * 1024
const tooLong = 'MaxPostPreDataLengthExceeded'

function malformed(message: string): S3Error {
  return new S3Error('MalformedPOSTRequest', message)
}

interface PartHead {
  name: string
  fileName: string | undefined
}

function readHead(text: string): PartHead {
  const disposition = /^content-disposition:.*$/im.exec(text)?.[0] ?? ''
  const parameter = (name: string) => new RegExp(`[;\\s]${name}="([^"]*)"`, 'i').exec(disposition)?.[1]
  const name = parameter('name')
  if (name === undefined) throw malformed('A part of the form has no name.')
  return { name: name.toLowerCase(), fileName: parameter('filename') }
}

/** Reads the multipart/form-data body of a browser upload up to its file, which is left to be streamed. */
export async function readForm(contentType: string, body: AsyncIterable<Uint8Array>): Promise<UploadForm> {
  const [, quotedBoundary, bareBoundary] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  const boundary = quotedBoundary ?? bareBoundary
  if (!/^multipart\/form-data\b/i.test(contentType) || boundary === undefined) {
    throw malformed('A POST to a bucket is a multipart/form-data form.')
  }
  const reader = readBytes(body)
  const fields = new Map<string, string>()
  await reader.upTo(`--${boundary}`, maxFieldBytes, tooLong)
  for (let left = maxFieldBytes; ; ) {
    const lineEnd = await reader.upTo('\r\n', left, tooLong)
    if (lineEnd.toString().startsWith('--')) throw malformed('The form has no file.')
    const headText = (await reader.upTo('\r\n\r\n', left, tooLong)).toString('utf8')
    const { name, fileName = '' } = readHead(headText)
    const marker = `\r\n--${boundary}`
    if (name === 'file') return { fields, fileName, file: reader.streamUpTo(marker) }
    const value = await reader.upTo(marker, left, tooLong)
    fields.set(name, value.toString('utf8'))
    left -= headText.length + value.length
  }
}
