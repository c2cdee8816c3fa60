import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { parseMultipart } from '../../pages/multipart.ts'
import type { Answer } from '../../pages/server.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import type { Channels } from './channels.ts'
import type { Install } from './install.ts'
import type { Messages } from './messages.ts'
import { readArgs, readForm } from './read-args.ts'
import { refuse } from './refuse.ts'
import { type SlackTeam, slackSeed } from './seed.ts'

export interface StoredFile {
  id: string
  team: string
  filename: string
  length: number
  alt: string
  /** Random, so that knowing it grants access. */
  door: string
  uploaded: boolean
  share: { channel: string; ts: string } | null
  /** How often it was queried since: the share shows a little later. */
  looks: number
}

const LeaseArgs = z.strictObject({
  filename: z.string().check(z.minLength(1)),
  length: z.string().check(z.regex(/^[1-9]\d*$/)),
  alt_txt: z.optional(z.string().check(z.maxLength(2000))),
})

const CompleteArgs = z.strictObject({
  files: z.array(z.strictObject({ id: z.string(), title: z.optional(z.string()) })).check(z.minLength(1)),
  channel_id: z.string(),
  initial_comment: z.optional(z.string()),
  thread_ts: z.optional(z.string()),
})

/** A file comes as raw bytes, or as the one part of a form (Slack, files.getUploadURLExternal). */
const bytesOf = ({ headers, body }: Call): Buffer => {
  const type = headers['content-type'] ?? ''
  return type.startsWith('multipart/') ? (parseMultipart(type, body)[0]?.bytes ?? Buffer.alloc(0)) : body
}

/** Queries that see no share yet. */
const hiddenLooks = 1

const typeOf = (filename: string): string => {
  const types = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', mp4: 'video/mp4' }
  return Object.entries(types).find(([end]) => filename.endsWith(`.${end}`))?.[1] ?? 'application/octet-stream'
}

/** Files: reserved, uploaded, and shared to a channel together; invisible until then. */
export function openFiles(context: SimulatorContext, { teamOf }: Install, channels: Channels, messages: Messages) {
  const files = context.keep<StoredFile>('files')

  const fileOf = (team: SlackTeam, id: string): StoredFile => {
    const file = files.get(id)
    return file?.team === team.id ? file : refuse('file_not_found')
  }

  function lease(call: Call): Answer {
    const team = teamOf(call, 'files:write')
    const { filename, length, alt_txt: alt = '' } = readForm(call, LeaseArgs)
    const id = `F0${randomBytes(5).toString('hex').toUpperCase()}`
    const door = randomBytes(18).toString('base64url')
    const stored = {
      id,
      team: team.id,
      filename,
      length: Number(length),
      alt,
      door,
      uploaded: false,
      share: null,
      looks: 0,
    }
    files.set(id, stored)
    return { status: 200, body: { ok: true, upload_url: `${context.url}/upload/v1/${door}`, file_id: id } }
  }

  function upload(call: Call): Answer {
    const file = files.values().find(({ door }) => door === call.params['door'])
    const plain = (status: number, body: string) => new Refused({ status, body })
    if (file === undefined) throw plain(404, 'unknown upload')
    const bytes = bytesOf(call)
    if (bytes.length !== file.length) throw plain(400, `expected ${file.length} bytes, got ${bytes.length}`)
    context.blobs.put(file.id, bytes)
    files.set(file.id, { ...file, uploaded: true })
    return { status: 200, body: `OK - ${bytes.length}` }
  }

  function complete(call: Call): Answer {
    const team = teamOf(call, 'files:write')
    const args = readArgs(call, CompleteArgs)
    const { files: given, channel_id: channel, initial_comment: text = '', thread_ts: threadTs } = args
    const known = channels.find(team, channel)
    if (!channels.isIn(known)) refuse('not_in_channel')
    if (given.length > 10) refuse('invalid_arguments')
    const named = given.map(({ id }) => fileOf(team, id))
    if (named.some(({ uploaded, share }) => !uploaded || share !== null)) refuse('file_not_found')
    messages.checkText(text)
    messages.checkThread(channel, threadTs)
    const said = { channel, text, metadata: undefined, files: given.map(({ id }) => id), threadTs }
    const { ts } = messages.keepMessage(team, said)
    for (const file of named) files.set(file.id, { ...file, share: { channel, ts } })
    return { status: 200, body: { ok: true, files: given.map(({ id, title }) => ({ id, title })) } }
  }

  function info(call: Call): Answer {
    const team = teamOf(call, 'files:read')
    const file = fileOf(team, readForm(call, z.strictObject({ file: z.string() })).file)
    const { id, share, looks, filename } = file
    files.set(id, { ...file, looks: looks + 1 })
    const isPrivate = slackSeed.channels.find((channel) => channel.id === share?.channel)?.isPrivate
    const shares =
      share && looks >= hiddenLooks
        ? { [isPrivate ? 'private' : 'public']: { [share.channel]: [{ ts: share.ts }] } }
        : {}
    const permalink = `https://${team.domain}.slack.com/files/${team.bot.userId}/${id}/${encodeURIComponent(filename)}`
    return { status: 200, body: { ok: true, file: { id, name: filename, permalink, shares } } }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/api/files.getUploadURLExternal', operation: 'lease', answer: lease },
    { method: 'POST', path: '/upload/v1/:door', operation: 'upload', answer: upload },
    { method: 'POST', path: '/api/files.completeUploadExternal', operation: 'create', answer: complete },
    { method: 'POST', path: '/api/files.info', operation: 'status', answer: info },
  ]
  const show = (id: string) => {
    const { filename, alt } = files.get(id) ?? { filename: id, alt: '' }
    return { key: id, type: typeOf(filename.toLowerCase()), alt: alt || filename }
  }
  return { routes, show }
}
