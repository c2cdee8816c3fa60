import { type EventType, eventTypes } from '../../../shared/events/types.ts'
import { Stop } from '../../local/stop.ts'

const isPort = (text: string) => /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) <= 65_535

/** Where events are forwarded to: a port of this machine, or a URL. */
export const targetOf = (text: string, path: string | undefined): URL => {
  const url = URL.parse(isPort(text) ? `http://127.0.0.1:${text}/` : text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Stop(`"${text}" is not a port or a URL.`)
  if (path === undefined) return url
  if (!path.startsWith('/')) throw new Stop(`"--path" is "${path}". It starts with a slash.`)
  return new URL(path, url)
}

const isEventType = (text: string): text is EventType => eventTypes.some((type) => type === text)

/** Event types, separated by commas; all of them by default. */
export const eventTypesOf = (text: string | undefined): readonly EventType[] => {
  if (text === undefined) return eventTypes
  const types = text.split(',')
  const unknown = types.find((type) => !isEventType(type))
  if (unknown !== undefined) {
    throw new Stop(`"${unknown}" is not an event type. The types are ${eventTypes.join(', ')}.`)
  }
  return types.filter(isEventType)
}

const loopback = ['127.0.0.1', 'localhost', '[::1]']

/** Whether a service runs on this machine, so that its webhooks reach loopback. */
export const isLocal = (baseUrl: string): boolean => loopback.includes(new URL(baseUrl).hostname)
