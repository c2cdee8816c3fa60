import { definitions } from '../../shared/platforms/definitions.ts'
import type { Schema, SchemaOf } from './schemas.ts'

const blockOf = (platform: string) => `${platform.replaceAll(' ', '')}Metadata`

/**
 * The blocks of `metadata` by platform, typed from the rules of the platforms: what `PostMetadata` and
 * `DraftMetadata` are in the document. A draft can have a block that is not complete.
 */
export const metadataSchemas = (schemaOf: SchemaOf): Record<string, Schema> => {
  const blocks = definitions.flatMap(({ id, name, rules: { metadata } }) =>
    metadata === undefined
      ? []
      : [
          {
            id,
            block: blockOf(name),
            schema: {
              ...schemaOf(metadata.schema, 'input'),
              description: `What only ${name} has. ${metadata.required ? 'Posts to it need this block.' : 'Optional.'}`,
            } satisfies Schema,
          },
        ],
  )
  return {
    ...Object.fromEntries(blocks.map(({ block, schema }) => [block, schema])),
    PostMetadata: {
      type: 'object',
      description: 'Fields that only one platform has, by platform.',
      properties: Object.fromEntries(blocks.map(({ id, block }) => [id, { $ref: `#/components/schemas/${block}` }])),
    },
    DraftMetadata: {
      type: 'object',
      description: 'Fields that only one platform has, by platform. Nothing in a draft is required.',
      properties: Object.fromEntries(
        blocks.map(({ id, schema: { required: _, ...partial } }: { id: string; schema: Schema }) => [id, partial]),
      ),
    },
  }
}
