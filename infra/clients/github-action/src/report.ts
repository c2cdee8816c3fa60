import { randomUUID } from 'node:crypto'
import * as core from '@actions/core'
import { accountName } from './accounts.ts'
import type { Outcome } from './posts.ts'
import type { Release } from './release.ts'

/** Writes lines to the log of the step. Nothing in them is read as a command of the runner. */
export const say = (text: string): void => {
  const word = randomUUID()
  core.info(`::stop-commands::${word}\n${text}\n::${word}::`)
}

/** A text in a cell: names of accounts and releases, and messages, are written by others. */
const cell = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const linkTo = (url: string | null | undefined): string =>
  url && /^https?:\/\//.test(url) ? `<a href="${cell(url)}">${cell(url)}</a>` : ''

/** Why a post is not live, or an empty text. */
export const problemOf = ({ post, error }: Outcome): string => {
  if (post?.status !== 'failed') return error ?? ''
  const hint = post.retrySafe ? '' : ' It may be live: look at the platform before you post again.'
  return `${post.error ?? 'The post failed.'}${hint}`
}

/** Writes the summary of the step: one line for each account. */
export const writeSummary = async (
  { name, url }: Release,
  outcomes: readonly Outcome[],
  isDryRun: boolean,
): Promise<void> => {
  // Only the runner has a page for it.
  if (!process.env['GITHUB_STEP_SUMMARY']) return
  const statusOf = ({ post }: Outcome) => post?.status ?? (isDryRun ? 'valid' : 'not accepted')
  await core.summary
    .addRaw(`<h3>Posts about <a href="${cell(url)}">${cell(name)}</a></h3>`, true)
    .addTable([
      ['Account', 'Status', 'Post'].map((data) => ({ data, header: true })),
      ...outcomes.map((outcome) => [
        cell(accountName(outcome.account)),
        statusOf(outcome),
        linkTo(outcome.post?.publishedPostUrl) || cell(problemOf(outcome)),
      ]),
    ])
    .write()
}

/** Sets the outputs of the step. */
export const setOutputs = (outcomes: readonly Outcome[]): void => {
  const posts = outcomes.flatMap(({ post }) => post ?? [])
  core.setOutput('post-ids', JSON.stringify(posts.map(({ id }) => id)))
  core.setOutput('urls', JSON.stringify(posts.flatMap(({ publishedPostUrl }) => publishedPostUrl ?? [])))
}
