import * as z from 'zod/mini'
import type { PlatformDefinition } from '../../shared/platforms/definition.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { PlatformView } from '../../shared/platforms/platform-view.ts'
import { forms } from '../../shared/platforms/registry/forms.ts'
import { livePosts } from '../../shared/platforms/registry/live-posts.ts'

const viewMetadata = ({ id, rules: { metadata } }: PlatformDefinition) =>
  metadata && {
    ...metadata,
    schema: z.toJSONSchema(metadata.schema, { io: 'input', unrepresentable: 'any' }),
    form: forms[id],
  }

// The schema drops everything that is not data: the functions that count and check.
const view = (definition: PlatformDefinition): PlatformView => {
  const { id, name, api, connect, server, rules, comment, threads } = definition
  return z.parse(PlatformView, {
    id,
    name,
    api,
    connectedBy: connect === 'oauth' ? 'browser' : (connect.by ?? 'app password'),
    ...(server === undefined ? {} : { namesServer: true }),
    text: { field: rules.textField, empty: rules.emptyText, measures: rules.measures },
    media: rules.media,
    hashtags: rules.hashtags,
    metadata: viewMetadata(definition),
    assetFields: rules.assetFields ?? {},
    rules: rules.others ?? [],
    comment,
    live: { edit: typeof livePosts[id].edit !== 'string', delete: livePosts[id].deletion === true },
    threads,
  })
}

/** Every implemented platform and its rules, in the order of the specification, as the API shows it. */
export const platformViews = (): PlatformView[] => definitions.map(view)
