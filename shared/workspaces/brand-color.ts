import * as z from 'zod/mini'

/** The color of a brand. Only digits and letters after the `#`, because it is inserted into a style sheet. */
export const BrandColor = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, { error: 'must be a color as #rrggbb, or null' }))
