import { expect, onTestFinished, test } from 'vitest'
import { startBuckets } from '../engines/buckets.ts'
import { startBus } from '../engines/bus.ts'
import { startMail } from '../engines/mail.ts'
import { startInbox } from '../inbox/start.ts'
import { makeClosing } from '../service/closing.ts'
import { startHosts } from '../service/hosts.ts'
import { startServers } from '../service/stand-ins.ts'
import { systemClock as clock } from '../service/system-clock.ts'

/** The tabs of a page, as people read them, and where they lead. */
const tabsOn = async (url: string) => {
  const page = await (await fetch(url)).text()
  const [nav = ''] = /<nav>.*?<\/nav>/s.exec(page) ?? []
  const tabs = [...nav.matchAll(/<a href="([^"]+)"( aria-current="page")?>(\w+)<\/a>/g)]
  return {
    tabs: tabs.map(([, to, , label]) => [label, to]),
    current: tabs.filter(([, , current]) => current !== undefined).map(([, , , label]) => label),
  }
}

/** All that surrounds the service, on free ports. */
const surround = async () => {
  const closing = makeClosing()
  onTestFinished(() => closing.close())
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  const [mail, bus, buckets] = await Promise.all([
    closing.hold(startMail({ clock })),
    closing.hold(startBus({ clock })),
    closing.hold(startBuckets({ clock, credentials })),
  ])
  const hosts = await startHosts({ ports: {}, buckets, mediaBucket: 'media' }, closing)
  const around = { hosts, ports: {}, secretOf: () => undefined, stripeSends: undefined }
  const { platforms, inbox, push } = await startServers(
    { clock, folder: undefined, engines: { mail, bus }, ...around },
    closing,
  )
  const { api } = hosts
  return { consoleUrl: `${api.url}/console`, platformsUrl: platforms.url, inboxUrl: inbox.url, pushUrl: push.url }
}

test('every local page has the same tabs in the same order, whichever ports were taken', async () => {
  const { consoleUrl, platformsUrl, inboxUrl, pushUrl } = await surround()
  const tabs = [
    ['Console', consoleUrl],
    ['Platforms', platformsUrl],
    ['Requests', `${platformsUrl}/calls`],
    ['Faults', `${platformsUrl}/fault-panel`],
    ['Webhooks', inboxUrl],
    ['Bus', `${inboxUrl}/bus`],
    ['Mail', `${inboxUrl}/mail`],
    ['Push', pushUrl],
  ] as const
  for (const [label, url] of tabs.slice(1)) expect(await tabsOn(url), label).toEqual({ tabs, current: [label] })
})

test('a page whose neighbors do not run has the tabs of those that run', async () => {
  const inbox = await startInbox({ clock: Date, secretOf: () => undefined, outbox: () => [] })
  onTestFinished(() => inbox.close())
  const tabs = [
    ['Webhooks', inbox.url],
    ['Bus', `${inbox.url}/bus`],
    ['Mail', `${inbox.url}/mail`],
  ]
  expect(await tabsOn(`${inbox.url}/mail`)).toEqual({ tabs, current: ['Mail'] })
})
