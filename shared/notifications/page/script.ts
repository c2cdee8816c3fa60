/**
 * The script of the page: subscribes this browser and sends the form with its subscription. Without it, or if a browser has
 * no push messages, the form stays hidden.
 */
export const pageScript = `'use strict'
const form = document.querySelector('#browser')
const fault = document.querySelector('#browser-fault')
const isSupported = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))

const nameOf = () => {
  const agent = navigator.userAgent
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(name + '/')) ?? 'Browser'
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'].find((name) => agent.includes(name))?.replace('Mac OS', 'macOS')
  const names = { Edg: 'Edge', OPR: 'Opera' }
  return (names[browser] ?? browser) + (system ? ' on ' + system : '')
}

const subscribe = async () => {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new Error('Notifications are blocked for this site. Allow them in the settings of your browser.')
  }
  await navigator.serviceWorker.register('notifications-worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  // A subscription with another key of the service would get nothing.
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(form.dataset.key) })
}

if (form !== null && isSupported) {
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    fault.hidden = true
    try {
      const { endpoint, keys } = (await subscribe()).toJSON()
      const values = { endpoint, p256dh: keys.p256dh, auth: keys.auth, name: nameOf() }
      for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = value
      form.submit()
    } catch (error) {
      fault.textContent = error.name === 'Error' ? error.message : 'This browser could not be registered: ' + error.message
      fault.hidden = false
    }
  })
}
`

/** The service worker: shows a message, and opens its page on a click. */
export const workerScript = `'use strict'
self.addEventListener('push', (event) => {
  const { title, body, tag, url } = event.data.json()
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { url } }))
})

self.addEventListener('notificationclick', (event) => {
  const { url } = event.notification.data
  event.notification.close()
  const show = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
    const open = pages.find((page) => page.url === url)
    return open ? open.focus() : self.clients.openWindow(url)
  }
  event.waitUntil(show())
})
`
