/** Addresses no endpoint may have; the guard's own tests know more. */
export const refusedAddresses = [
  'http://example.com/hook',
  'http://127.0.0.1:1/hook',
  'ftp://example.com/hook',
  'javascript:alert(1)',
  'no address',
  'https://localhost/hook',
  'https://127.0.0.1/hook',
  'https://2130706433/hook',
  'https://[::1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://10.0.0.1/hook',
  'https://169.254.169.254/latest/meta-data',
  'https://intranet/hook',
  'https://db.internal/hook',
  'https://user:password@example.com/hook',
  'https://example.com:22/hook',
]
