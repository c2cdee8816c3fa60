import { randomBytes } from 'node:crypto'

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

/** A form with files that fit into memory. */
export const multipart = (parts: readonly FormPart[]): { type: string; bytes: Uint8Array } => {
  const boundary = `form-${randomBytes(18).toString('hex')}`
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n${head(part)}`),
    typeof part.value === 'string' ? Buffer.from(part.value) : part.value,
    Buffer.from('\r\n'),
  ])
  const bytes = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { type: `multipart/form-data; boundary=${boundary}`, bytes }
}
