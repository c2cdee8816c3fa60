/** How people fill in a metadata field. The console shows fields in this order; clients can build the same form. */
export interface FormField {
  /** In sentence case, without the name of the platform. */
  label: string
  help?: string
  /** The label of each value. For a number, the values that people choose from. */
  choices?: Readonly<Record<string, string>>
  /** The value that an absent field means; in an object that the person adds, the value to begin with. */
  default?: string | number | boolean
  /** The values of other fields of the block that the field depends on. */
  when?: Readonly<Record<string, readonly string[]>>
  /** What one item of a list is called, such as "Choice". Absent: items are lines of a text. */
  item?: string
  /** The fields of an object, or of each item of a list. */
  fields?: PlatformForm
}

/**
 * The form of the block `metadata.<platform>`, by field. A hidden field is for programs: people say the same elsewhere, or
 * would need to know an API for it.
 */
export type PlatformForm = Readonly<Record<string, FormField | 'hidden'>>

/** Captions of a video, on each platform that takes them. */
export const captionsForm: FormField = {
  label: 'Captions',
  item: 'Caption track',
  fields: {
    mediaAssetId: { label: 'Caption file', help: 'A .vtt or .srt file.' },
    language: { label: 'Language', help: 'A language tag, such as en or pt-BR.' },
    name: { label: 'Name', help: 'By default, the name of the language.' },
  },
}

export const aiLabel: FormField = { label: 'Label as AI-generated', default: false }
