import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { codePoints, limitedText } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import { webUrl } from '../../text/web-url.ts'

/** Counted as Discord counts the text of a message. */
const textOf = (max: number) => limitedText(max, codePoints).check(notBlank)

/** Discord fetches the image itself. */
const imageUrl = z
  .url({ protocol: /^https$/, error: 'must be an https URL' })
  .check(z.maxLength(2048, { error: 'must have at most 2048 characters' }))

const Image = z.looseObject({ url: described(imageUrl, 'The https URL of the image, which Discord fetches.') })

/** An embed of a message, with Discord's limits (Message Resource, Embed Limits, 2026-08-06). */
export const Embed = z
  .looseObject({
    title: described(z.optional(textOf(256)), 'The title, at most 256 characters.'),
    description: described(z.optional(textOf(4096)), 'The text, at most 4,096 characters.'),
    url: described(z.optional(webUrl), 'The URL that the title leads to.'),
    color: described(
      z.optional(z.int().check(z.minimum(0), z.maximum(0xff_ff_ff))),
      'The color of the bar beside the embed, a number from 0 to 16,777,215 (`0xFFFFFF`).',
    ),
    author: described(
      z.optional(
        z.looseObject({
          name: described(textOf(256), 'The name, at most 256 characters.'),
          url: described(z.optional(webUrl), 'The URL that the name leads to.'),
          iconUrl: described(z.optional(imageUrl), 'The https URL of the icon beside the name.'),
        }),
      ),
      'Whom the embed names above its title.',
    ),
    fields: described(
      z.optional(
        z
          .array(
            z.looseObject({
              name: described(textOf(256), 'The name, at most 256 characters.'),
              value: described(textOf(1024), 'The text, at most 1,024 characters.'),
              inline: described(z.optional(z.boolean()), 'Whether the field stands beside others. False by default.'),
            }),
          )
          .check(z.maxLength(25)),
      ),
      'Up to 25 fields, each with a name and a text.',
    ),
    image: described(z.optional(Image), 'The image below the text.'),
    thumbnail: described(z.optional(Image), 'The small image beside the text.'),
    footer: described(
      z.optional(
        z.looseObject({
          text: described(textOf(2048), 'The text, at most 2,048 characters.'),
          iconUrl: described(z.optional(imageUrl), 'The https URL of the icon beside the text.'),
        }),
      ),
      'The line below the embed.',
    ),
  })
  .check(
    z.refine(
      ({ title, description, author, fields = [], image, thumbnail, footer }) =>
        fields.length > 0 || [title, description, author, image, thumbnail, footer].some((part) => part !== undefined),
      { error: 'must have a title, a description, an author, a field, an image, or a footer' },
    ),
  )
export type Embed = z.infer<typeof Embed>

/** The characters of an embed that count toward the limit of a message. */
export const embedLength = ({ title, description, author, fields = [], footer }: Embed): number =>
  [title, description, author?.name, footer?.text, ...fields.flatMap(({ name, value }) => [name, value])].reduce(
    (sum, text = '') => sum + codePoints(text),
    0,
  )

/** An embed in Discord's format. Absent fields are omitted from the JSON. */
export const sentEmbed = ({ title, description, url, color, author, fields, image, thumbnail, footer }: Embed) => ({
  title,
  description,
  url,
  color,
  author: author && { name: author.name, url: author.url, icon_url: author.iconUrl },
  fields: fields?.map(({ name, value, inline }) => ({ name, value, inline })),
  image: image && { url: image.url },
  thumbnail: thumbnail && { url: thumbnail.url },
  footer: footer && { text: footer.text, icon_url: footer.iconUrl },
})
