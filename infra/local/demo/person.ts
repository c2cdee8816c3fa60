import * as z from 'zod/mini'
import { Stop } from '../stop.ts'
import { call, Refused, read } from './caller.ts'

interface Login {
  email: string
  password: string
}

const Mails = z.array(z.object({ to: z.array(z.string()), text: z.string() }))

/** Verifies with the token of the newest email to this address, like the button behind its link. */
const verifyByMail = async (baseUrl: string, inboxUrl: string, email: string): Promise<void> => {
  const mail = (await read(`${inboxUrl}/mail.json`, Mails)).findLast(({ to }) => to.includes(email))
  const [, token] = /\/verify-email\?token=(\w+)/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Stop(`${email} has an account, but its password is lost: start over with --reset.`)
  const response = await fetch(`${baseUrl}/api/auth/verify-email?token=${token}`)
  if (!response.ok) throw new Stop(`The token in the mail to ${email} answered ${response.status}.`)
}

const signIn = async (baseUrl: string, login: Login): Promise<string> =>
  (await call({ baseUrl }, 'POST /api/auth/sign-in/email', z.object({ token: z.string() }), login)).token

/** Signs the demo user in, after signing it up if it is unknown or never verified its address. */
export const signInDemoUser = async (baseUrl: string, inboxUrl: string, login: Login): Promise<string> => {
  try {
    return await signIn(baseUrl, login)
  } catch (error) {
    if (!(error instanceof Refused) || ![401, 403].includes(error.status)) throw error
  }
  await call({ baseUrl }, 'POST /api/auth/sign-up/email', z.unknown(), { ...login, name: 'Demo' })
  await verifyByMail(baseUrl, inboxUrl, login.email)
  return signIn(baseUrl, login)
}
