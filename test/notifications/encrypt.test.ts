import { expect, test } from 'vitest'
import { decrypt } from '../../infra/local/push/decrypt.ts'
import { refuseVapid } from '../../infra/local/push/vapid.ts'
import { makeVapidKeys, vapidAuthorization } from '../../shared/notifications/providers/vapid.ts'
import { encrypt } from '../../shared/notifications/providers/web-push.ts'

/** The test vector of RFC 8291, section 5 and appendix A. */
const vector = {
  text: 'When I grow up, I want to be a watermelon',
  sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  receiver: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  message:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const keys = { p256dh: vector.p256dh, auth: vector.auth }

test('the message of RFC 8291 comes out byte by byte, and the stand-in of the browser reads it', () => {
  const random = { salt: Buffer.from(vector.salt, 'base64url'), privateKey: Buffer.from(vector.sender, 'base64url') }
  expect(encrypt(vector.text, { keys }, random).toString('base64url')).toBe(vector.message)
  const read = decrypt(Buffer.from(vector.message, 'base64url'), { privateKey: vector.receiver, auth: vector.auth })
  expect(read).toBe(vector.text)
})

test('each message is unique and readable, and one for another subscription is not readable', () => {
  const text = JSON.stringify({ title: 'Grüße 👋' })
  const messages = Array.from({ length: 20 }, () => encrypt(text, { keys }))
  expect(new Set(messages.map(String)).size).toBe(20)
  for (const message of messages) {
    expect(decrypt(message, { privateKey: vector.receiver, auth: vector.auth })).toBe(text)
    expect(() => decrypt(message, { privateKey: vector.receiver, auth: 'A'.repeat(22) })).toThrow()
  }
})

test('the longest text has 3,993 bytes, and its message the 4,096 that every push service takes', () => {
  expect(encrypt('x'.repeat(3_993), { keys })).toHaveLength(4_096)
})

/** The example of RFC 8292, section 2.4. */
const example = {
  header:
    'vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs',
  key: 'BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs',
  expiresS: 1_453_523_768,
}

test('the stand-in accepts the header of RFC 8292, until it expires and for its audience only', () => {
  const at = (nowS: number, origin = 'https://push.example.net') =>
    refuseVapid(example.header, { applicationServerKey: example.key, origin, nowMs: nowS * 1000 })
  expect(at(example.expiresS - 60)).toBeUndefined()
  expect(at(example.expiresS)).toBe('The token has expired.')
  expect(at(example.expiresS - 90_000)).toBe('The token is valid for more than 24 hours.')
  expect(at(example.expiresS - 60, 'https://push.example.com')).toMatch(/audience/)
})

test('the header of a message is accepted with its own key, and with no other', () => {
  const nowMs = Date.UTC(2030, 0, 1)
  const [own, other] = [makeVapidKeys(), makeVapidKeys()]
  const header = vapidAuthorization(own, 'https://push.example.net/p/1', 'mailto:ops@example.com', nowMs)
  const expected = { applicationServerKey: own.publicKey, origin: 'https://push.example.net', nowMs }
  expect(refuseVapid(header, expected)).toBeUndefined()
  expect(refuseVapid(header, { ...expected, applicationServerKey: other.publicKey })).toMatch(/not the one/)
  const forged = vapidAuthorization(
    { ...other, publicKey: own.publicKey },
    'https://push.example.net/p/1',
    'mailto:ops@example.com',
    nowMs,
  )
  expect(refuseVapid(forged, expected)).toBe('The signature does not match.')
})
