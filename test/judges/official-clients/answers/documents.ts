import * as z from 'zod/mini'

/** Answers that no file describes, as a document has them. */
export interface Document {
  document: string
  shape: z.ZodMiniType
}

const OAuthError = z.strictObject({
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unauthorized_client',
    'unsupported_grant_type',
    'invalid_scope',
  ]),
  error_description: z.optional(z.string()),
})

/** Tokens, to which a platform may add fields, or an error. */
export const oauth: Document = {
  document: 'RFC 6749, sections 5.1 and 5.2',
  shape: z.union([
    OAuthError,
    z.looseObject({
      access_token: z.string(),
      token_type: z.string().check(z.regex(/^bearer$/i)),
      expires_in: z.optional(z.int().check(z.positive())),
      refresh_token: z.optional(z.string()),
      scope: z.optional(z.string()),
    }),
  ]),
}

export const googleErrors: Document = {
  document: 'YouTube Data API, Errors; RFC 6749, section 5.2',
  shape: z.union([
    OAuthError,
    z.strictObject({
      error: z.strictObject({
        code: z.int(),
        message: z.string(),
        errors: z.array(z.strictObject({ domain: z.string(), reason: z.string(), message: z.string() })),
        status: z.optional(z.string()),
      }),
    }),
  ]),
}

const graphError = z.strictObject({
  message: z.string(),
  type: z.string(),
  code: z.int(),
  error_subcode: z.optional(z.int()),
  fbtrace_id: z.optional(z.string()),
})
export const graphErrors: Document = {
  document: 'Graph API, Handle Errors; Instagram Platform, Business Login',
  shape: z.union([
    z.strictObject({ error: graphError }),
    z.strictObject({ error_type: z.string(), code: z.int(), error_message: z.string() }),
  ]),
}

/** Uploads in phases, and what is public at their end. */
export const graphUploads: Document = {
  document: 'Reels Publishing API and Page Stories API',
  shape: z.union([
    z.strictObject({ video_id: z.string(), upload_url: z.url() }),
    z.strictObject({ success: z.literal(true), post_id: z.optional(z.string()) }),
  ]),
}

export const instagramToken: Document = {
  document: 'Instagram Platform, Business Login',
  shape: z.strictObject({ access_token: z.string(), user_id: z.number(), permissions: z.string() }),
}
