import { createDecipheriv, createECDH, createHmac } from 'node:crypto'

/** The secrets of a subscription that only its browser knows, in base64url. */
export interface BrowserKeys {
  privateKey: string
  auth: string
}

const hmac = (key: Uint8Array, ...parts: readonly (Uint8Array | string)[]) =>
  parts.reduce<ReturnType<typeof createHmac>>((made, part) => made.update(part), createHmac('sha256', key)).digest()

const one = Buffer.of(1)

/**
 * Decrypts a message as a browser does (RFC 8291, section 3.4; RFC 8188, section 2). Written from the RFCs and not with the
 * sender's functions, so that both cannot be wrong in the same way. Throws if a message does not belong to this
 * subscription.
 */
export const decrypt = (message: Uint8Array, { privateKey, auth }: BrowserKeys): string => {
  const bytes = Buffer.from(message)
  const keyLength = bytes.readUInt8(20)
  const [salt, sender, record] = [
    bytes.subarray(0, 16),
    bytes.subarray(21, 21 + keyLength),
    bytes.subarray(21 + keyLength),
  ]
  const receiver = createECDH('prime256v1')
  receiver.setPrivateKey(privateKey, 'base64url')
  const shared = hmac(Buffer.from(auth, 'base64url'), receiver.computeSecret(sender))
  const material = hmac(shared, 'WebPush: info', Buffer.of(0), receiver.getPublicKey(), sender, one)
  const random = hmac(salt, material)
  const key = hmac(random, 'Content-Encoding: aes128gcm', Buffer.of(0), one).subarray(0, 16)
  const nonce = hmac(random, 'Content-Encoding: nonce', Buffer.of(0), one).subarray(0, 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const delimiter = padded.lastIndexOf(2)
  if (delimiter === -1 || padded.subarray(delimiter + 1).some((byte) => byte !== 0)) throw new Error('no last record')
  return padded.subarray(0, delimiter).toString('utf8')
}
