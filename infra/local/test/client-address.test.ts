import { expect, test } from 'vitest'
import { clientAddress, proxiesIn } from '../gateway/client-address.ts'

const none = proxiesIn([])
const caddy = proxiesIn(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

test.each([
  ['no proxy is trusted', '203.0.113.9', '198.51.100.1', none, '203.0.113.9'],
  ['the proxy names the client', '127.0.0.1', '203.0.113.9', caddy, '203.0.113.9'],
  ['two proxies in a row', '127.0.0.1', '203.0.113.9, 10.1.2.3', caddy, '203.0.113.9'],
  ['the client made up an address before', '127.0.0.1', '1.1.1.1, 203.0.113.9', caddy, '203.0.113.9'],
  ['the client made up a trusted one', '127.0.0.1', '10.9.9.9, 203.0.113.9', caddy, '203.0.113.9'],
  ['a stranger is not believed', '203.0.113.9', '10.0.0.1', caddy, '203.0.113.9'],
  ['the proxy names no one', '127.0.0.1', '', caddy, '127.0.0.1'],
  ['the proxy names no address', '127.0.0.1', 'unknown', caddy, '127.0.0.1'],
  ['a socket of IPv6 shows IPv4', '::ffff:127.0.0.1', '::ffff:203.0.113.9', caddy, '203.0.113.9'],
  ['addresses of IPv6', 'fd00::1', '2001:db8::7', caddy, '2001:db8::7'],
])('%s', (_case, peer, forwarded, proxies, client) => {
  expect(clientAddress(peer, forwarded, proxies)).toBe(client)
})

test('what is no address or range is an error', () => {
  for (const wrong of ['caddy', '10.0.0.0/99', '']) expect(() => proxiesIn([wrong]), wrong).toThrow()
})
