import * as z from 'zod/mini'

const isHttps = (text: string) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' && url.hostname !== '' && url.username === '' && url.password === ''
}

/** The URL of a workspace's logo; browsers fetch it, the service never does. */
export const Logo = z
  .string()
  .check(
    z.maxLength(2000),
    z.refine((text) => isHttps(text) && text.isWellFormed(), {
      error: 'must be an https URL without a password, or null',
    }),
  )
  .register(z.globalRegistry, { format: 'uri' })
