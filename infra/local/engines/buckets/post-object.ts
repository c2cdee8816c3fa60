import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { onObject } from '../../iam/actions/s3.ts'
import { encodePath, parseScope, sameSignature, sign } from '../../iam/signing.ts'
import { answerXml, quoted } from './answers.ts'
import { type Credentials, keyFor } from './authenticate.ts'
import type { Answer } from './call.ts'
import { checkForm, startChecksum, toChecksumName } from './checksums.ts'
import { storedHeaders } from './description.ts'
import { S3Error } from './error.ts'
import { readForm } from './form.ts'
import type { BucketGuard } from './guard.ts'
import { checkPolicy, type FileLimits } from './post-policy.ts'
import { type WriteContext, writeObject } from './write-object.ts'
import { leaf } from './xml-write.ts'

export interface FormCall extends WriteContext {
  bucket: string
  body: AsyncIterable<Uint8Array>
  credentials: Credentials
  headers: IncomingHttpHeaders
  guard: BucketGuard
}

/** The policy of a form, and the access key of its signer. */
function checkSignature(fields: ReadonlyMap<string, string>, credentials: Credentials) {
  const policy = fields.get('policy')
  if (policy === undefined) throw new S3Error('AccessDenied', 'Access Denied')
  const scope = parseScope(fields.get('x-amz-credential') ?? '')
  if (!scope || fields.get('x-amz-algorithm') !== 'AWS4-HMAC-SHA256') {
    throw new S3Error('InvalidRequest', 'The form needs x-amz-algorithm AWS4-HMAC-SHA256 and a whole x-amz-credential.')
  }
  // A form signs the policy as sent, in base64.
  if (!sameSignature(sign(keyFor(credentials, scope), policy), fields.get('x-amz-signature') ?? '')) {
    throw new S3Error('SignatureDoesNotMatch', 'The signature does not fit the policy.', { StringToSign: policy })
  }
  return { policy, accessKeyId: scope.accessKeyId }
}

/** Accepts a file up to the limits of the policy, while measuring it and verifying the checksum of the form. */
function measure(file: AsyncIterable<Buffer>, limits: FileLimits, fields: ReadonlyMap<string, string>) {
  const field = [...fields.keys()].find((name) => /^x-amz-checksum-(?!algorithm$)/.test(name))
  const name = field === undefined ? undefined : toChecksumName(field)
  const given = fields.get(field ?? '') ?? ''
  if (name) checkForm(name, given)
  const md5 = createHash('md5')
  const sum = name && startChecksum(name)
  let size = 0

  async function* chunks(): AsyncGenerator<Buffer> {
    for await (const piece of file) {
      size += piece.length
      if (size > limits.maxBytes) {
        throw new S3Error('EntityTooLarge', 'The file is larger than the policy allows.', {
          MaxSizeAllowed: String(limits.maxBytes),
        })
      }
      md5.update(piece)
      if (sum) sum.update(piece)
      yield piece
    }
    if (size < limits.minBytes) throw new S3Error('EntityTooSmall', 'The file is smaller than the policy allows.')
  }

  function measured() {
    const etag = md5.digest('hex')
    if (!name || !sum) return { size, etag }
    const value = sum.base64()
    if (value !== given)
      throw new S3Error('BadDigest', `The ${name.toUpperCase()} of the form is not that of the file.`)
    return { size, etag, checksum: { name, value, type: 'FULL_OBJECT' as const } }
  }

  return { chunks: chunks(), measured }
}

/** Receives the file of a browser form (POST policy); the fields of the form decide the response. */
export async function postObject(call: FormCall): Promise<Answer> {
  const { bucket, credentials, headers, now } = call
  call.store.bucket(bucket)
  const { fields, fileName, file } = await readForm(headers['content-type'] ?? '', call.body)
  const { policy, accessKeyId } = checkSignature(fields, credentials)
  // A browser may send a whole path; S3 replaces the variable with its last part only.
  const key = (fields.get('key') ?? '').replace(/\$\{filename\}/g, () => fileName.replace(/^.*[\\/]/, ''))
  if (key === '') throw new S3Error('InvalidArgument', 'The form needs a key.')
  fields.set('key', key).set('bucket', bucket)
  if (fields.has('acl') || fields.has('tagging'))
    throw new S3Error('NotImplemented', 'No acl, no tagging in forms here.')
  const limits = checkPolicy(policy, fields, now())
  const refusal = call.guard(accessKeyId, [onObject('PutObject', bucket, key)])
  if (refusal !== undefined) throw new S3Error('AccessDenied', refusal)
  const description = { headers: storedHeaders([...fields.keys()], (name) => fields.get(name)) }
  const object = await writeObject(call, { bucket, key, description, ...measure(file, limits, fields) })
  const etag = quoted(object.etag)
  const location = `http://${headers.host}/${bucket}/${encodePath(key)}`
  const redirect = fields.get('success_action_redirect')
  if (redirect !== undefined) {
    return { status: 303, headers: { etag, location: `${redirect}?${new URLSearchParams({ bucket, key, etag })}` } }
  }
  const status = Number(fields.get('success_action_status') ?? 204)
  if (status !== 201) return { status: status === 200 ? 200 : 204, headers: { etag, location } }
  const parts = [leaf('Location', location), leaf('Bucket', bucket), leaf('Key', key), leaf('ETag', etag)]
  const answer = answerXml('PostResponse', ...parts)
  return { ...answer, status, headers: { ...answer.headers, etag, location } }
}
