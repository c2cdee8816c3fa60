import * as z from 'zod/mini'

/** An http or https URL of at most 2,048 characters, as platforms accept it for links. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .check(z.maxLength(2048, { error: 'must have at most 2048 characters' }))
