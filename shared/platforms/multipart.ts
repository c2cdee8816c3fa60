import { randomBytes } from 'node:crypto'
import type { StreamedBody } from '../net/outbound.ts'

/** One field or file of a form (RFC 7578). */
export interface FormPart {
  name: string
  value: string | Uint8Array
  filename?: string
  type?: string
}

/** A name in a header, encoded like in HTML forms. */
const quote = (name: string) => name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A')

const head = ({ name, filename, type }: FormPart) => {
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`
  const kind = type === undefined ? '' : `\r\ncontent-type: ${type}`
  return `content-disposition: form-data; name="${quote(name)}"${file}${kind}\r\n\r\n`
}

/** A form with files that fit into memory. They are sent without a copy, which would take the same amount of memory again. */
export const multipart = (parts: readonly FormPart[]): { type: string; bytes: StreamedBody } => {
  const boundary = `form-${randomBytes(18).toString('hex')}`
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${head(part)}`),
    typeof part.value === 'string' ? Buffer.from(part.value) : part.value,
    Buffer.from('\r\n'),
  ])
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  const bytes = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const open = async function* () {
    yield* chunks
  }
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: { bytes, open } }
}

/** A file that is read while it is sent. */
interface StreamedFile {
  name: string
  mimeType: string
  size: number
  read(): AsyncIterable<Uint8Array>
}

/** Every field in the given order, followed by the file, as Amazon S3 requires (POST Object). */
export const formWithFile = (
  fields: readonly { name: string; value: string }[],
  { name: filename, mimeType: type, size, read }: StreamedFile,
): { type: string; bytes: StreamedBody } => {
  const boundary = `form-${randomBytes(18).toString('hex')}`
  const parts = [...fields, { name: 'file', filename, type, value: '' }]
  const text = parts.map((part) => `--${boundary}\r\n${head(part)}${part.value}`).join('\r\n')
  const [front, tail] = [Buffer.from(text), Buffer.from(`\r\n--${boundary}--\r\n`)]
  const open = async function* () {
    yield front
    yield* read()
    yield tail
  }
  const bytes = front.byteLength + size + tail.byteLength
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: { bytes, open } }
}
