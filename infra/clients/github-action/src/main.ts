import * as core from '@actions/core'
import { version } from '../../../../shared/version.ts'
import { createClient } from '../../javascript/src/index.ts'
import { accountName, chooseAccounts } from './accounts.ts'
import { type Inputs, readInputs } from './inputs.ts'
import { awaitOutcomes, isDone, listPosts, type Outcome, sayError, send } from './posts.ts'
import { findRelease, type Release, repository } from './release.ts'
import { problemOf, say, setOutputs, writeSummary } from './report.ts'
import { NotValid, writeTexts } from './text.ts'

/** What all posts of one release carry, by which a later run finds them. */
const externalIdOf = ({ id }: Release, { postKey }: Inputs): string =>
  ['github-release', repository(), id, ...(postKey === '' ? [] : [postKey])].join('/')

/** Publishes the posts that are not published yet, and returns the state of each account. */
const post = async (inputs: Inputs, release: Release): Promise<Outcome[]> => {
  const { baseUrl, token, workspaceId, metadata, isDryRun, scheduledAt } = inputs
  const headers = { 'User-Agent': `social-publishing-action/${version}` }
  const client = createClient({ baseUrl, token, workspaceId, headers })
  const accounts = chooseAccounts(await client.socialAccounts.list(), inputs.accounts)
  const externalId = externalIdOf(release, inputs)
  const earlier = await listPosts(client, externalId)
  const before = (id: string) => earlier.find(({ socialAccountId }) => socialAccountId === id)
  const done = accounts.flatMap((account) => {
    const post = before(account.id)
    return post !== undefined && isDone(post) ? [{ account, post }] : []
  })
  for (const { account, post } of done) {
    say(`${accountName(account)}: ${post.id} of an earlier run is ${post.status}. It is not posted again.`)
  }
  const open = accounts.filter((account) => !done.some((each) => each.account === account))
  const outcomes: Outcome[] = [...done]
  if (open.length > 0) {
    const texts = await writeTexts({ client, accounts: open, inputs, release })
    for (const account of open) {
      const content = texts[account.providerId] ?? ''
      say(`${accountName(account)}:\n${content}`)
      const order = { account, content, externalId, metadata, scheduledAt, failed: before(account.id) }
      outcomes.push(isDryRun ? { account } : await send(client, order))
    }
  }
  const sorted = accounts.flatMap((account) => outcomes.filter((each) => each.account === account))
  return isDryRun ? sorted : awaitOutcomes(client, { externalId, outcomes: sorted, seconds: inputs.waitSeconds })
}

const run = async (): Promise<void> => {
  const inputs = readInputs()
  const release = await findRelease(inputs)
  const outcomes = await post(inputs, release)
  setOutputs(outcomes)
  await writeSummary(release, outcomes, inputs.isDryRun)
  for (const { account, post } of outcomes) {
    if (post?.status === 'scheduled' && inputs.waitSeconds > 0) {
      core.warning(
        `${accountName(account)}: ${post.id} is not published after ${inputs.waitSeconds} seconds. The service goes on.`,
      )
    }
  }
  const problems = outcomes.flatMap((outcome) =>
    problemOf(outcome) === '' ? [] : [`${accountName(outcome.account)}: ${problemOf(outcome)}`],
  )
  for (const problem of problems.slice(1)) core.error(problem)
  if (problems[0] !== undefined) core.setFailed(problems[0])
}

run().catch((error: unknown) => {
  if (error instanceof NotValid) for (const reason of error.reasons.slice(1)) core.error(reason)
  core.setFailed(sayError(error))
})
