import { expect, test } from 'vitest'
import { start } from '../../support/start.ts'
import { refusalOf } from '../answers.ts'

test('a workspace has a number of exports a day, and one that is refused does not count', async () => {
  const kit = await start({ quotas: { exports: 2 } })
  const of = { params: { id: kit.workspaceId } }
  const requestExport = () => kit.sessionApi.workspaces.export(of)
  await requestExport()
  expect(await refusalOf(requestExport())).toMatchObject({ status: 409, code: 'export_in_progress' })
  await kit.service.drain()
  await requestExport()
  await kit.service.drain()
  expect(await refusalOf(requestExport())).toMatchObject({ status: 429, code: 'quota_rate_exceeded', quota: 'exports' })
  const listed = await kit.sessionApi.workspaces.listExports(of)
  expect(listed.map(({ status }) => status)).toEqual(['completed', 'completed'])
})
