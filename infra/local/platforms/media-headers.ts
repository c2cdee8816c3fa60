const shownInline = /^(image\/(png|jpeg|gif|webp|avif)|video\/(mp4|webm|quicktime))$/

/** Uploaded bytes never run as a page: only images and videos are opened by the browser itself. */
export function mediaHeaders(type: string): Record<string, string> {
  const inline = shownInline.test(type)
  return {
    'content-type': inline ? type : 'application/octet-stream',
    'content-disposition': inline ? 'inline' : 'attachment',
    'content-security-policy': `default-src 'none'; sandbox`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'max-age=3600',
  }
}
