import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { DecryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'
import { cachedSecrets } from './secret-cache.ts'

const client = perContext((ctx) => makeClient(ctx, KMSClient, {}))

/** A workspace, a person, or a server whose data is encrypted: its ID, and its data key as encrypted by KMS. */
export interface KeyHolder {
  id: string
  dataKey: string
}

const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Decrypted data keys by their encrypted form. */
const cached = cachedSecrets<Buffer>()

/** The encryption context of a data key. Ids of workspaces and servers have a prefix, ids of people do not. */
export const contextOf = (id: string): Record<string, string> => {
  if (id.startsWith('ws_')) return { workspaceId: id }
  return id.startsWith('srv_') ? { serverId: id } : { userId: id }
}

/** A new data key for a workspace, a person, or a server in base64, encrypted by KMS and bound to their id. */
export const newDataKey = async (ctx: Context, id: string): Promise<string> => {
  const command = new GenerateDataKeyWithoutPlaintextCommand({
    KeyId: ctx.env('DATA_KEY_ID'),
    KeySpec: 'AES_256',
    EncryptionContext: contextOf(id),
  })
  const answer = await ctx.observe(
    { service: 'kms', action: 'GenerateDataKeyWithoutPlaintext', resource: 'data-key' },
    () => client(ctx).send(command),
  )
  if (answer.CiphertextBlob === undefined) throw new Error('KMS returned no new data key')
  return Buffer.from(answer.CiphertextBlob).toString('base64')
}

const decryptKey = async (ctx: Context, holder: KeyHolder): Promise<Buffer> => {
  const command = new DecryptCommand({
    KeyId: ctx.env('DATA_KEY_ID'),
    CiphertextBlob: Buffer.from(holder.dataKey, 'base64'),
    EncryptionContext: contextOf(holder.id),
  })
  const answer = await ctx.observe({ service: 'kms', action: 'Decrypt', resource: 'data-key' }, () =>
    client(ctx).send(command),
  )
  if (answer.Plaintext === undefined) throw new Error('KMS returned no decrypted data key')
  return Buffer.from(answer.Plaintext)
}

const plainKey = (ctx: Context, holder: KeyHolder): Promise<Buffer> =>
  cached(ctx, `${holder.id}\n${holder.dataKey}`, () => decryptKey(ctx, holder))

const boundTo = (holder: KeyHolder, purpose: string) => Buffer.from(`${holder.id}\n${purpose}`)

/** Encrypts a text for one holder and one purpose. Returns nonce, tag, and ciphertext as base64url. */
export const encryptText = async (ctx: Context, holder: KeyHolder, purpose: string, text: string): Promise<string> => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(cipherName, await plainKey(ctx, holder), nonce).setAAD(boundTo(holder, purpose))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts a text; throws if it was encrypted for another holder or purpose, or was modified. */
export const decryptText = async (
  ctx: Context,
  holder: KeyHolder,
  purpose: string,
  sealed: string,
): Promise<string> => {
  const bytes = Buffer.from(sealed, 'base64url')
  const [nonce, body] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes + tagBytes)]
  const decipher = createDecipheriv(cipherName, await plainKey(ctx, holder), nonce, { authTagLength: tagBytes })
  decipher.setAAD(boundTo(holder, purpose)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}
