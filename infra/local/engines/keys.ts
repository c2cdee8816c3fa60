import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { Fault, type Operations, readInput, runOperation, serveAws } from './aws-server.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { openStateFile } from './state-file.ts'

const context = z.optional(z.record(z.string(), z.string()))
const keyId = z.string().check(z.minLength(1), z.maxLength(2048))
const blob = z.string().check(z.minLength(1))

const EncryptInput = z.object({ KeyId: keyId, Plaintext: blob, EncryptionContext: context })
const DecryptInput = z.object({ KeyId: z.optional(keyId), CiphertextBlob: blob, EncryptionContext: context })
const DataKeyInput = z.object({
  KeyId: keyId,
  KeySpec: z.optional(z.enum(['AES_128', 'AES_256'])),
  NumberOfBytes: z.optional(z.int().check(z.minimum(1), z.maximum(1024))),
  EncryptionContext: context,
})
const KeysState = z.object({ material: z.base64() })

const maxPlaintextBytes = 4096

export interface KeysOptions extends EngineOptions {
  /** The key of 32 bytes, if it is stored elsewhere. */
  masterKey?: Buffer | undefined
}

const readMaterial = (folder: string | undefined): Buffer => {
  const file = openStateFile(folder && join(folder, 'keys.json'), KeysState, {
    material: randomBytes(32).toString('base64'),
  })
  file.save()
  return Buffer.from(file.value.material, 'base64')
}

/** KMS on 127.0.0.1: accepts any key ID as an existing symmetric key, and binds it and the context into the ciphertext. */
export async function startKeys({ masterKey, ...options }: KeysOptions): Promise<Engine> {
  const material = masterKey ?? readMaterial(options.folder)

  const operations: Operations = {
    Encrypt(input) {
      const { KeyId, Plaintext, EncryptionContext } = readInput(EncryptInput, input)
      const plain = Buffer.from(Plaintext, 'base64')
      if (plain.length > maxPlaintextBytes)
        throw new Fault('ValidationException', 'Plaintext is longer than 4096 bytes.')
      return { ...seal(material, nameKey(KeyId), plain, EncryptionContext), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' }
    },
    Decrypt(input) {
      const { KeyId, CiphertextBlob, EncryptionContext } = readInput(DecryptInput, input)
      const { arn, plain } = unseal(material, Buffer.from(CiphertextBlob, 'base64'), EncryptionContext)
      if (KeyId !== undefined && nameKey(KeyId) !== arn) {
        throw new Fault(
          'IncorrectKeyException',
          'The key ID in the request does not identify the key of the ciphertext.',
        )
      }
      return { KeyId: arn, Plaintext: plain.toString('base64'), EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' }
    },
    GenerateDataKeyWithoutPlaintext(input) {
      const { KeyId, KeySpec, NumberOfBytes, EncryptionContext } = readInput(DataKeyInput, input)
      if ((KeySpec === undefined) === (NumberOfBytes === undefined)) {
        throw new Fault('ValidationException', 'Please specify either number of bytes or key spec.')
      }
      const dataKey = randomBytes(NumberOfBytes ?? (KeySpec === 'AES_128' ? 16 : 32))
      return seal(material, nameKey(KeyId), dataKey, EncryptionContext)
    },
  }

  return serveAws(options, (request) => runOperation(operations, request))
}

/** Ciphertext: length of the ARN (2 bytes), the ARN, nonce (12), tag (16), encrypted bytes. */
function seal(material: Buffer, arn: string, plain: Buffer, context: Record<string, string> = {}) {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', material, nonce).setAAD(bind(arn, context))
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  const name = Buffer.from(arn)
  const length = Buffer.from([name.length >> 8, name.length & 255])
  return {
    KeyId: arn,
    CiphertextBlob: Buffer.concat([length, name, nonce, cipher.getAuthTag(), sealed]).toString('base64'),
  }
}

/** Throws a Fault if the ciphertext, its key, or its context is another one. */
export function unseal(material: Buffer, blob: Buffer, context: Record<string, string> = {}) {
  try {
    const start = 2 + blob.readUInt16BE(0)
    const arn = blob.toString('utf8', 2, start)
    const decipher = createDecipheriv('aes-256-gcm', material, blob.subarray(start, start + 12), { authTagLength: 16 })
    decipher.setAAD(bind(arn, context)).setAuthTag(blob.subarray(start + 12, start + 28))
    return { arn, plain: Buffer.concat([decipher.update(blob.subarray(start + 28)), decipher.final()]) }
  } catch {
    throw new Fault(
      'InvalidCiphertextException',
      'The ciphertext, or the encryption context given with it, is not valid.',
    )
  }
}

/** The order of the pairs of a context has no meaning. */
function bind(arn: string, context: Record<string, string>): Buffer {
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.from(JSON.stringify([arn, pairs]))
}

export function nameKey(keyId: string): string {
  if (keyId.startsWith('arn:')) return keyId
  return `arn:aws:kms:us-east-1:000000000000:${keyId.startsWith('alias/') ? keyId : `key/${keyId}`}`
}
