import type { Context } from '../context.ts'
import type { BatchRows, Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { searchMemories } from '../memory/search/search.ts'
import { findSearched, searchedKeys } from '../memory/search/searched.ts'
import { socialAccounts } from '../social-accounts/social-account.ts'
import { cutText } from '../text/cut.ts'
import { findVoice, type Voice, voiceKeys } from '../workspaces/voice.ts'
import { maxCostOf } from './models/model.ts'
import { type GenerateRequest, maxVariants } from './requests.ts'
import { type TextSettings, textSettings } from './settings.ts'
import { callsOf, type GenerationTask } from './text/generate.ts'
import type { Target } from './text/rules.ts'

const invalid = (field: string, text: string) => new Refusal('invalid', text, { code: 'invalid_input', field })

/** The settings of the model that writes; throws 503 if the deployment has none. */
export const requireText = (ctx: Context): TextSettings => {
  const settings = textSettings(ctx)
  if (settings !== undefined) return settings
  throw new Refusal('unavailable', 'This deployment has no AI model. Ask the operator to configure one.', {
    code: 'ai_not_configured',
  })
}

/** The rows that a request names, read together with the authorization. */
export const generationKeys = ({ workspaceId, body }: { workspaceId: string; body: GenerateRequest }): Key[] => [
  ...voiceKeys({ workspaceId }),
  ...(body.socialAccountIds ?? []).map((id) => socialAccounts.key({ workspaceId, id })),
  ...(body.collectionIds?.length ? searchedKeys(workspaceId, body.collectionIds) : []),
]

const accountTarget = (rows: BatchRows, workspaceId: string, id: string): Target => {
  const account = socialAccounts.from(rows, { workspaceId, id })
  if (account === undefined) {
    throw new Refusal('missing', `This workspace has no account ${id}.`, {
      code: 'account_not_found',
      field: 'socialAccountIds',
    })
  }
  const { platform, details } = account
  return { platform, socialAccountId: id, details }
}

const targetsOf = (rows: BatchRows, workspaceId: string, request: GenerateRequest): Target[] => {
  const { platforms = [], socialAccountIds = [], count = 1 } = request
  const targets: Target[] = [
    ...[...new Set(platforms)].map((platform) => ({ platform, socialAccountId: null })),
    ...[...new Set(socialAccountIds)].map((id) => accountTarget(rows, workspaceId, id)),
  ]
  if (targets.length === 0) throw invalid('platforms', 'Name at least one platform or account to write for.')
  if (targets.length * count <= maxVariants) return targets
  const many = `${targets.length} platforms and accounts with ${count} variants each are ${targets.length * count} texts.`
  throw invalid('count', `${many} Ask for at most ${maxVariants}.`)
}

/** How many memories a request uses, and how much of each. */
const [maxMemories, memoryCharacters] = [8, 1_000]
/** The longest prompt that the search accepts. */
const searchCharacters = 2_000

/** A task with everything that a job stores. */
export interface PreparedTask extends GenerationTask {
  voice: Voice | null
  memories: string[]
}

/** The person, and their request. */
export interface GenerationRequest {
  workspaceId: string
  userId: string
  body: GenerateRequest
}

/**
 * What to write, from the request, the voice of the workspace, and the memories of the collections that the person can
 * see.
 */
export const prepareGeneration = async (
  ctx: Context,
  rows: BatchRows,
  { workspaceId, userId, body }: GenerationRequest,
): Promise<PreparedTask> => {
  const targets = targetsOf(rows, workspaceId, body)
  const { prompt, tone, language, count = 1, collectionIds = [] } = body
  const searched = findSearched(rows, workspaceId, collectionIds, userId)
  const memories =
    searched.length === 0 ? [] : await searchMemories(ctx, searched, cutText(prompt, searchCharacters), maxMemories)
  return {
    prompt,
    targets,
    count,
    voice: findVoice(rows, workspaceId),
    ...(tone === undefined ? {} : { tone }),
    ...(language === undefined ? {} : { language }),
    memories: memories.map(({ memory }) => cutText(memory.text, memoryCharacters)),
  }
}

/** The maximum cost of a task. */
export const maxCostOfTask = (settings: TextSettings, task: GenerationTask): number =>
  callsOf(task).reduce((sum, { prompt }) => sum + maxCostOf(settings, prompt), 0)
