import { type ImageFailure, isLastingFailure, type LastingFailure } from './convert/image-job.ts'

const saveAnew = 'Save it again with another program, upload that file'

const whyNot: Readonly<Record<Exclude<LastingFailure['why'], 'pixels'>, string>> = {
  damaged: 'is damaged and cannot be read as an image. Upload it again',
  time: `takes too long to convert. ${saveAnew}`,
  memory: `takes too much memory to convert. ${saveAnew}`,
  crashed: `cannot be converted. ${saveAnew}`,
}

/** A file cannot be converted, and no other try will succeed. The message is a sentence for the author of the post. */
export class ConversionError extends Error {
  override name = 'ConversionError'
}

/** A file is not converted yet: another try may succeed. */
export class NotConverted extends Error {
  override name = 'NotConverted'
}

/** The failure to convert a file with this name, as the error to throw. */
export const conversionError = (name: string, failure: ImageFailure): ConversionError | NotConverted => {
  if (!isLastingFailure(failure)) return new NotConverted(`${name} was not converted in time.`)
  const why =
    failure.why === 'pixels'
      ? `has ${failure.width} x ${failure.height} pixels, too many to convert. Upload a smaller image`
      : whyNot[failure.why]
  return new ConversionError(`${name} ${why}, then reschedule the post.`)
}
