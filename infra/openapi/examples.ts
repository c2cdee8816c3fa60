import { readdirSync, readFileSync } from 'node:fs'
import { aiExamples } from './examples/ai.ts'
import { applicationExamples } from './examples/application.ts'
import { authExamples } from './examples/auth.ts'
import { billingExamples } from './examples/billing.ts'
import { cliExamples } from './examples/cli.ts'
import { draftExamples } from './examples/drafts.ts'
import type { Example } from './examples/example.ts'
import { mediaExamples } from './examples/media.ts'
import { memoryExamples } from './examples/memory.ts'
import { metaExamples } from './examples/meta.ts'
import { notificationExamples } from './examples/notifications.ts'
import { platformExamples } from './examples/platforms.ts'
import { postExamples } from './examples/posts.ts'
import { socialAccountExamples } from './examples/social-accounts.ts'
import { teamExamples } from './examples/team.ts'
import { webhookExamples } from './examples/webhooks.ts'
import { workspaceExamples } from './examples/workspaces.ts'

const groups: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  ai: aiExamples,
  application: applicationExamples,
  auth: authExamples,
  billing: billingExamples,
  cli: cliExamples,
  drafts: draftExamples,
  media: mediaExamples,
  memory: memoryExamples,
  meta: metaExamples,
  notifications: notificationExamples,
  platforms: platformExamples,
  posts: postExamples,
  socialAccounts: socialAccountExamples,
  team: teamExamples,
  webhooks: webhookExamples,
  workspaces: workspaceExamples,
}

/** How an operation is called, for example `posts.schedule`. */
export const exampleOf = (operation: string): Example => {
  const [group = '', action = ''] = operation.split('.')
  const example = groups[group]?.[action]
  if (example === undefined) throw new Error(`infra/openapi/examples has no example of ${operation}`)
  return example
}

/** The bodies of an operation by name, as a media type of OpenAPI has them. */
export const requestExamples = (operation: string): Record<string, { summary: string; value: unknown }> => {
  const { request, others } = exampleOf(operation)
  return request === undefined ? {} : { example: { summary: 'Example', value: request }, ...others }
}

/** Responses as the service gave them (test/openapi/examples.law.ts writes them), by group. */
export const recordedFolder = new URL('./examples/recorded/', import.meta.url)

const recorded: Readonly<Record<string, unknown>> = Object.assign(
  {},
  ...readdirSync(recordedFolder).map((file) => JSON.parse(readFileSync(new URL(file, recordedFolder), 'utf8'))),
)

/** The response of an operation in its envelope; none if it is not JSON. */
export const responseExamples = (operation: string): Record<string, { value: { success: true; data: unknown } }> =>
  operation in recorded ? { example: { value: { success: true, data: recorded[operation] } } } : {}
