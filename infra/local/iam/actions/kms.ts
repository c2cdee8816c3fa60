import * as z from 'zod/mini'
import { type GuardedService, mapped, operationOf, refuseAsJson } from '../guard.ts'

const actions: Readonly<Record<string, string>> = {
  Encrypt: 'Encrypt',
  Decrypt: 'Decrypt',
  GenerateDataKeyWithoutPlaintext: 'GenerateDataKeyWithoutPlaintext',
}

const Input = z.object({
  KeyId: z.optional(z.string()),
  CiphertextBlob: z.optional(z.string()),
  EncryptionContext: z._default(z.record(z.string(), z.string()), {}),
})

/** A ciphertext names its key (engines/keys.ts). */
const keyOfBlob = (text: string): string => {
  const blob = Buffer.from(text, 'base64')
  return blob.length < 2 ? '' : blob.toString('utf8', 2, 2 + blob.readUInt16BE(0))
}

/** What KMS asks IAM for; the policy of the key has to allow it, too. */
export const kmsAccess = (nameKey: (keyId: string) => string): GuardedService => ({
  accessesOf(request) {
    const action = mapped(actions, 'KMS', operationOf(request))
    const { KeyId, CiphertextBlob = '', EncryptionContext } = z.parse(Input, request.body)
    const resource = KeyId === undefined ? keyOfBlob(CiphertextBlob) : nameKey(KeyId)
    const context = Object.entries(EncryptionContext).map(([name, value]) => [
      `kms:encryptioncontext:${name.toLowerCase()}`,
      [value],
    ])
    return [{ action: `kms:${action}`, resource, context: Object.fromEntries(context) }]
  },
  refuse: refuseAsJson(400),
})
