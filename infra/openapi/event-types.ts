import * as z from 'zod/mini'
import { CatalogEntry, describeEvent, eventExample, events } from '../../shared/events/catalog.ts'
import { apiVersion } from '../../shared/events/event.ts'
import { type EventType, eventTypes, extensionTypes } from '../../shared/events/types.ts'

/** The shape of an event's data as JSON Schema; it may grow, so more is never rejected. */
const schemaOf = (type: EventType) => {
  const { additionalProperties: _, ...schema } = z.toJSONSchema(events[type].data, { io: 'output' })
  return schema
}

const extensions = new Set<EventType>(extensionTypes)

/** Every event type with its description, an example of its data, and its schema, as the API shows it. */
export const eventTypeViews = () =>
  eventTypes.map((type) =>
    z.parse(CatalogEntry, {
      type,
      description: describeEvent(type),
      example: eventExample(type),
      schema: schemaOf(type),
      extension: extensions.has(type),
      apiVersion,
    }),
  )
