import { client } from '../../../functions/client.ts'
import { registered, requestOf } from '../../oauth/assistant.ts'
import { browserOf, hiddenIn, type Seen } from '../../pages/test-browser.ts'
import type { Kit } from '../start.ts'
import {
  blueskyLogin,
  inviteGuest,
  makeConnection,
  makeDevice,
  makePerson,
  makeSession,
  makeWorkspace,
  offerServers,
  password,
  requestReset,
  signUp,
} from './preparations.ts'
import { makeSubscriber } from './subscribers.ts'

/** What is left to do when all is prepared: open the page, or send its form. */
type Visit = () => Promise<Seen>

const signedIn = async (kit: Kit) => {
  const someone = browserOf(kit, await makeSession(kit))
  const device = await someone.open('/device')
  return { ...someone, key: hiddenIn(device, 'device') }
}

const startDevice = async ({ url }: Kit) => (await client({ baseUrl: url }).cli.startDeviceLogin()).userCode

/** A user with a registered browser. */
const notified = async (kit: Kit) => {
  await makeDevice(kit)
  const { open, send, key } = await signedIn(kit)
  return { someone: { open, send }, key }
}

/** The owner of their own workspace. */
const atWorkspace = async (kit: Kit) => {
  const { id } = await makeWorkspace(kit)
  return { someone: browserOf(kit, kit.sessionToken), id }
}

const openInvitation = async (kit: Kit) => {
  const { guest, token } = await inviteGuest(kit)
  const path = `/invite?token=${token}`
  const someone = browserOf(kit, guest.session)
  return { someone, path }
}

