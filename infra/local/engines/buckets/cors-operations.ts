import type { CorsRule } from '../../template/stores.ts'
import { answerXml } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { S3Error } from './error.ts'
import { readDocument } from './read-document.ts'
import { childrenOf, textOf, type XmlElement } from './xml-read.ts'
import { group, leaf } from './xml-write.ts'

const knownMethods = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD']

function readRule(element: XmlElement): CorsRule {
  const texts = (name: string) => childrenOf(element, name).map(({ text }) => text)
  const methods = texts('AllowedMethod')
  const origins = texts('AllowedOrigin')
  const maxAge = textOf(element, 'MaxAgeSeconds')
  if (methods.length === 0 || origins.length === 0) throw new S3Error('MalformedXML', 'A rule needs method and origin.')
  for (const method of methods) {
    if (!knownMethods.includes(method)) throw new S3Error('InvalidRequest', `CORS does not know the method ${method}.`)
  }
  return {
    origins,
    methods,
    headers: texts('AllowedHeader'),
    exposed: texts('ExposeHeader'),
    ...(maxAge !== undefined && { maxAgeSeconds: Number(maxAge) }),
  }
}

export async function putCors(call: Call): Promise<Answer> {
  const bucket = call.store.bucket(call.bucket)
  const document = await readDocument(call, 'CORSConfiguration')
  bucket.cors = childrenOf(document, 'CORSRule').map(readRule)
  call.store.saveBucket(bucket)
  return { status: 200 }
}

export function getCors({ store, bucket }: Call): Answer {
  const { cors } = store.bucket(bucket)
  if (cors.length === 0) throw new S3Error('NoSuchCORSConfiguration', 'The bucket has no CORS rules.')
  const leaves = (name: string, values: string[]) => values.map((value) => leaf(name, value)).join('')
  const rules = cors.map((rule) =>
    group(
      'CORSRule',
      leaves('AllowedOrigin', rule.origins),
      leaves('AllowedMethod', rule.methods),
      leaves('AllowedHeader', rule.headers),
      leaves('ExposeHeader', rule.exposed),
      leaf('MaxAgeSeconds', rule.maxAgeSeconds),
    ),
  )
  return answerXml('CORSConfiguration', ...rules)
}

export function deleteCors({ store, bucket: name }: Call): Answer {
  const bucket = store.bucket(name)
  bucket.cors = []
  store.saveBucket(bucket)
  return { status: 204 }
}
