import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { WebPushDevice } from '../devices/device.ts'

/** The random parts of a message; only the test vector of RFC 8291 names them. */
interface Randomness {
  salt: Uint8Array
  /** The ephemeral private key of the sender. */
  privateKey: Uint8Array
}

const recordSize = 4096
const tagBytes = 16

const hkdf = (salt: Uint8Array, key: Uint8Array, info: Uint8Array, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

const draw = (): Randomness => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { salt: randomBytes(16), privateKey: pair.getPrivateKey() }
}

/**
 * Encrypts a message for a subscription (RFC 8291) as one record of the content coding aes128gcm (RFC 8188). Push services
 * must take 4,096 bytes of it (RFC 8030, section 7.2), so a text has at most 3,993 bytes.
 */
export const encrypt = (text: string, { keys }: Pick<WebPushDevice, 'keys'>, { salt, privateKey } = draw()): Buffer => {
  const [receiver, secret] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(privateKey)
  const publicKey = sender.getPublicKey()
  // RFC 8291, section 3.4: the shared secret is bound to both keys and to the authentication secret.
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, publicKey])
  const keyMaterial = hkdf(secret, sender.computeSecret(receiver), info, 32)
  const key = hkdf(salt, keyMaterial, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(salt, keyMaterial, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The delimiter of the last record, without padding (RFC 8188, section 2).
  const record = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final()])
  const header = Buffer.alloc(21)
  header.set(salt)
  header.writeUInt32BE(recordSize, 16)
  header.writeUInt8(publicKey.length, 20)
  const message = Buffer.concat([header, publicKey, record, cipher.getAuthTag()])
  if (record.length + tagBytes > recordSize) throw new Error(`a push message of ${record.length} bytes is too long`)
  return message
}