/** For each page how it is visited when all is well. */
const visits: Readonly<Record<string, (kit: Kit) => Promise<Visit>>> = {
  'pages.acceptInvitation': async (kit) => {
    const { someone, path } = await openInvitation(kit)
    const seen = await someone.open(path)
    return () => someone.submit(seen, 'invite')
  },
  'pages.answerConsent': async (kit) => {
    const request = await requestOf(kit, await registered(kit))
    const someone = browserOf(kit, kit.sessionToken)
    const page = await someone.open(request.path)
    const choice = { workspace: kit.workspaceId, 'allow posts:read': 'on', answer: 'allow' }
    return () => someone.submit(page, 'authorize', choice)
  },
  'pages.answerDevice': async (kit) => {
    const { send, key } = await signedIn(kit)
    const fields = { ...key, user_code: await startDevice(kit) }
    await send('/device', fields)
    return () => send('/device-answer', { ...fields, answer: 'approved' })
  },
  'pages.changeAssistants': async (kit) => {
    const connection = await makeConnection(kit)
    const someone = browserOf(kit, kit.sessionToken)
    const page = await someone.open(`/workspace?id=${kit.workspaceId}`)
    return () => someone.submit(page, 'workspace-assistants', { act: 'disconnect', connection })
  },
  'pages.changeBilling': async (kit) => {
    const { slug: workspace } = await makeSubscriber(kit)
    const someone = browserOf(kit, kit.sessionToken)
    const key = hiddenIn(await someone.open(`/billing?workspace=${workspace}`), 'billing')
    // Refused, and shown again: a plan without a price.
    await someone.send('/billing', { ...key, workspace, action: 'change' })
    return () => someone.send('/billing', { ...key, workspace, action: 'cancel' })
  },
  'pages.changeNotifications': async (kit) => {
    const { someone, key } = await notified(kit)
    return () => someone.send('/notifications', { ...key, act: 'test' })
  },
  'pages.connectAccounts': async (kit) => {
    const ticket = await offerServers(kit)
    return () => browserOf(kit).send('/connect-accounts', { ticket, account_0: 'yes' })
  },
  'pages.connectFromWorkspace': async (kit) => {
    const { someone, id } = await atWorkspace(kit)
    const page = await someone.open(`/workspace?id=${id}`)
    return () => someone.submit(page, 'workspace-connect', { platform: 'bluesky', ...blueskyLogin })
  },
  'pages.createToken': async (kit) => {
    const { someone, id } = await atWorkspace(kit)
    const page = await someone.open(`/workspace?id=${id}`)
    return () => someone.submit(page, 'workspace-token', { name: 'Program', rights: 'publish' })
  },
  'pages.createWorkspace': async (kit) => {
    const { someone } = await atWorkspace(kit)
    const page = await someone.open('/workspaces')
    return () => someone.submit(page, 'workspaces', { name: 'Another', timezone: 'Europe/Berlin' })
  },
  'pages.consoleIcon': async (kit) => () => browserOf(kit).open('/console.svg'),
  'pages.consolePlotScript': async (kit) => () => browserOf(kit).open('/console-plot.js'),
  'pages.consoleScript': async (kit) => () => browserOf(kit).open('/console.js'),
  'pages.consoleStyle': async (kit) => () => browserOf(kit).open('/console.css'),
  'pages.enterUserCode': async (kit) => {
    const { send, key } = await signedIn(kit)
    const fields = { ...key, user_code: await startDevice(kit) }
    return () => send('/device', fields)
  },
  'pages.notificationsScript': async (kit) => () => browserOf(kit).open('/notifications.js'),
  'pages.workspacesScript': async (kit) => () => browserOf(kit).open('/workspaces.js'),
  'pages.notificationsWorker': async (kit) => () => browserOf(kit).open('/notifications-worker.js'),
  'pages.requestPasswordReset': async (kit) => {
    const { email } = await makePerson(kit)
    return () => browserOf(kit).send('/forgot-password', { email })
  },
  'pages.resetPassword': async (kit) => {
    const token = await requestReset(kit)
    return () => browserOf(kit).send('/reset-password', { token, newPassword: 'another good password' })
  },
  'pages.showBilling': async (kit) => {
    const { slug } = await makeSubscriber(kit)
    await browserOf(kit, kit.sessionToken).open(`/billing?workspace=${slug}`)
    return () => browserOf(kit).open('/billing?workspace=acme')
  },
  'pages.showConnectAccounts': async (kit) => {
    const ticket = await offerServers(kit)
    const someone = browserOf(kit, await makeSession(kit))
    return () => someone.open(`/connect-accounts?ticket=${ticket}`)
  },
  'pages.showConsole': async (kit) => () => browserOf(kit, kit.sessionToken).open('/console'),
  'pages.showConsent': async (kit) => {
    const { path } = await requestOf(kit, await registered(kit))
    return () => browserOf(kit, kit.sessionToken).open(path)
  },
  'pages.showDevice': async (kit) => {
    const { send, open, key } = await signedIn(kit)
    const userCode = await startDevice(kit)
    await send('/device', { ...key, user_code: userCode })
    return () => open(`/device?user_code=${userCode}`)
  },
  'pages.showForgotPassword': async (kit) => () => browserOf(kit).open('/forgot-password'),
  'pages.showInvitation': async (kit) => {
    const { someone, path } = await openInvitation(kit)
    return () => someone.open(path)
  },
  'pages.showLanding': async (kit) => () => browserOf(kit).open('/'),
  'pages.showNotifications': async (kit) => {
    const { someone } = await notified(kit)
    return () => someone.open('/notifications')
  },
  'pages.showResetPassword': async (kit) => {
    const token = await requestReset(kit)
    return () => browserOf(kit).open(`/reset-password?token=${token}`)
  },
  'pages.showSignIn': async (kit) => () => browserOf(kit).open('/login'),
  'pages.showSignUp': async (kit) => () => browserOf(kit).open('/sign-up'),
  'pages.showVerifyEmail': async (kit) => () => browserOf(kit).open('/verify-email?token=any'),
  'pages.showWorkspace': async (kit) => {
    const { someone, id } = await atWorkspace(kit)
    return () => someone.open(`/workspace?id=${id}`)
  },
  'pages.showWorkspaces': async (kit) => {
    const { someone } = await atWorkspace(kit)
    return () => someone.open('/workspaces')
  },
  'pages.signIn': async (kit) => {
    const person = await makePerson(kit)
    return () => browserOf(kit).send('/login', person)
  },
  'pages.signOut': async (kit) => {
    const { send, key } = await signedIn(kit)
    return () => send('/sign-out', key)
  },
  'pages.signUp': async (kit) => () =>
    browserOf(kit).send('/sign-up', { email: 'page@mail.test', password, name: 'New' }),
  'pages.verifyEmail': async (kit) => {
    const { token } = await signUp(kit)
    return () => browserOf(kit).send('/verify-email', { token })
  },
}

/** The visit of a page, prepared. */
export const happyVisit = async (operation: string, kit: Kit): Promise<Visit> => {
  const visit = visits[operation]
  if (visit === undefined) throw new Error(`no visit for ${operation}`)
  return visit(kit)
}
