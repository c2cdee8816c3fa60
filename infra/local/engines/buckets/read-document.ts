import { receive } from './arrival.ts'
import type { Call } from './call.ts'
import { S3Error } from './error.ts'
import { parseXml, type XmlElement } from './xml-read.ts'

const maxDocumentBytes = 2 * 1024 * 1024

/** Reads the XML body of a request, which must have the given root. */
export async function readDocument(call: Call, rootName: string): Promise<XmlElement> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of receive(call).chunks) {
    size += piece.length
    if (size > maxDocumentBytes) throw new S3Error('EntityTooLarge', 'A document has at most 2 MB.')
    pieces.push(piece)
  }
  const root = parseXml(Buffer.concat(pieces).toString('utf8'))
  if (root.name !== rootName) throw new S3Error('MalformedXML', `The document must be a ${rootName}.`)
  return root
}
