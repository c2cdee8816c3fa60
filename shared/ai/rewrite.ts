import type { Context } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Voice } from '../workspaces/voice.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { deadlineIn } from './deadline.ts'
import { runCharged } from './jobs/call.ts'
import { maxCostOf } from './models/model.ts'
import { requireText } from './prepare.ts'
import type { RewriteRequest } from './requests.ts'
import { rewritingPrompt } from './text/prompts.ts'
import { issuesOf, type Target } from './text/rules.ts'
import { writeFreely, writeWithin } from './text/write.ts'

/** What each instruction cannot do without. */
const required = { tone: 'tone', translate: 'language', adapt: 'platform' } as const

const assertComplete = (request: RewriteRequest) => {
  const { instruction } = request
  if (instruction === 'shorter' || instruction === 'longer') return
  const field = required[instruction]
  if (request[field] !== undefined) return
  throw new Refusal('invalid', `The instruction "${instruction}" requires "${field}".`, {
    code: 'invalid_input',
    field,
  })
}

/** How long an endpoint waits for its provider; the rest of its time is for the table. */
export const answerWithinMs = 23_000

/** Who asks, and for which workspace. */
export interface Author {
  workspace: Workspace
  userId: string
}

/** Rewrites a text, within the limits of a platform if one is named. */
export const rewrite = (ctx: Context, { workspace, userId }: Author, request: RewriteRequest, voice: Voice | null) => {
  const deadline = deadlineIn(answerWithinMs)
  const settings = requireText(ctx)
  assertComplete(request)
  const { content, instruction, platform, ...material } = request
  const target: Target | undefined = platform === undefined ? undefined : { platform, socialAccountId: null }
  const prompt = rewritingPrompt(content, instruction, target, { ...material, voice })
  const charge = { userId, settings, reservedMicroUsd: maxCostOf(settings, prompt) }
  return runCharged(ctx, workspace, charge, async () => {
    const writer = { ctx, settings, deadline }
    const { text, usage } = await (target ? writeWithin(writer, prompt, target) : writeFreely(writer, prompt))
    return { data: { content: text, issues: target ? issuesOf(target, text) : [] }, usage }
  })
}
