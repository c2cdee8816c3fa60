import { checksumHeaders, quoted } from './answers.ts'
import { receive } from './arrival.ts'
import type { Answer, Call } from './call.ts'
import { describe } from './description.ts'
import { writeObject } from './write-object.ts'

export async function putObject(call: Call): Promise<Answer> {
  const { bucket, key } = call
  const object = await writeObject(call, { bucket, key, description: describe(call), ...receive(call) })
  return { status: 200, headers: { etag: quoted(object.etag), ...checksumHeaders(object.checksum) } }
}
