import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { emit, makeHook } from './hooks.ts'

/** Everything the table holds, as text. */
const tableOf = async (kit: Kit) => {
  const pages = paginateScan({ client: new DynamoDBClient({}) }, { TableName: kit.ctx.env('TABLE_NAME') })
  const rows: string[] = []
  for await (const { Items = [] } of pages) rows.push(...Items.map((item) => JSON.stringify(unmarshall(item))))
  return rows.join('\n')
}

/** Every answer that can be read about an endpoint. */
const answersAbout = async (kit: Kit, id: string) => {
  const paths = ['', '/events', `/${id}`, `/${id}/deliveries`]
  const answers = await Promise.all(paths.map((path) => kit.sessionApi.$raw('GET', `/api/webhooks${path}`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  return (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
}

test('only the responses that create secrets contain them', async () => {
  const kit = await start()
  const { id, secret } = await makeHook(kit, 'hook')
  const rotated = await kit.sessionApi.webhooks.rotateSecret({ params: { id } })
  kit.inbox.behaviors.add({ name: 'hook', times: 1, reset: true })
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  await emit(kit)
  await kit.service.drain()
  await kit.sessionApi.webhooks.update({ params: { id }, body: { name: 'new' } })
  const sources = {
    answers: await answersAbout(kit, id),
    table: await tableOf(kit),
    log: kit.logged.join('\n'),
    deliveries: JSON.stringify(kit.inbox.deliveries()),
  }
  expect(sources.answers).toContain(id)
  expect(sources.table).toContain('"type":"Endpoint"')
  expect(sources.deliveries).toContain('x-service-signature-previous')
  for (const each of [secret, rotated.secret]) {
    const key = each.slice('whsec_'.length)
    const bytes = Buffer.from(key, 'base64')
    for (const [source, text] of Object.entries(sources)) {
      for (const form of [key, bytes.toString('base64url'), bytes.toString('hex')]) {
        expect(text.includes(form), `a secret is in the ${source}`).toBe(false)
      }
    }
  }
})
