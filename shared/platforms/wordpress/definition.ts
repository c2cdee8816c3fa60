import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { codePoints, limitedText, utf16Units } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import type { FileRule, PlatformDefinition } from '../definition.ts'

const maxTitle = 200
/** `name` of terms and `post_name` are varchar(200) (WordPress source, wp_get_db_schema, 2026-11-27). */
const maxName = 200
const maxCategories = 10
const maxTags = 20

const formats = [
  ...['standard', 'aside', 'chat', 'gallery', 'link'],
  ...['image', 'quote', 'status', 'video', 'audio'],
] as const

const names = (max: number) =>
  z.array(limitedText(maxName, codePoints).check(notBlank)).check(
    z.minLength(1),
    z.maxLength(max),
    z.refine((list) => new Set(list.map((name) => name.toLowerCase())).size === list.length, {
      error: 'must differ from each other',
    }),
  )

/** The block `metadata.wordpress`; unknown keys are preserved. */
export const WordPressMetadata = z.looseObject({
  title: described(
    z.optional(limitedText(maxTitle, codePoints).check(notBlank)),
    'The title of the post, at most 200 characters. Without it, the post has no title.',
  ),
  excerpt: described(
    z.optional(limitedText(1000, codePoints).check(notBlank)),
    'The excerpt that lists of posts show, at most 1,000 characters. Without it, WordPress makes one from the text.',
  ),
  slug: described(
    z.optional(
      z.string().check(
        z.maxLength(maxName),
        z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, {
          error: 'must be lowercase letters, digits, and hyphens, such as rye-bread',
        }),
      ),
    ),
    'The last part of the URL of the post, such as `rye-bread`. Without it, WordPress makes one from the title. If another post has it, WordPress adds a number.',
  ),
  categories: described(
    z.optional(names(maxCategories)),
    'The names of 1 to 10 categories that the site has. The default category of the site if absent.',
  ),
  tags: described(
    z.optional(names(maxTags)),
    'The names of 1 to 20 tags. The site gets those that it does not have yet.',
  ),
  format: described(
    z.optional(z.enum(formats)),
    'The post format, for themes that show formats in different ways. `standard` by default.',
  ),
  isSticky: described(z.optional(z.boolean()), 'Whether the post stays at the top of the site. False by default.'),
  featuredMediaAssetId: described(
    z.optional(z.string()),
    'The ID of the image, `med_…`, that is the featured image. Without it, the first image of `mediaUrls` is.',
  ),
})
export type WordPressMetadata = z.infer<typeof WordPressMetadata>

const megabyte = 1_000_000

/**
 * Less than the 2 MiB that PHP accepts by default (php.ini directives, upload_max_filesize, 2026-11-27), and no larger
 * than WordPress makes images itself (Hook reference, big_image_size_threshold, 2026-11-29): a site with little memory fails
 * on larger ones, and names this size.
 */
const image: Omit<FileRule, 'max'> = {
  types: imageTypes,
  maxBytes: maxImageBytes,
  sent: {
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: 2 * megabyte,
    maxWidth: 2560,
    maxHeight: 2560,
  },
}
const maxFiles = 20

const common = { autocomplete: 'off', maxLength: 300 } as const

/** What every WordPress site with application passwords accepts; a site can accept less, and has the last word. */
export const definition = {
  id: 'wordpress',
  name: 'WordPress',
  api: { version: 'wp/v2', endsOn: null, source: 'WordPress REST API Handbook, 2026-11-27' },
  postsAt: 'site',
  connect: {
    fields: [
      {
        ...common,
        name: 'site',
        label: 'Site',
        type: 'text',
        hint: 'For example bakery.example or bakery.example/blog',
      },
      { ...common, name: 'username', label: 'Username', type: 'text' },
      {
        ...common,
        name: 'applicationPassword',
        label: 'Application password',
        type: 'password',
        hint: 'Create one at your site, under Users, Profile, Application Passwords. Not your own password.',
      },
    ],
  },
  preparesText: true,
  comment: {
    measures: [
      {
        max: 10_000,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source:
          'limit of this service; sites take 65,525 bytes (WordPress source, wp_get_comment_fields_max_lengths, 2026-11-27)',
      },
    ],
    source: 'WordPress REST API Handbook, Comments, 2026-11-27',
  },
  generated: { maxTitle, metadata: (title) => ({ title }) },
  rules: {
    measures: [
      {
        max: 100_000,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'limit of this service; `post_content` is longtext (WordPress source, wp_get_db_schema, 2026-11-27)',
      },
    ],
    media: [
      {
        min: 0,
        max: maxFiles,
        image: { ...image, max: maxFiles },
        gif: { max: maxFiles, types: ['image/gif'], maxBytes: 8 * megabyte },
        video: { max: maxFiles, types: videoTypes, maxBytes: 64 * megabyte },
        mixed: true,
        source:
          'limits of this service: WordPress names none, PHP as it is installed takes 2 MiB, and hosts usually take more (php.ini directives, 2026-11-27); types: WordPress source, wp_get_mime_types, 2026-11-27; sides of images: Hook reference, big_image_size_threshold, 2026-11-29',
      },
    ],
    metadata: {
      schema: WordPressMetadata,
      required: false,
      source:
        'WordPress REST API Handbook, Posts, Categories, and Tags, 2026-11-27; numbers and the length of titles and excerpts: limits of this service',
    },
    assetFields: { featuredMediaAssetId: { ...image, max: 1 } },
    emptyText: 'with media',
  },
} satisfies PlatformDefinition
