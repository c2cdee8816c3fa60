import { describedRoutes } from '../../functions/routes.ts'
import { componentsWith } from './components.ts'
import { guideIndex } from './guides.ts'
import { metadataSchemas } from './metadata.ts'
import { operationOf } from './operation.ts'
import { placeOf } from './order.ts'
import { collectSchemas } from './schemas.ts'
import { tagGroups, tagsOf } from './tags.ts'
import { webhooksOf } from './webhooks.ts'

/** The public interface as an OpenAPI 3.1 document, read off the contracts. */
export const openApiDocument = () => {
  const { schemaOf, components } = collectSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  const inOrder = describedRoutes.toSorted((a, b) => placeOf(a.operation) - placeOf(b.operation))
  for (const route of inOrder) {
    const { method, path } = route.endpoint.contract
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route, schemaOf) }
  }
  for (const [name, schema] of Object.entries(metadataSchemas(schemaOf))) components.set(name, schema)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Social Publishing Service API',
      version: '0.1.0',
      description: [
        'Schedules and publishes posts to social accounts, and reports every outcome with signed webhooks.',
        guideIndex(),
      ].join('\n\n'),
    },
    servers: [{ url: '/' }],
    tags: tagsOf(describedRoutes.map(({ group }) => group)),
    'x-tagGroups': tagGroups,
    paths,
    webhooks: webhooksOf(schemaOf),
    components: componentsWith(
      components,
      describedRoutes.map(({ endpoint }) => endpoint.contract),
    ),
  }
}
