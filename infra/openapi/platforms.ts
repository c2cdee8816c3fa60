import * as z from 'zod/mini'
import type { PlatformDefinition } from '../../shared/platforms/definition.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { PlatformView } from '../../shared/platforms/platform-view.ts'

const viewMetadata = ({ metadata }: PlatformDefinition['rules']) =>
  metadata && {
    ...metadata,
    schema: z.toJSONSchema(metadata.schema, { io: 'input', unrepresentable: 'any' }),
  }

// The schema drops everything that is not data: the functions that count and check.
const view = ({ id, name, api, connect, server, rules, comment, threads }: PlatformDefinition): PlatformView =>
  z.parse(PlatformView, {
    id,
    name,
    api,
    connectedBy: connect === 'oauth' ? 'browser' : (connect.by ?? 'app password'),
    ...(server === undefined ? {} : { namesServer: true }),
    text: { field: rules.textField, empty: rules.emptyText, measures: rules.measures },
    media: rules.media,
    hashtags: rules.hashtags,
    metadata: viewMetadata(rules),
    assetFields: rules.assetFields ?? {},
    rules: rules.others ?? [],
    comment,
    threads,
  })

/** Every implemented platform and its rules, in the order of the specification, as the API shows it. */
export const platformViews = (): PlatformView[] => definitions.map(view)
