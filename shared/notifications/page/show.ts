import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { Refusal } from '../../errors/refusal.ts'
import { alert, hidden } from '../../pages/field.ts'
import { type Html, html, nothing } from '../../pages/html.ts'
import type { Page } from '../../pages/layout.ts'
import { signedInAs } from '../../pages/sign-out-form.ts'
import type { Visitor } from '../../pages/visitor.ts'
import { isPushConfigured, vapidPublicKeyOf } from '../configured.ts'
import type { Device } from '../devices/device.ts'
import { type Channel, channels, type NotificationKind, notificationKinds } from '../kinds.ts'
import { type Profile, readProfile } from '../profile.ts'
import { describeKind, isChosen } from '../settings.ts'
import { acts, boxOf } from './form.ts'

export const NotificationsQuery = z.object({ done: z.optional(z.enum(acts)) })

type Done = z.infer<typeof NotificationsQuery>['done']

const results: Readonly<Record<NonNullable<Done>, string>> = {
  register: 'This browser gets notifications.',
  remove: 'The device was removed.',
  test: 'The test is on its way to your devices.',
  save: 'Your choices were saved.',
}

const channelNames: Readonly<Record<Channel, string>> = { push: 'Devices', mail: 'Email' }

/** The start of a form, with its action. */
const doing = ({ formKey }: Visitor, act: (typeof acts)[number]) =>
  html`${hidden('form_key', formKey)}${hidden('act', act)}`

const deviceItem = (visitor: Visitor, { id, name, kind, createdAt }: Device): Html => {
  const title = name ?? (kind === 'expo' ? 'App' : 'Browser')
  return html`<li><span>${title}<br><small class="soft">${kind === 'expo' ? 'App' : 'Browser'}, registered on ${createdAt.slice(0, 10)}</small></span>
<form method="post" action="notifications">${doing(visitor, 'remove')}${hidden('device', id)}<button aria-label="Remove ${title}">Remove</button></form></li>`
}

const devicesOf = (visitor: Visitor, { devices }: Profile): Html => html`<h2>Devices</h2>
${
  devices.length === 0
    ? html`<p class="soft">No device is registered.</p>`
    : html`<ul class="rows">${devices.map((device) => deviceItem(visitor, device))}</ul>
<form method="post" action="notifications">${doing(visitor, 'test')}<button>Send a test</button></form>`
}`

/** The form that the script shows and sends. */
const browserForm = (ctx: Context, visitor: Visitor): Html => {
  const key = vapidPublicKeyOf(ctx)
  if (!isPushConfigured(ctx))
    return html`<p class="soft">This service sends no messages to devices. You get emails.</p>`
  if (key === undefined) return nothing
  const empty = ['endpoint', 'p256dh', 'auth', 'name'].map((name) => hidden(name, ''))
  return html`<p class="alert" role="alert" id="browser-fault" hidden></p>
<form method="post" action="notifications" id="browser" data-key="${key}" class="after" hidden>${doing(visitor, 'register')}${empty}<button class="main">Notify this browser</button></form>
<noscript><p class="soft after">To register this browser, turn on JavaScript.</p></noscript>`
}

const choiceOf = (profile: Profile, kind: NotificationKind, channel: Channel): Html => {
  const name = boxOf(kind, channel)
  const checked = isChosen(profile, kind, channel) ? html` checked` : nothing
  return html`<label class="choice" for="${name}"><input type="checkbox" id="${name}" name="${name}"${checked}>${channelNames[channel]}</label>`
}

const settingsForm = (visitor: Visitor, profile: Profile): Html => html`<h2>What you are notified about</h2>
<form method="post" action="notifications">${doing(visitor, 'save')}
${notificationKinds.map(
  (kind) =>
    html`<fieldset><legend>${describeKind(kind)}</legend>${channels.map((channel) => choiceOf(profile, kind, channel))}</fieldset>`,
)}
<button>Save</button>
</form>`

/** The page of a person's devices and settings. Everything but the registration of a browser works without its script. */
export const notificationsPage = async (
  ctx: Context,
  visitor: Visitor,
  { done, refusal }: { done?: Done; refusal?: Refusal },
): Promise<Page> => {
  const profile = await readProfile(ctx, visitor.session.userId)
  return {
    title: 'Notifications',
    script: 'notifications.js',
    body: html`${done === undefined ? nothing : html`<p class="notice" role="status">${results[done]}</p>`}${alert(refusal)}
${devicesOf(visitor, profile)}
${browserForm(ctx, visitor)}
${settingsForm(visitor, profile)}
${signedInAs(visitor, '/notifications')}`,
  }
}
