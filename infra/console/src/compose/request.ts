import { accountOf } from '../store.ts'
import type { Form } from './state.ts'

/** The platforms of the chosen accounts, each once. */
export const platformsOf = ({ accountIds }: Pick<Form, 'accountIds'>): { id: string; name: string }[] => {
  const chosen = accountIds.flatMap((id) => accountOf(id) ?? [])
  return [...new Map(chosen.map(({ providerId: id, providerName: name }) => [id, { id, name }])).values()]
}

/** The fields that a post, its validation, and its draft share. */
export const contentOf = (form: Form) => {
  const platforms = new Set(platformsOf(form).map(({ id }) => id))
  const own = Object.entries(form.platformContent).filter(([platform]) => platforms.has(platform))
  const metadata = Object.entries(form.metadata).filter(
    ([platform, block]) => platforms.has(platform) && Object.keys(block).length > 0,
  )
  const mediaUrls = form.files.flatMap(({ id }) => id ?? [])
  return {
    socialAccountIds: [...form.accountIds],
    content: form.content,
    ...(own.length === 0 ? {} : { platformContent: Object.fromEntries(own) }),
    ...(metadata.length === 0 ? {} : { metadata: Object.fromEntries(metadata) }),
    ...(mediaUrls.length === 0 ? {} : { mediaUrls }),
    ...(form.firstComment.trim() === '' ? {} : { firstComment: { text: form.firstComment } }),
  }
}
