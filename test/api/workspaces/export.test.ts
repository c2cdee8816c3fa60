import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { removeObject } from '../../../shared/aws/bucket.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/time.ts'
import { apiOf, download, exportOnce, leftOf, linkOf } from '../../export/exports.ts'
import { readArchive, recordsIn, sha256 } from '../../export/read-archive.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeAsset, makeHook, makeMember, postBody } from '../../support/world/preparations.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start({ quotas: { exports: 100 } })
})
afterAll(() => kit.close())

const ofWorkspace = () => ({ params: { id: kit.workspaceId } })
const get = (exportId: string) => kit.sessionApi.workspaces.getExport({ params: { id: kit.workspaceId, exportId } })
const mailsAbout = (exportId: string) => kit.mail.outbox().filter(({ text }) => text.includes(exportId))

test('an export has everything of the workspace, without secrets, with a checksum of each file', async () => {
  const [remaining, gone] = [await makeAsset(kit), await makeAsset(kit)]
  await kit.service.drain()
  await removeObject(kit.ctx, gone.storageKey)
  const hook = await makeHook(kit, 'told', ['post.scheduled'])
  const [post] = await kit.api.posts.schedule({ body: { ...postBody(kit, 'Bread'), mediaUrls: [remaining.id] } })
  const long = '€'.repeat(2000)
  const draft = await kit.api.drafts.create({ body: { content: long, mediaUrls: [remaining.id] } })
  const collection = await kit.sessionApi.memory.createCollection({ body: { name: 'Voices', isPrivate: true } })
  const memory = await kit.sessionApi.memory.create({ body: { collectionId: collection.id, text: 'On the day.' } })
  await kit.sessionApi.workspaces.updateVoice({ ...ofWorkspace(), body: { tone: 'warm' } })
  await kit.service.drain()
  const exportId = await exportOnce(kit)
  const archive = await download(kit, exportId)
  const files = await readArchive(archive)
  const manifest = JSON.parse(files.get('manifest.json')?.toString() ?? '')
  expect(manifest).toMatchObject({
    formatVersion: 1,
    exportId,
    workspaceId: kit.workspaceId,
    requestedBy: kit.user.id,
    mediaFiles: 1,
    counts: { workspace: 1, members: 1, posts: 2, drafts: 1, media: 2, memory_collections: 1, memories: 1 },
    missingMedia: [{ mediaId: gone.id, storageKey: gone.storageKey }],
  })
  const listed = manifest.files.map(({ name, size, sha256 }: Record<string, unknown>) => [name, size, sha256])
  const exported = [...files].filter(([name]) => name !== 'manifest.json')
  expect(listed.toSorted()).toEqual(exported.map(([name, bytes]) => [name, bytes.length, sha256(bytes)]).toSorted())
  expect(recordsIn(files, 'posts')[0]).toMatchObject({ id: post?.id, content: 'Bread', media: [{ id: remaining.id }] })
  expect(recordsIn(files, 'drafts')).toEqual([draft])
  expect(recordsIn(files, 'memories')).toEqual([memory])
  expect(recordsIn(files, 'workspace')).toMatchObject([{ id: kit.workspaceId, voiceSettings: { tone: 'warm' } }])
  expect(
    recordsIn(files, 'social_accounts')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(Object.values(kit.accounts).toSorted())
  expect(recordsIn(files, 'webhook_endpoints')).toMatchObject([{ id: hook.id, url: hook.url }])
  expect(recordsIn(files, 'events').map(({ type }) => type)).toContain('post.scheduled')
  expect(recordsIn(files, 'webhook_deliveries').map(({ endpointId }) => endpointId)).toEqual([hook.id, hook.id])
  expect(recordsIn(files, 'access_tokens')).toMatchObject([{ userId: kit.user.id, workspaceId: kit.workspaceId }])
  expect(recordsIn(files, 'audit').map(({ action }) => action)).toContain('export.requested')
  expect(files.get(`media/${remaining.id}.png`)?.length).toBe(remaining.fileSize)
  const text = [...files].map(([name, bytes]) => (name.startsWith('data/') ? bytes.toString() : '')).join('\n')
  expect(text).not.toMatch(/secretHash|tokenHash|dataKey|credentials|whsec_|"sealed"/)
  const shown = await get(exportId)
  expect(shown).toMatchObject({ status: 'completed', reason: null, requestedBy: kit.user.id })
  expect(shown.progress).toMatchObject({ mediaFiles: 1, missingFiles: 1, bytes: archive.length })
  expect(mailsAbout(exportId)).toMatchObject([{ to: [kit.user.email], subject: 'Your export is ready' }])
  expect(mailsAbout(exportId)[0]?.text).not.toContain('token=')
})

test('a second export waits until the first has ended', async () => {
  const first = await kit.sessionApi.workspaces.export(ofWorkspace())
  const second = await refusalOf(kit.sessionApi.workspaces.export(ofWorkspace()))
  expect(second).toMatchObject({ status: 409, code: 'export_in_progress', exportId: first.exportId })
  expect(first).toMatchObject({ status: 'running', finishedAt: null, expiresAt: null })
  await kit.service.drain()
  expect(await exportOnce(kit)).not.toBe(first.exportId)
})

test('a repeat with the same Idempotency-Key gets the same export', async () => {
  const one = await kit.sessionApi.workspaces.export({ ...ofWorkspace(), idempotencyKey: 'once' })
  const two = await kit.sessionApi.workspaces.export({ ...ofWorkspace(), idempotencyKey: 'once' })
  expect(two).toEqual(one)
  await kit.service.drain()
})

test('a download link works once; HEAD does not use it up, and the archive goes an hour after the download', async () => {
  const exportId = await exportOnce(kit)
  const { pathname, search } = new URL(await linkOf(kit, exportId))
  const url = `${kit.url}${pathname}${search}`
  expect((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status).toBe(405)
  const first = await fetch(url, { redirect: 'manual' })
  expect(first.status).toBe(303)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.headers.get('location')).toContain('X-Amz-Expires=60')
  const again = await fetch(url, { redirect: 'manual' })
  expect([again.status, await again.json()]).toMatchObject([404, { code: 'download_link_not_found' }])
  expect((await get(exportId)).expiresAt).toBe(new Date(kit.clock.now() + hourMs).toISOString())
  // Of two concurrent requests one gets it.
  const other = new URL(await linkOf(kit, exportId))
  const both = [0, 1].map(() => fetch(`${kit.url}${other.pathname}${other.search}`, { redirect: 'manual' }))
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([303, 404])
  await kit.service.pass(hourMs + 2 * minuteMs, { tickMinutes: 10 })
  expect(await get(exportId)).toMatchObject({ status: 'expired' })
  expect((await leftOf(kit)).filter((key) => key.includes(exportId))).toEqual([])
  expect(kit.logged.join('\n')).not.toContain(new URLSearchParams(search).get('token'))
})

test('a link ends after an hour, with a newer one, and with its export', async () => {
  const exportId = await exportOnce(kit)
  const at = (link: string) => `${kit.url}${new URL(link).pathname}${new URL(link).search}`
  const fetchStatus = async (link: string) => (await fetch(at(link), { redirect: 'manual' })).status
  const replaced = await linkOf(kit, exportId)
  const late = await linkOf(kit, exportId)
  expect(await fetchStatus(replaced)).toBe(404)
  expect(await fetchStatus(late.replace(exportId, 'exp_other'))).toBe(404)
  kit.clock.pass(hourMs)
  expect(await fetchStatus(late)).toBe(404)
  kit.clock.pass(7 * dayMs)
  const params = { id: kit.workspaceId, exportId }
  expect(await refusalOf(apiOf(kit).workspaces.createExportLink({ params }))).toMatchObject({
    code: 'export_not_ready',
  })
})

test('a member cannot export', async () => {
  const { session: token } = await makeMember(kit)
  const api = client({ baseUrl: kit.url, token, workspaceId: kit.workspaceId })
  const refused = await refusalOf(api.workspaces.export(ofWorkspace()))
  expect(refused).toMatchObject({ status: 403, code: 'insufficient_role' })
})
