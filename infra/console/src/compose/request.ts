import { type Account, accountOf } from '../store.ts'
import { blockFor } from './block.ts'
import { knownPlatform } from './platforms.ts'
import { type Form, isThread } from './state.ts'

/** Whether an account can have the post: threads go to some platforms only. */
export const canHave = (form: Pick<Form, 'parts'>, { providerId }: Account): boolean =>
  !isThread(form) || knownPlatform(providerId)?.threads !== undefined

/** The chosen accounts that the post goes to. */
export const targetsOf = (form: Pick<Form, 'accountIds' | 'parts'>): Account[] =>
  form.accountIds.flatMap((id) => accountOf(id) ?? []).filter((account) => canHave(form, account))

/** The platforms of these accounts, each once. */
export const platformsOf = (form: Pick<Form, 'accountIds' | 'parts'>): { id: string; name: string }[] => {
  const chosen = targetsOf(form).map(({ providerId: id, providerName: name }) => [id, { id, name }] as const)
  return [...new Map(chosen).values()]
}

/** The IDs of the files that are uploaded. */
export const idsOf = (files: Form['parts'][number]['files']): string[] => files.flatMap(({ id }) => id ?? [])

const filesOf = ({ files }: Form['parts'][number]) => {
  const mediaUrls = idsOf(files)
  return mediaUrls.length === 0 ? {} : { mediaUrls }
}

const commentOf = ({ firstComment: text, commentDelaySeconds: delaySeconds }: Form) =>
  delaySeconds === undefined ? { text } : { text, delaySeconds }

/** What a post and a thread share. */
const aroundOf = (form: Form) => {
  const metadata = platformsOf(form)
    .map(({ id }) => [id, blockFor(form, id)] as const)
    .filter(([, block]) => Object.keys(block).length > 0)
  return {
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    ...(form.firstComment.trim() === '' ? {} : { firstComment: commentOf(form) }),
  }
}

/** The values of a field by platform, of the chosen platforms alone. */
const chosenOf = <T>(form: Form, values: Readonly<Record<string, T>>): (readonly [string, T])[] => {
  const platforms = new Set(platformsOf(form).map(({ id }) => id))
  return Object.entries(values).filter(([platform]) => platforms.has(platform))
}

/** The fields that a post, its validation, and its draft share. */
export const contentOf = (form: Form) => {
  const texts = chosenOf(form, form.platformContent)
  const files = chosenOf(form, form.platformFiles).map(([platform, own]) => [platform, idsOf(own)] as const)
  const [part] = form.parts
  return {
    socialAccountIds: targetsOf(form).map(({ id }) => id),
    content: part?.content ?? '',
    ...(texts.length === 0 ? {} : { platformContent: Object.fromEntries(texts) }),
    ...(files.length === 0 ? {} : { platformMedia: Object.fromEntries(files) }),
    ...(part === undefined ? {} : filesOf(part)),
    ...aroundOf(form),
  }
}

/** One post of a thread, to be validated by itself. The API puts the comment under the last one. */
export const partOf = (form: Form, n: number) => {
  const { metadata, firstComment } = aroundOf(form)
  return {
    socialAccountIds: targetsOf(form).map(({ id }) => id),
    content: form.parts[n]?.content ?? '',
    ...(form.parts[n] === undefined ? {} : filesOf(form.parts[n])),
    // Some fields are about the thread as a whole, and go with its first post (infra/openapi/guides/threads.md).
    ...(metadata === undefined || n > 0 ? {} : { metadata }),
    ...(firstComment === undefined || n < form.parts.length - 1 ? {} : { firstComment }),
  }
}

/** The thread for one of its accounts. */
export const threadOf = (form: Form, socialAccountId: string) => ({
  socialAccountId,
  tweets: form.parts.map((part) => ({ content: part.content, ...filesOf(part) })),
  ...aroundOf({ ...form, accountIds: [socialAccountId] }),
})
